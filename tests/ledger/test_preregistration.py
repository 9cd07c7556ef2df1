"""Pre-registered: only where the order of entries proves it."""

import json

import pytest

PLAN, OTHER = "sha256:" + "1" * 64, "sha256:" + "2" * 64


def receipt(number):
    return f"receipt://sha256:{number:064x}"


def admit(founded, plan=PLAN, **fields):
    fields = {"phase": "admitted", "cell": "decode", "plan": plan, **fields}
    return founded.append("runner", kind="RUN", **{k: v for k, v in fields.items() if v})


def finish(founded, admission, number=1, by="runner", **fields):
    fields = {"phase": "finished", "cell": "decode", "receipt": receipt(number), **fields}
    admission = {"admission": admission.id} if admission else {}
    return founded.append(by, kind="RUN", **admission, **fields)


def close(founded, opened, *numbers):
    cited = [{"receipt": receipt(number)} for number in numbers or (1,)]
    answers = {"answers": opened.id} if opened else {}
    return founded.append(verdict={"outcome": "pass"}, evidence=cited, **answers)


def told(founded, entry):
    shown = founded.invoke("show", entry.index, "--json")
    assert shown.exit_code == 0

    value = json.loads(shown.stdout)
    text = founded.invoke("show", entry.index).stdout
    sentence = "  pre-registered: the hypothesis and its plan precede every run that is cited"
    assert (sentence in text.splitlines()) is value["pre_registered"]
    return value["pre_registered"], value.get("not_pre_registered_because", "")


def test_open_entry_then_admitted_run_then_closing_entry_is_pre_registered(founded):
    opened = founded.append(hypothesis="h", plan=PLAN, expected="+5 %")
    finish(founded, admit(founded), 1)
    finish(founded, admit(founded), 2)
    assert told(founded, close(founded, opened, 1, 2)) == (True, "")
    assert founded.audit().findings == []


def test_an_entry_without_a_verdict_says_nothing_about_it(founded):
    opened = founded.append(hypothesis="h", plan=PLAN)
    assert "pre_registered" not in founded.invoke("show", opened.index, "--json").stdout


def wrong_order(founded):
    admitted = admit(founded)
    opened = founded.append(plan=PLAN)
    finish(founded, admitted)
    return close(founded, opened)


def another_plan(founded):
    opened = founded.append(plan=PLAN)
    finish(founded, admit(founded, OTHER))
    return close(founded, opened)


def run_without_plan(founded):
    opened = founded.append(plan=PLAN)
    finish(founded, admit(founded, None))
    return close(founded, opened)


def hypothesis_without_plan(founded):
    opened = founded.append(hypothesis="h")
    finish(founded, admit(founded))
    return close(founded, opened)


def no_hypothesis(founded):
    finish(founded, admit(founded))
    return close(founded, None)


def attached(founded):
    opened = founded.append(plan=PLAN)
    finish(founded, None, by="engineer", phase="attached")
    return close(founded, opened)


def attached_with_an_admission(founded):
    opened = founded.append(plan=PLAN)
    finish(founded, admit(founded), by="engineer", phase="attached")
    return close(founded, opened)


def attached_and_finished(founded):
    opened = founded.append(plan=PLAN)
    finish(founded, None, by="engineer", phase="attached")
    finish(founded, admit(founded))
    return close(founded, opened)


def never_entered(founded):
    return close(founded, founded.append(plan=PLAN))


def entered_after_the_conclusion(founded):
    closing = close(founded, founded.append(plan=PLAN))
    finish(founded, admit(founded))
    return closing


def one_of_two_too_early(founded):
    early = admit(founded)
    opened = founded.append(plan=PLAN)
    finish(founded, early, 1)
    finish(founded, admit(founded), 2)
    return close(founded, opened, 2, 1)


def admission_is_the_hypothesis(founded):
    opened = founded.append(plan=PLAN)
    finish(founded, opened)
    return close(founded, opened)


def admission_is_a_finished_run(founded):
    opened = founded.append(plan=PLAN)
    done = finish(founded, admit(founded), 2, plan=PLAN)
    finish(founded, done, 1)
    return close(founded, opened)


def admission_is_no_entry(founded):
    opened = founded.append(plan=PLAN)
    fields = {"phase": "finished", "cell": "decode", "receipt": receipt(1), "plan": PLAN}
    founded.append("runner", kind="RUN", admission="e" * 64, **fields)
    return close(founded, opened)


def no_evidence(founded):
    opened = founded.append(plan=PLAN)
    return founded.append(verdict={"outcome": "miss"}, answers=opened.id)


@pytest.mark.parametrize(
    ("story", "reason"),
    [
        (wrong_order, "was admitted before the hypothesis"),
        (another_plan, "was admitted under another plan"),
        (run_without_plan, "was admitted under another plan"),
        (hypothesis_without_plan, "carries no plan"),
        (no_hypothesis, "it answers no open entry"),
        (attached, "was not admitted before it ran"),
        (attached_with_an_admission, "was not admitted before it ran"),
        (attached_and_finished, "was not admitted before it ran"),
        (never_entered, "was not admitted before it ran"),
        (entered_after_the_conclusion, "was not admitted before it ran"),
        (one_of_two_too_early, "was admitted before the hypothesis"),
        (admission_is_the_hypothesis, "admits no run"),
        (admission_is_a_finished_run, "admits no run"),
        (admission_is_no_entry, "is no entry"),
        (no_evidence, "it cites no runs"),
    ],
)
def test_any_other_order_is_not_pre_registered_and_says_why(founded, story, reason):
    value, said = told(founded, story(founded))
    assert (value, reason in said) == (False, True), said
