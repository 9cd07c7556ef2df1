"""What the tests of claims may ask for besides: a window of another plan."""

import json

import pytest
from click.testing import CliRunner


@pytest.fixture
def walk(publisher):
    """Return a function that walks the plan of EXACT, changed, and cites it under a label.

    The window has a cell of its own, or it would be a sibling of EXACT that nobody accounts for.
    """
    from engine.cli import engine

    def make(label, *, window=None, **changes):
        plan = json.loads((publisher.root / "exact.yaml").read_text())
        plan |= {"cell": f"decode-{label.lower()}", **changes}
        file = publisher.root / "changed.yaml"
        file.write_text(json.dumps(plan))
        name = window or label.lower()
        words = ["ab", str(file), "--execute", "--name", name]
        assert CliRunner().invoke(engine, words, catch_exceptions=False).exit_code == 0
        publisher.experiment(label, f"receipt://{name}")

    return make
