"""Drafts for the numbers of a table: valid, in order, and failing until somebody finished them."""

import json

import pytest

from claims.adopting import suggest
from claims.adopting.yaml_text import register as written
from receipts import yaml_source

PAGE = """\
## 2. Decode speed

| depth | ratio | rate (tok/s) | note |
|---|---:|---:|---|
| 2,048 | **1.05×** | 35.2 | 16 GiB |
| 4,096 | 1.04×<!--claim:old--> | 34.1 | 2026-08-15 |
"""


def test_each_unbound_result_has_a_draft_and_a_marker_behind_it():
    done = suggest.suggest(PAGE)
    assert [row["id"] for row in done.rows] == [
        "decode-speed-depth-2048-ratio",
        "decode-speed-depth-2048-rate-tok-s",
        "decode-speed-depth-4096-rate-tok-s",
    ]
    assert done.lines == {
        5: "| 2,048 | **1.05×**<!--claim:decode-speed-depth-2048-ratio--> | "
        "35.2<!--claim:decode-speed-depth-2048-rate-tok-s--> | 16 GiB |",
        6: "| 4,096 | 1.04×<!--claim:old--> | "
        "34.1<!--claim:decode-speed-depth-4096-rate-tok-s--> | 2026-08-15 |",
    }


def test_the_wording_has_a_hole_where_the_number_stood():
    first, second, _ = suggest.suggest(PAGE).rows
    assert first["wording"] == "Decode speed: ratio is {ratio:.2f}× (depth 2,048)."
    assert first["kind"] == "change"
    assert second["wording"] == "Decode speed: rate (tok/s) is {value:.1f} {unit} (depth 2,048)."
    assert first["todo"].startswith("the page says 1.05; ")


def test_names_are_never_given_twice_and_two_numbers_in_a_cell_get_one_each():
    table = "| a | b |\n|---|---|\n| x | 5 ms / 6 ms |\n| x | 7 ms |\n"
    done = suggest.suggest(table)
    assert [row["id"] for row in done.rows] == ["a-x-b", "a-x-b-2", "a-x-b-3"]
    assert done.lines[3] == "| x | 5 ms<!--claim:a-x-b--> / 6 ms<!--claim:a-x-b-2--> |"


@pytest.mark.parametrize("text", ["", "It did 5 ms.\n", "| a |\n|---|\n| 5 ms |\n", "```\n" + PAGE])
def test_what_is_no_result_in_a_table_gives_no_draft(text):
    assert suggest.suggest(text).rows == ()


def test_what_is_written_is_yaml_and_a_register():
    text = "\n".join(written(suggest.suggest(PAGE).rows))
    value = yaml_source.load(text.encode(), "s.yaml").value
    assert [row["id"] for row in value["claims"]] == [r["id"] for r in suggest.suggest(PAGE).rows]


def test_a_draft_fails_until_its_todo_is_gone_and_then_for_what_it_lacks(publisher):
    p = publisher
    (p.root / "page.md").write_text(PAGE)
    result = p.claims("suggest", "page.md", "--output", "claims.yaml")
    assert (result.exit_code, result.stderr) == (0, "claims.yaml: 3 drafts\n")
    text = (p.root / "claims.yaml").read_text()
    lines = [x.removeprefix("# ") for x in text.splitlines() if x.startswith("# |")]
    page = "\n".join([*PAGE.splitlines()[:4], *lines, ""]).replace("<!--claim:old-->", "")
    told = json.loads(p.check(page, "--json").stdout)["pages"][0]["findings"]
    assert {f["code"] for f in told} == {"CLM010", "CLM101"}
    (p.root / "claims.yaml").write_text(
        "\n".join(x for x in text.splitlines() if not x.startswith("    todo:")) + "\n"
    )
    told = json.loads(p.check(page, "--json").stdout)["pages"][0]["findings"]
    assert "CLM310" in {f["code"] for f in told}
    assert p.check(page).exit_code == 1


def test_a_page_without_a_table_is_nothing_to_suggest_from(publisher):
    (publisher.root / "page.md").write_text("It did 5 ms.\n")
    result = publisher.claims("suggest", "page.md")
    assert (result.exit_code, result.stdout) == (3, "version: 1\nclaims: []\n")
    told = json.loads(publisher.claims("suggest", "page.md", "--json").stdout)
    assert told == {"claims": [], "lines": {}}
