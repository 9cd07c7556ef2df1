import re
from pathlib import Path

import pytest

from claims import register
from receipts.errors import Error, MalformedError, NotFoundError

PAGE = Path(__file__).resolve().parents[2] / "docs" / "reference" / "formats" / "register.md"
HEAD = "version: 1\nclaims:\n"
LEVEL = """\
  - id: {id}
    kind: level
    wording: "{wording}"
    metric: decode_tok_s
    statistic: median
    evidence: [{{entry: J1}}]
"""
GOOD = "It reaches {value:.1f} {unit}."


@pytest.fixture
def file(tmp_path):
    """Return a function that writes a register and returns its path."""

    def write(text: str, name: str = "claims.yaml") -> Path:
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return path

    return write


def level(wording: str = GOOD, claim: str = "c1") -> str:
    return LEVEL.format(id=claim, wording=wording)


def test_claims_of_all_files_are_found_by_id_with_their_places(file):
    one = file(HEAD + level() + level(claim="c2"))
    two = file(HEAD + level(claim="c3"), "more.yaml")
    known = register.read([one, two])
    assert list(known.claims) == ["c1", "c2", "c3"]
    assert known.places["c2"] == f"{one}:9:5"
    assert known.find("c3").wording == GOOD


def test_an_unknown_claim_is_told_with_the_ones_there_are(file):
    with pytest.raises(NotFoundError, match=r"no claim is called 'c9'; the register has: c1"):
        register.read([file(HEAD + level())]).find("c9")


def test_comments_and_the_source_text_of_numbers_are_kept_away_from_the_claim(file):
    text = HEAD + level() + "    # a comment\n    cv_limit: 0.050\n    scope: {lane: 007}\n"
    (claim,) = register.read([file(text)]).claims.values()
    assert (claim.cv_limit, claim.scope) == ("0.050", {"lane": "007"})


@pytest.mark.parametrize("files", [1, 2])
def test_an_id_that_stands_twice_is_refused_with_both_places(file, files):
    paths = [file(HEAD + level() + (level() if files == 1 else ""))]
    paths += [file(HEAD + level(), "more.yaml")] if files == 2 else []
    with pytest.raises(Error, match=r"yaml:\d+:5: claim c1 stands at .*claims\.yaml:3:5 too"):
        register.read(paths)


@pytest.mark.parametrize(
    ("wording", "told"),
    [
        ("It reaches 35.2 tok/s.", "typed number '35.2'"),
        ("It reaches 1.05× of {value:.1f} {unit}.", "typed number '1.05'"),
        ("It gains 11 % at {value:.1f} {unit}.", "typed number '11'"),
        ("It reaches 35.2 {unit}.", "typed number '35.2'"),
        ("It reaches 1{value:.1f} {unit}.", "digit that touches a hole: '1{'"),
        ("It reaches 1,{value:.1f} {unit}.", "digit that touches a hole: '1,{'"),
        ("It reaches {value:.1f}9 {unit}.", "digit that touches a hole: '}9'"),
        ("It reaches {value:.0f}.5 {unit}.", "digit that touches a hole: '}.5'"),
        ("It reaches {speed:.1f} {unit}.", "unknown hole {speed}"),
        ("It is {ratio:.2f}× as fast.", "unknown hole {ratio}"),
        ("It reaches {value.__class__} {unit}.", "unknown hole {value.__class__}"),
        ("It reaches {value!r} {unit}.", "a brace that is no hole"),
        ("It reaches {value:>9} {unit}.", "a brace that is no hole"),
        ("It reaches {value:.12f} {unit}.", "a brace that is no hole"),
        ("It reaches {0} {unit}.", "a brace that is no hole"),
        ("It reaches {} {unit}.", "a brace that is no hole"),
        ("It reaches {{value:.1f}} {unit}.", "a brace that is no hole"),
        ("It reaches {value:.1f {unit}.", "a brace that is no hole"),
        ("It reaches value:.1f} {unit}.", "a brace that is no hole"),
        ("It reaches { value:.1f } {unit}.", "a brace that is no hole"),
    ],
)
def test_a_wording_with_a_typed_number_or_another_brace_is_refused_where_it_stands(
    file, wording, told
):
    with pytest.raises(MalformedError) as error:
        register.read([file(HEAD + level() + level(wording, "c2"))])
    assert f"claims.yaml:11:5: claim c2: wording has {'the ' if 'unknown' in told else ''}" in (
        str(error.value).replace("the typed", "typed")
    )
    assert told in str(error.value)


@pytest.mark.parametrize(
    ("kind", "statistic", "told"),
    [
        ("change", "median", "a change claim takes the statistic ratio_of_medians"),
        ("level", "ratio_of_medians", "a level claim takes the statistic median, mean, min or max"),
    ],
)
def test_the_statistic_fits_the_kind(file, kind, statistic, told):
    text = HEAD + level("It is fast.").replace("level", kind).replace("median", statistic)
    with pytest.raises(Error, match=rf"claims\.yaml:5:5: claim c1: {told}"):
        register.read([file(text)])


@pytest.mark.parametrize(
    ("text", "place"),
    [
        (HEAD + level() + "    value: 35.2\n", "claims.yaml:9:5: claims.0.value: unknown field"),
        (HEAD + level() + "    repetitions: 2.5\n", "claims.yaml:9:5: claims.0.repetitions"),
        (
            HEAD + level() + "    wording: again\n",
            "claims.yaml:9:5: the key 'wording' stands twice",
        ),
        (HEAD + level().replace("id: c1", "id: a b"), "claims.yaml:3:5: claims.0.id"),
        (HEAD + level() + "    scope: &a {}\n", "claims.yaml:9:12: anchors"),
        ("version: 2\nclaims: []\n", "claims.yaml:1:1: version"),
        ("version: 1\n", "claims.yaml:1:1: claims"),
        ("", "claims.yaml:1:1: the document is empty"),
        (HEAD + level() + "    tag:\n", "claims.yaml:9:5: the value is empty"),
    ],
)
def test_a_fault_is_told_with_file_line_and_column(file, text, place):
    with pytest.raises(MalformedError) as error:
        register.read([file(text)])
    assert place in str(error.value)


def test_the_example_of_the_format_page_is_a_register(file):
    (example,) = re.findall(r"^```yaml\n(.*?)^```", PAGE.read_text("utf-8"), re.M | re.S)
    assert list(register.read([file(example)]).claims) == ["tuned-decode", "tuned-rate"]
