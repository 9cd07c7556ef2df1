"""What the shipped policies ask of a sentence, one demand after the other."""

import platform

import pytest

from claims.judging import demands
from receipts.clock import system_clock

MACHINE = platform.machine()
WORDS = (
    "With {scope.model} on {scope.machine} it decodes {ratio:.2f}× as fast as "
    "{comparator.name} at {comparator.commit} (n = {n})."
)


@pytest.fixture
def strict(publisher):
    """Return a change that the policy `strict` has nothing against."""
    publisher.beside["policy"] = ["strict"]
    today = system_clock().date().isoformat()
    return {
        **publisher.change,
        "wording": WORDS,
        "scope": {"model": "m", "machine": MACHINE},
        "comparator": {"name": "the plain loop", "commit": "0a1b2c3", "date": today},
    }


def test_strict_has_nothing_against_a_sentence_that_says_it_all(publisher, strict):
    assert publisher.codes(strict) == []
    publisher.publish(strict)
    assert publisher.claims("render", "tuned").exit_code == 0


@pytest.mark.parametrize(
    ("left_out", "field"),
    [
        ("With {scope.model} on", "model"),
        ("on {scope.machine} ", "hardware"),
        ("{comparator.name} at", "comparator"),
        (" at {comparator.commit}", "commit"),
        (" (n = {n})", "repetitions"),
    ],
)
def test_strict_names_the_field_that_is_not_said(publisher, strict, left_out, field):
    shorter = WORDS.replace(left_out, "")
    (refusal,) = publisher.judge(strict, wording=shorter).refusals
    assert (refusal.code, refusal.message) == (
        "CLM202",
        f"policy strict: it does not say the {field}",
    )


def test_a_field_must_be_scoped_to_be_said(publisher, strict):
    scope = {"machine": MACHINE}
    typed = WORDS.replace("{scope.model}", "m")
    assert publisher.codes(strict, wording=typed, scope=scope) == ["CLM202"]


def test_strict_asks_nothing_of_a_comparator_of_a_level(publisher):
    publisher.beside["policy"] = ["strict"]
    words = "With {scope.gpu_info} and {scope.model} it reads {value:.2f} {unit} (n = {n})."
    cited = [{"receipt": publisher.uri("steady")}]
    publisher.experiment("SAID", evidence=cited, scope={"model": "m"})
    scope = {"gpu_info": "GPU of the test", "model": "m"}
    assert publisher.codes(wording=words, scope=scope, evidence=[{"entry": "SAID"}]) == []


MLPERF = (
    "Unverified, derived: on {scope.cell}, {scope.lane}, {scope.gpu_info} with {scope.model} "
    "prefills {value:.0f} {unit} (n = {n})."
)


@pytest.fixture
def messaging(publisher):
    """Return a level that the policy `mlperf-messaging` has nothing against."""
    publisher.beside["policy"] = ["mlperf-messaging"]
    cited = [{"receipt": publisher.uri("steady")}]
    publisher.experiment("SAID", evidence=cited, scope={"model": "m", "lane": "offline"})
    scope = {"cell": "pp2048", "lane": "offline", "gpu_info": "GPU of the test", "model": "m"}
    return {
        **publisher.level,
        "evidence": [{"entry": "SAID"}],
        "wording": MLPERF,
        "scope": scope,
        "derived": "prompt tokens over the time of the prefill",
    }


def test_messaging_is_met_in_the_text_and_by_the_footnote_that_render_writes(publisher, messaging):
    assert publisher.codes(messaging) == []
    publisher.publish(messaging)
    written = publisher.claims("render", "--format", "markdown", "--output", "page.md")
    assert written.exit_code == 0, written.output
    page = (publisher.root / "page.md").read_text()
    assert f"\n[^prefill]: {publisher.uri('steady')}\n" in page
    checked = publisher.claims("check", "page.md")
    assert checked.exit_code == 0, checked.stdout
    (publisher.root / "page.md").write_text(page.replace("[^prefill]: receipt", "[^prefill]: no"))
    assert "CLM410" not in publisher.claims("check", "page.md").stdout
    cut = page.replace(publisher.uri("steady"), "a receipt")
    (publisher.root / "page.md").write_text(cut)
    assert "CLM410" in publisher.claims("check", "page.md").stdout


@pytest.mark.parametrize(
    ("left_out", "codes"),
    [
        ("on {scope.cell}, ", ["CLM202"]),
        (", {scope.lane}", ["CLM202"]),
        ("{scope.gpu_info} with ", ["CLM202"]),
        (" with {scope.model}", ["CLM202"]),
        ("Unverified, ", ["CLM410"]),
        (", derived", ["CLM410"]),
    ],
)
def test_messaging_names_what_is_missing(publisher, messaging, left_out, codes):
    assert publisher.codes(messaging, wording=MLPERF.replace(left_out, "")) == codes


def test_after_an_audit_that_holds_the_word_is_not_needed(publisher, messaging):
    auditor = publisher.keys["auditor"].public.openssh
    publisher.append(kind="KEY", action="enrol", key=auditor, roles=["auditor"])
    told = {"head": "0" * 64, "checked": {"claims": 1}, "differences": []}
    plain = MLPERF.replace("Unverified, derived", "Derived")
    for verdict, codes in (("fails", ["CLM410"]), ("holds", [])):
        verdicts = {"evidence_verdict": verdict, "decision_verdict": "holds"}
        publisher.append("auditor", kind="AUDIT", **told, **verdicts)
        assert publisher.codes(messaging, wording=plain) == codes


@pytest.mark.parametrize(
    ("text", "words", "held"),
    [
        ("on an H100 PCIe.", "H100 PCIe", True),
        ("on an h100\npcie.", "H100 PCIe", True),
        ("on an H1000 PCIe.", "H100", False),
        ("model 8x7B (beta)", "8x7B (beta)", True),
        ("", "m", False),
    ],
)
def test_words_are_held_as_words(text, words, held):
    assert demands.holds(text, words) is held
