import re
from pathlib import Path

import pytest

from claims.numerals import numbers
from claims.registers import claim_form, register
from claims.registers.barred import Context
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
    assert list(register.read([file(example)]).claims) == [
        *("tuned-decode", "tuned-rate", "tuned-sizes", "paged"),
    ]


BESIDE = """\
barred:
  # the anchor of that window missed
  - {value: "3.2", unit: ×, metric: decode_tok_s, reason: retired-baseline, note: anchor missed}
negative_space:
  - {phrase: on every GPU, note: one was run}
withdrawn:
  - {id: old, sentence: It was fast., reason: the fan had stopped, replaced_by: c1}
vocabulary: {metrics: {decode_tok_s: [unrolling]}, engines: {llama.cpp: [llamacpp]}}
policy: [strict]
"""


def test_all_that_nobody_may_say_stands_beside_the_claims(file):
    known = register.read([file(HEAD + level() + BESIDE)])
    number = numbers.find("3.2×")[0]
    row = known.barred_match(number, Context("It runs at 3.2×."))
    assert (row.reason, row.place.rpartition("claims.yaml")[2]) == ("retired-baseline", ":11:5")
    assert known.barred_match(number, Context("Prefill runs at 3.2×.")) is None
    assert known.barred_match(number, Context("Unrolling runs at 3.2×.")) is row
    assert known.negative_space.contradicted("It wins on every GPU.").note == "one was run"
    assert known.withdrawn["old"].replaced_by == "c1"
    assert known.vocabulary.engines == {"llama.cpp": ["llamacpp"]}
    assert known.policy.name == "strict"
    with pytest.raises(NotFoundError, match="claim 'old' is withdrawn: the fan had stopped"):
        known.find("old")


def test_several_files_are_one_register(file):
    more = "version: 1\nclaims: []\nbarred: [{value: '9', unit: ms, reason: accounting, note: x}]\n"
    more += (
        "negative_space: [{phrase: twice as fast}]\nvocabulary: {metrics: {decode_tok_s: [b]}}\n"
    )
    known = register.read([file(HEAD + level() + BESIDE), file(more, "more.yaml")])
    assert [row.number.text for row in known.barred.rows] == ["3.2", "9"]
    assert [item.phrase for item in known.negative_space.items] == ["on every GPU", "twice as fast"]
    assert known.vocabulary.metrics == {"decode_tok_s": ["unrolling", "b"]}


def test_a_vocabulary_may_have_a_file_of_its_own(file):
    file("version: 1\nmodels: {Llama: [llama-3]}\n", "words.yaml")
    known = register.read([file(HEAD + level() + "vocabulary: words.yaml\n")])
    assert known.vocabulary.models == {"Llama": ["llama-3"]}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("barred: [{value: x, unit: ms, reason: accounting, note: n}]", ":9:11: barred.0.value"),
        ("barred: [{value: '3', unit: mph, reason: accounting, note: n}]", ":9:10: 'mph' is no"),
        ("barred: [{value: '3', unit: ms, reason: bad, note: n}]", "barred.0.reason: must be"),
        ("barred: [{value: '3', unit: ms, reason: accounting}]", "barred.0.note: is missing"),
        ("negative_space: [{phrase: ''}]", "negative_space.0.phrase"),
        ("withdrawn: [{id: c1, sentence: S., reason: r}]", "claim c1 stands at "),
        ("withdrawn: [{id: c2, sentence: S., reason: r, at: 2026-02-30}]", "withdrawn.0.at"),
        ("policy: [lenient]", ":9:10: no policy is called 'lenient'"),
        ("policy: [own.yaml]", ":9:10: "),
        ("vocabulary: {colours: {red: []}}", "vocabulary"),
        ("vocabulary: gone.yaml", ":9:1: "),
        ("waivers: []", ":9:1: waivers: unknown field"),
    ],
)
def test_a_fault_beside_the_claims_is_told_with_its_place(file, text, told):
    with pytest.raises(Error, match=r"claims\.yaml:\d+:\d+: ") as error:
        register.read([file(HEAD + level() + text + "\n")])
    assert told in str(error.value)


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"kind": "level", "comparator": "{name: x}"}, "a level has one side"),
        ({"baseline_scope": "{engine: a}"}, "both sides name the same facts, and engine is of one"),
        (
            {"baseline_scope": "{lane: a}", "candidate_scope": "{lane: b}", "scope": "{lane: c}"},
            "lane stands in scope too",
        ),
        ({"evidence": "[]"}, "a measured claim rests on an entry"),
        ({"evidence": "[{entry: J1}, {entry: J2}]"}, "a change claim rests on one entry"),
        ({"kind": "matrix"}, "wording lacks {ratio.min}"),
        ({"kind": "matrix", "metrics": "{pair: decode_ms}"}, "pair is a hole of every matrix"),
        ({"comparator": "{name: x, commit: xyz}"}, "comparator.commit"),
    ],
    ids=str,
)
def test_sides_cells_and_evidence_fit_the_kind(file, fields, told):
    ratio = "It runs at {ratio:.2f}×." if fields.get("kind") != "level" else GOOD
    if fields == {"kind": "matrix"}:
        ratio = "It runs over {cells} cells."
    elif fields.get("kind") == "matrix":
        ratio = "It runs at {ratio.min:.2f}×."
    claim = {"kind": "change", "evidence": "[{entry: J1}]", **fields}
    claim["statistic"] = "median" if claim["kind"] == "level" else "ratio_of_medians"
    lines = "".join(f"    {name}: {value}\n" for name, value in claim.items())
    text = f"  - id: c1\n    wording: '{ratio}'\n    metric: decode_tok_s\n{lines}"
    with pytest.raises(Error) as error:
        register.read([file(HEAD + text)])
    assert told in str(error.value)


def test_the_words_of_the_register_fill_holes_of_their_own(file):
    text = (
        HEAD
        + """\
  - id: c1
    kind: change
    wording: "{candidate_scope.engine}: {ratio:.2f}× {comparator.name} ({comparator.commit})."
    metric: decode_tok_s
    statistic: ratio_of_medians
    evidence: [{entry: J1}]
    baseline_scope: {engine: a}
    candidate_scope: {engine: b}
    comparator: {name: llama.cpp, commit: 0a1b2c3}
"""
    )
    (claim,) = register.read([file(text)]).claims.values()
    assert claim_form.texts(claim)["comparator.commit"] == "0a1b2c3"
    assert claim_form.texts(claim)["candidate_scope.engine"] == "b"
