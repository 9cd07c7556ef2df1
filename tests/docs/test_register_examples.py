"""The registers in the how-to are registers: its pieces put together are read without a fault."""

import re
from pathlib import Path

from claims.registers import register

PAGE = Path(__file__).resolve().parents[2] / "docs" / "how-to" / "register-a-claim.md"


def test_the_pieces_of_the_how_to_are_one_register(tmp_path):
    blocks = re.findall(r"^ *```yaml\n(.*?)^ *```", PAGE.read_text("utf-8"), re.M | re.S)
    first, even, over_cells, beside = blocks
    indented = "".join(line.removeprefix("   ") for line in first.splitlines(keepends=True))
    (tmp_path / "claims.yaml").write_text(indented + even + over_cells + beside, encoding="utf-8")
    known = register.read([tmp_path / "claims.yaml"])
    assert list(known.claims) == ["prefill", "even", "sizes"]
    assert (len(known.barred.rows), known.policy.name) == (1, "strict")
    assert list(known.withdrawn) == ["old-rate"]
