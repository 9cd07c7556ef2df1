"""Pages against an approved register: what is found, and exactly where."""

import json

import pytest

from claims import desk
from claims.checks.page import Checker

LEVEL = "Prefill reaches 163.77 tok/s (median of 3 repetitions)."
CHANGE = "The tuned decoder runs at 1.25× the plain one (n = 5)."


@pytest.fixture(scope="module")
def page(shared_publisher):
    """Return a checker of pages: (code, line:column, message) of each finding.

    The claims `prefill` (163.7717… tok/s, 161.17 to 167.71) and `tuned` are approved.
    """
    p = shared_publisher
    assert p.publish(p.level, p.change) == [LEVEL, CHANGE]
    with desk.open_desk(lambda _: None) as here:
        checker = Checker(here.register, here.judge)

        def check(text):
            found = checker.check("page.md", text).findings
            return [(f.code, f.place.partition(":")[2], f.message) for f in found]

        yield check


def places(findings):
    return [finding[:2] for finding in findings]


@pytest.mark.parametrize(
    "text",
    [
        f"{LEVEL}<!--claim:prefill-->\n",
        f"Before. {LEVEL}<!--claim:prefill--> After.\n",
        f"# {LEVEL}<!--claim:prefill-->\n",
        f"> - {LEVEL}<!-- claim: prefill -->\n",
        f"| a | b |\n|---|---|\n| {LEVEL}<!--claim:prefill--> | a GPU |\n",
        LEVEL.replace(" ", "\n") + "<!--claim:prefill-->\n",
        LEVEL.replace("163.77 tok", "**163.77**&nbsp;tok") + "<!--claim:prefill-->\n",
        LEVEL.replace("(", "\\(") + "<!--claim:prefill-->\n",
        LEVEL.replace("Prefill", "`Prefill`") + "<!--claim:prefill-->\n",
        f"{LEVEL}<!--claim:prefill--> {CHANGE}<!--claim:tuned-->\n",
        f"{LEVEL}<!--claim:prefill-->\r\n\r\n{CHANGE}<!--claim:tuned-->\r\n",
        f"\ufeff---\ntitle: x\n---\n{LEVEL}<!--claim:prefill-->\n",
        f"{LEVEL}<!--claim:prefill-->\n\n```\n999 tok/s\n```\n",
    ],
)
def test_a_sentence_that_reads_as_it_renders_passes_wherever_it_stands(page, text):
    assert page(text) == []


@pytest.mark.parametrize(
    ("code", "column"), [("`163.77`", 17), ("<code>163.77</code>", 23), ("**`163.77`**", 19)]
)
def test_a_number_in_code_is_refused_in_a_sentence_that_reads_as_it_renders(page, code, column):
    text = LEVEL.replace("163.77", code) + "<!--claim:prefill-->"
    assert places(page(text)) == [("CLM108", f"1:{column}")]


@pytest.mark.parametrize(
    "digits", ["263.77", "153.77", "164.77", "163.87", "163.78", "163.770", "163.7", "163.8"]
)
def test_one_mistyped_digit_is_named_at_its_line_and_column(page, digits):
    text = f"Before.\n\n{LEVEL.replace('163.77', digits)}<!--claim:prefill-->\n"
    ((code, place, message),) = page(text)
    assert (code, place) == ("CLM103" if digits in ("163.78", "163.7") else "CLM102", "3:17")
    assert message.startswith(f"{digits} tok/s stands here, the evidence gives 163.77 tok/s")


def test_two_mistyped_numbers_are_two_findings_and_a_count_is_a_number_too(page):
    text = f"{LEVEL.replace('163', '164').replace('of 3', 'of 5')}<!--claim:prefill-->\n"
    assert page(text) == [
        ("CLM102", "1:17", "164.77 tok/s stands here, the evidence gives 163.77 tok/s"),
        ("CLM102", "1:41", "5 stands here, the evidence gives 3"),
    ]


def test_another_unit_under_the_right_digits_is_a_wrong_number(page):
    text = f"{LEVEL.replace('tok/s', 'ms')}<!--claim:prefill-->\n"
    assert page(text) == [
        ("CLM104", "1:17", "163.77 ms stands here, the evidence gives 163.77 tok/s")
    ]


@pytest.mark.parametrize(
    "sentence",
    [
        LEVEL.replace("Prefill", "Decode"),
        LEVEL.replace("median", "mean"),
        f"On every GPU: {LEVEL}",
        LEVEL.replace("(median of 3 repetitions)", "with 3 repetitions"),
    ],
)
def test_a_changed_word_is_named_at_the_marker(page, sentence):
    column = len(sentence) + 1
    ((code, place, message),) = page(f"{sentence}<!--claim:prefill-->\n")
    assert (code, place) == ("CLM203" if "every" in sentence else "CLM404", f"1:{column}")
    assert "'every'" in message or message.endswith(f"{LEVEL!r} was approved")


@pytest.mark.parametrize(
    ("number", "code"),
    [
        ("163.77 tok/s", None),
        ("163.8 tok/s", None),
        ("164 tok/s", None),
        ("163.772 tok/s", None),
        ("163.7717 tok/s", "CLM213"),
        ("163.771714 tok/s", "CLM213"),
        ("163.77 tokens per second", None),
        ("**163.8** tok/s", None),
        ("0.16k tok/s", None),
        ("0.164k tok/s", None),
        ("0.17k tok/s", "CLM102"),
        ("0k tok/s", "CLM102"),
        ("163.77k tok/s", "CLM102"),
        ("163.7 tok/s", "CLM103"),
        ("163 tok/s", "CLM103"),
        ("163.78 tok/s", "CLM103"),
        ("163.7718 tok/s", "CLM213"),
        ("-163.77 tok/s", "CLM102"),
        ("163.77 ms", "CLM104"),
        ("163.77 %", "CLM104"),
        ("163.77×", "CLM104"),
        ("163.77 req/s", "CLM104"),
        ("1e-99 tok/s", "CLM102"),
        ("163." + "7" * 5000 + " tok/s", "CLM102"),
    ],
)
def test_a_number_in_a_sentence_is_the_value_rounded_to_the_digits_shown(page, number, code):
    findings = page(f"It reaches {number}<!--claim:prefill--> here, in 3 runs.\n")
    column = 12 + number.startswith("-")
    assert places(findings) == ([(code, f"1:{column}")] if code else [])


@pytest.mark.parametrize(("shown", "right"), [("35.2", True), ("35.1", False), ("35.16", True)])
def test_35_16_may_be_shown_as_35_2_and_never_as_35_1(publisher, shown, right):
    record = json.loads((publisher.root / "steady").read_bytes())
    record |= {"n_prompt": 3516, "samples_ns": [10**11] * 6, "samples_ts": [35.16] * 6}
    raw = publisher.place.objects.put(json.dumps(record).encode())
    made = publisher.receipt("steady").predicate
    publisher.experiment("SLOW", publisher.forge({"raw": raw}, made, by="engineer"))
    publisher.publish({**publisher.level, "evidence": [{"entry": "SLOW"}], "repetitions": 5})
    result = publisher.check(f"It reaches {shown} tok/s<!--claim:prefill--> here.\n")
    assert result.exit_code == (0 if right else 1)


def test_each_marker_governs_what_stands_between_it_and_the_one_before(page):
    text = (
        "It gains 25 %<!--claim:tuned--> or 1.25×<!--claim:tuned--> at 164 tok/s<!--claim:tuned-->"
    )
    assert places(page(text)) == [("CLM102", "1:63")]


def test_a_glued_marker_without_a_number_binds_no_number(page):
    assert page("It was run often<!--claim:prefill--> in 3 runs.\n") == [
        ("CLM404", "1:17", "'It was run often' holds no number of the claim")
    ]


def test_a_marker_glued_to_a_number_without_a_unit_binds_it(page):
    assert page("It reaches 164<!--claim:prefill--> in 3 runs.\n") == []
    assert places(page("It reaches 3<!--claim:prefill--> in 3 runs.\n")) == [("CLM102", "1:12")]


@pytest.mark.parametrize(
    ("text", "place", "number"),
    [
        ("It did 35.2 tok/s.", "1:8", "35.2 tok/s"),
        ("x\n\n- It did\n  1.05× then.", "4:3", "1.05 ×"),
        ("# 12 ms", "1:3", "12 ms"),
        ("| a |\n|---|\n| b 11 % |", "3:5", "11 %"),
        ("![faster by 9 %](x.png)", "1:13", "9 %"),
        ("It did 1,234.5&nbsp;tok/s.", "1:8", "1,234.5 tok/s"),
    ],
)
def test_a_number_with_a_unit_that_no_marker_binds_is_named(page, text, place, number):
    (finding,) = page(f"{text}\n")
    assert finding[:2] == ("CLM101", place)
    assert finding[2].startswith(f"{number} stands in ")


def test_an_unknown_marker_is_named_by_its_id_and_its_numbers_are_not_unbound_too(page):
    assert page("It did 35.2 tok/s<!--claim:nobody--> here.\n") == [
        ("CLM010", "1:18", "the register does not have it")
    ]


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("<!--claim:prefill-->\n", "1:1"),
        (f"{LEVEL} <!--claim:prefill--> And so on.\n", "1:57"),
        ("<!--claim:prefill-->It did 5 tok/s.\n", "1:1"),
        ("It holds.<!--claim:two words-->\n", "1:10"),
        ("It holds.<!--claim:-->\n", "1:10"),
        ("It holds.<!--CLAIM:prefill-->\n", "1:10"),
    ],
)
def test_a_marker_that_is_misplaced_malformed_or_empty_is_named(page, text, place):
    assert ("CLM012", place) in places(page(text))


def test_a_refused_claim_is_refused_wherever_it_is_bound_with_its_own_codes(publisher):
    publisher.publish(publisher.level)
    publisher.ledger("retract", "CELLS", "--reason", "wrong")
    text = f"{LEVEL}<!--claim:prefill-->\n\nOr 164 tok/s<!--claim:prefill--> so.\n"
    lines = publisher.check(text).stdout.splitlines()
    told = [line.partition(": prefill")[0] for line in lines if line.startswith("page.md:")]
    assert told[:2] == [
        "page.md:1:56: CLM502 retracted",
        "page.md:3:13: CLM502 retracted",
    ]


def test_findings_stand_in_the_order_of_the_page(page):
    text = "5 ms.\n\n6 ms<!--claim:nobody--> and 7 ms.\n\nx<!--claim:-->\n\n8 ms.\n"
    assert places(page(text)) == [
        ("CLM101", "1:1"),
        ("CLM010", "3:5"),
        ("CLM101", "3:29"),
        ("CLM012", "5:2"),
        ("CLM101", "7:1"),
    ]


def test_the_summary_counts_bound_and_unbound_numbers(publisher):
    publisher.publish(publisher.level)
    text = f"{LEVEL}<!--claim:prefill--> 5 ms, 6 GiB and 7.\n"
    result = publisher.check(text, "--json")
    (found,) = json.loads(result.stdout)["pages"]
    counts = {name: found[name] for name in ("numbers", "bound", "unbound", "claims")}
    assert counts == {"numbers": 5, "bound": 2, "unbound": 3, "claims": ["prefill"]}
    wanted = (
        "page.md: 5 numbers: 2 bound, 0 excluded, 0 scope, 3 unbound; 1 claims used; 3 findings"
    )
    assert wanted in publisher.check(text).stdout


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        (f"{LEVEL[:-1]}<!--claim:prefill-->", []),
        (f"- {LEVEL[:-1]}<!--claim:prefill-->", []),
        (f"{LEVEL[:-1]}<!--claim:prefill--> on paper.", []),
        ("Decode reaches 163.77 tok/s<!--claim:prefill-->", ["CLM404"]),
        ("# Decode reaches 163.77 tok/s<!--claim:prefill-->", ["CLM404"]),
        ("It reaches 163.77 tokens per second<!--claim:prefill-->", ["CLM404"]),
        ("“Decode reaches 163.77 tok/s.”<!--claim:prefill--> So.", ["CLM404"]),
        ("(Decode reaches 163.77 tok/s.)<!--claim:prefill--> So.", ["CLM404"]),
        (f"{LEVEL[:-1].replace('163', '168')}<!--claim:prefill-->", ["CLM102"]),
        ("| a |\n|---|\n| Decode reaches 163.77 tok/s<!--claim:prefill--> |", ["CLM404"]),
        ("| a |\n|---|\n| 163.77 tok/s<!--claim:prefill--> in 3 runs |", []),
        ("| a |\n|---|\n| 163.77 tokens per second<!--claim:prefill--> in 3 runs |", []),
        ("| a |\n|---|\n| **163.8** tok/s<!--claim:prefill--> or so, in 3 runs |", []),
        ("| a |\n|---|\n| prefill: 163.8 tok/s<!--claim:prefill--> in 3 runs |", []),
        ("| a |\n|---|\n| 167.7 tok/s<!--claim:prefill--> in 3 runs |", ["CLM102"]),
        ("We reach 161 to 168 tok/s<!--claim:prefill--> here, in 3 runs.", []),
        ("We reach 160 to 168 tok/s<!--claim:prefill--> here, in 3 runs.", ["CLM102"]),
        ("Everywhere, on any GPU, 164 tok/s<!--claim:prefill--> holds in 3 runs.", ["CLM203"]),
        ("On all 3 runs together 164 tok/s<!--claim:prefill--> holds.", []),
    ],
)
def test_a_sentence_is_compared_whole_and_only_a_glued_number_as_a_number(page, text, codes):
    assert [code for code, *_ in page(f"{text}\n")] == codes


@pytest.mark.parametrize(
    ("number", "right"),
    [
        ("1.25×", True),
        ("25 %", True),
        ("1,246,883 tok/s", True),
        ("998k tok/s", True),
        ("1,000,000 tok/s", False),
        ("1,250,000 tok/s", False),
        ("0.2 %", False),
    ],
)
def test_a_glued_number_of_a_change_is_its_ratio_or_a_median_of_an_arm(page, number, right):
    findings = page(f"We saw {number}<!--claim:tuned--> here.\n")
    assert places(findings) == ([] if right else [("CLM102", "1:8")])
