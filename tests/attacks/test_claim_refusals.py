"""Every rule, by a claim or page that breaks it and nothing else, beside an honest twin that holds.

A pair is a generator: it yields the codes that its honest twin gets (which must be none), then does
its harm, and yields the codes that come of it (which must be the rule's code, once).
"""

import json
import re
import sqlite3
from fractions import Fraction

import pytest
from click.testing import CliRunner

from claims import rules
from claims.notices import banners, notice_regions
from claims.notices.banners import Notice
from claims.pages import regions
from engine import floors
from receipts import envelope, receipt, statement
from receipts.clock import system_clock
from receipts.digest import Digest
from receipts.predicates import Exactness
from receipts.receipt import SCHEME
from tests.fixtures import vllm

SENTENCE = "Prefill reaches 163.77 tok/s (median of 3 repetitions)."
PAIRS = {}


def breaks(*codes):
    """Enter a pair for these codes, under its own name."""

    def enter(pair):
        for code in codes:
            PAIRS.setdefault(code, []).append(pair)
        return pair

    return enter


def page(publisher, text):
    """Return the codes found on a page with this text."""
    result = publisher.check(text, "--json")
    (found,) = json.loads(result.stdout)["pages"]
    return [finding["code"] for finding in found["findings"]]


def walk(publisher, label, **changes):
    """Walk the plan of EXACT, changed, in a cell of its own; cite it as `label`."""
    from engine.cli import engine

    name = label.lower()
    plan = json.loads((publisher.root / "exact.yaml").read_text()) | {"name": name}
    if "baseline" in changes:
        plan["anchors"][0]["command"] = changes["baseline"]["command"]
    plan |= {"cell": f"decode-{name}", **changes}
    (publisher.root / f"{name}.yaml").write_text(json.dumps(plan))
    words = ["ab", f"{name}.yaml", "--execute", "--name", name]
    assert CliRunner().invoke(engine, words, catch_exceptions=False).exit_code == 0
    publisher.experiment(label, f"receipt://{name}")


# --- words and citations ------------------------------------------------------------------------


@breaks("CLM406")
def a_comparison_without_a_digit(p):
    p.publish(p.level)
    yield page(p, f"{SENTENCE}<!--claim:prefill--> Is it faster than llama.cpp?\n")
    yield page(p, f"{SENTENCE}<!--claim:prefill--> It is faster than llama.cpp.\n")


@breaks("CLM407")
def a_word_that_no_verdict_bears(p):
    p.publish(p.change)
    yield page(p, "Decode is faster: 1.25×<!--claim:tuned--> here.\n")
    yield page(p, "Decode shows no regression: 1.25×<!--claim:tuned--> here.\n")


@breaks("CLM407")
def bits_where_tokens_were_compared(p):
    p.publish(p.change)
    yield page(p, "With the same tokens decode gains 25 %<!--claim:tuned--> here.\n")
    yield page(p, "With bit-identical logits decode gains 25 %<!--claim:tuned--> here.\n")


@breaks("CLM701")
def a_citation_of_no_entry(p):
    p.publish(p.level)
    yield page(p, f"{SENTENCE}<!--claim:prefill--> So it was [ledger CELLS].\n")
    yield page(p, f"{SENTENCE}<!--claim:prefill--> So it was [ledger CELL5].\n")


@breaks("CLM702")
def a_citation_of_two_sections(p):
    p.publish(p.level)
    yield page(p, f"# One\n\n{SENTENCE}<!--claim:prefill--> See [§One].\n")
    yield page(p, f"# One\n\n{SENTENCE}<!--claim:prefill--> See [§One].\n\n# One\n")


@breaks("CLM703")
def a_citation_of_what_was_retracted(p):
    p.publish(p.level)
    yield page(p, f"{SENTENCE}<!--claim:prefill--> So it was [ledger STEADY].\n")
    p.ledger("retract", "STEADY", "--reason", "a wrong clock")
    yield page(p, f"{SENTENCE}<!--claim:prefill--> So it was [ledger STEADY].\n")


@breaks("CLM704")
def a_line_that_says_something_else(p):
    p.publish(p.level)
    (p.root / "run.log").write_text("one\n12.5 tok/s\n")
    yield page(p, f'{SENTENCE}<!--claim:prefill--> See [run.log:2 "12.5 tok/s"].\n')
    yield page(p, f'{SENTENCE}<!--claim:prefill--> See [run.log:2 "12.6 tok/s"].\n')


@breaks("CLM705")
def a_link_out_of_the_workspace(p):
    p.publish(p.level)
    (p.root.parent / "outside.log").write_text("one\n")
    (p.root / "inside.log").write_text("one\n")
    (p.root / "linked.log").symlink_to("inside.log")
    yield page(p, f"{SENTENCE}<!--claim:prefill--> See [linked.log:1].\n")
    (p.root / "linked.log").unlink()
    (p.root / "linked.log").symlink_to("../outside.log")
    yield page(p, f"{SENTENCE}<!--claim:prefill--> See [linked.log:1].\n")


@breaks("CLM706")
def a_line_that_is_no_line(p):
    p.publish(p.level)
    (p.root / "run.log").write_text("one\n")
    yield page(p, f"{SENTENCE}<!--claim:prefill--> See [run.log:1].\n")
    yield page(p, f"{SENTENCE}<!--claim:prefill--> See [run.log:0].\n")


# --- pages --------------------------------------------------------------------------------------


@breaks("CLM010")
def a_marker_of_no_claim(p):
    p.publish(p.level)
    yield page(p, f"{SENTENCE}<!--claim:prefill-->\n")
    yield page(p, f"{SENTENCE}<!--claim:prefil-->\n")


@breaks("CLM012")
def a_marker_behind_the_next_space(p):
    p.publish(p.level)
    yield page(p, f"{SENTENCE}<!--claim:prefill--> It holds.\n")
    yield page(p, f"{SENTENCE}<!--claim:prefill--> <!--claim:prefill--> It holds.\n")


@breaks("CLM012")
def a_marker_that_hides_its_line(p):
    p.publish(p.level)
    yield page(p, f"{SENTENCE}<!--claim:prefill-->\n")
    yield page(p, f"{SENTENCE}<!--claim:prefill-->\n\n<!--claim:prefill-->It holds.\n")


@breaks("CLM013")
def a_digit_spelt_as_an_entity(p):
    p.publish(p.level)
    yield page(p, f"{SENTENCE}<!--claim:prefill--> So &lt; it holds.\n")
    yield page(p, f"{SENTENCE}<!--claim:prefill--> So it holds on 1&#50;8 nodes.\n")


@breaks("CLM108")
def a_result_between_backticks(p):
    p.publish(p.level)
    yield page(p, f"{SENTENCE}<!--claim:prefill--> It ran `pp512` with `-b 512` for `60 s`.\n")
    yield page(p, f"{SENTENCE}<!--claim:prefill--> Decode does `35.2 tok/s`.\n")


@breaks("CLM101")
def a_number_without_a_claim(p):
    p.publish(p.level)
    yield page(p, f"{SENTENCE}<!--claim:prefill--> It came in 2026.\n")
    yield page(p, f"{SENTENCE}<!--claim:prefill--> It has 64 MiB.\n")


def told(publisher, *words):
    """Return the codes of a check with these words, of pages and beyond them."""
    value = json.loads(publisher.claims("check", *words, "--json").stdout)
    found = [one for one in value["pages"] for one in one["findings"]]
    return [finding["code"] for finding in (*found, *value["findings"])]


@breaks("CLM001")
def a_folder_without_a_page(p):
    p.publish(p.level)
    folder = p.root / "docs"
    folder.mkdir()
    (folder / "page.md").write_text(f"{SENTENCE}<!--claim:prefill-->\n")
    yield told(p, "docs")
    (folder / "page.md").rename(folder / "page.txt")
    yield told(p, "docs")


@breaks("CLM002")
def a_page_with_nothing_to_check(p):
    p.publish(p.level)
    (p.root / "page.md").write_text(f"{SENTENCE}<!--claim:prefill-->\n")
    yield told(p, "page.md")
    (p.root / "page.md").write_text("It is quick.\n")
    yield told(p, "page.md")


IGNORED = f"{SENTENCE}<!--claim:prefill-->\n\n<!-- claims-ignore[CLM101]: a limit -->\n500 ms.\n"


@breaks("CLM090")
def an_ignore_without_a_code(p):
    p.publish(p.level)
    yield page(p, IGNORED)
    yield page(p, IGNORED.replace("[CLM101]", "-all").replace("500 ms", "It"))


@breaks("CLM091")
def an_ignore_that_nothing_needs(p):
    p.publish(p.level)
    yield page(p, IGNORED)
    yield page(p, IGNORED.replace("500 ms", "It stops"))


@breaks("CLM092")
def an_ignore_of_what_nobody_sets_aside(p):
    p.publish(p.level)
    yield page(p, IGNORED)
    yield page(p, IGNORED.replace("[CLM101]", "[CLM101, CLM401]"))


def held(p):
    """Write a page with a loose number, and a baseline that holds it."""
    p.publish(p.level)
    (p.root / "page.md").write_text(f"{SENTENCE}<!--claim:prefill-->\n\nIt took 5 ms.\n")
    assert p.claims("baseline", "write", "page.md", "--baseline", "base.json").exit_code == 0
    return ("page.md", "--baseline", "base.json")


@breaks("CLM095")
def a_baseline_that_somebody_added_to(p):
    words = held(p)
    yield told(p, *words)
    path = p.root / "base.json"
    path.write_text(path.read_text().replace('"total": 1', '"total": 0'))
    yield told(p, *words)


@breaks("CLM096")
def a_baseline_of_what_is_gone(p):
    words = held(p)
    yield told(p, *words)
    (p.root / "page.md").write_text(f"{SENTENCE}<!--claim:prefill-->\n")
    yield told(p, *words)


@breaks("CLM107")
def a_value_that_contradicts_a_draft(p):
    p.publish(p.level)
    p.write(p.level, {"id": "d", "todo": "t", "said": "At 2,048 tokens TTFT was 812 ms."})
    ignore = "<!-- claims-ignore-line[CLM101]: recorded history -->"
    text = f"{SENTENCE}<!--claim:prefill-->\n\nAt 2,048 tokens TTFT was 812 ms. {ignore}\n"
    yield page(p, text)
    yield page(p, text.replace("812 ms", "815 ms"))


@breaks("CLM102")
def a_mistyped_digit_in_a_sentence(p):
    p.publish(p.level)
    yield page(p, f"{SENTENCE}<!--claim:prefill-->\n")
    yield page(p, f"{SENTENCE.replace('163', '168')}<!--claim:prefill-->\n")


@breaks("CLM103")
def a_number_cut_off_instead_of_rounded(p):
    p.publish(p.level)
    yield page(p, "We reach 163.8 tok/s<!--claim:prefill--> in 3 runs.\n")
    yield page(p, "We reach 163.7 tok/s<!--claim:prefill--> in 3 runs.\n")


@breaks("CLM103")
def a_ratio_rounded_until_it_tells_another_change(p):
    p.publish(p.change)
    yield page(p, "It runs at 1.2×<!--claim:tuned--> in the window.\n")
    yield page(p, "It runs at 1×<!--claim:tuned--> in the window.\n")


@breaks("CLM104")
def another_unit_under_the_right_digits(p):
    p.publish(p.level)
    yield page(p, "We reach 163.77 tok/s<!--claim:prefill--> in 3 runs.\n")
    yield page(p, "We reach 163.77 ms<!--claim:prefill--> in 3 runs.\n")


@breaks("CLM104")
def a_hundred_and_twenty_five_percent_faster(p):
    p.publish(p.change)
    yield page(p, "It is 25 %<!--claim:tuned--> faster in the window.\n")
    yield page(p, "It is 125 %<!--claim:tuned--> faster in the window.\n")


@breaks("CLM105")
def a_ratio_turned_round(p):
    p.publish(p.change)
    yield page(p, "The plain decoder runs at 0.8×<!--claim:tuned--> the tuned one.\n")
    yield page(p, "The plain decoder runs at 1.25×<!--claim:tuned--> the tuned one.\n")


@breaks("CLM106")
def a_ratio_that_its_own_row_contradicts(p):
    p.publish(p.level)
    table = "| before | after | ratio |\n|---|---|---|\n| a | b | {} |\n"
    table = f"{{}}<!--claim:prefill-->\n\n{table}"
    yield page(p, table.format(SENTENCE, "—"))
    told = page(p, table.format(SENTENCE, "1.9×").replace("| a | b", "| 2.0 | 3.0"))
    yield [code for code in told if code != "CLM101"]


@breaks("CLM107")
def a_median_here_and_a_mean_there(p):
    mean = {**p.level, "id": "mean", "statistic": "mean"}
    mean["wording"] = "Prefill reaches {value:.2f} {unit} (mean of {n} repetitions)."
    p.publish(p.level, mean)
    other = "Prefill reaches 164.22 tok/s (mean of 3 repetitions).<!--claim:mean-->"
    yield page(p, f"{SENTENCE}<!--claim:prefill-->\n\n{other}\n")
    bare = "It is 163.77 tok/s<!--claim:prefill--> in 3 runs.\n\n"
    bare += "It is 164.22 tok/s<!--claim:mean--> in 3 runs.\n"
    yield page(p, bare)[:1]


@breaks("CLM109")
def the_other_arms_number(p):
    p.publish(p.change)
    yield page(p, "The tuned one runs at 1,246,883 tok/s<!--claim:tuned--> here.\n")
    yield page(p, "The plain one runs at 1,246,883 tok/s<!--claim:tuned--> here.\n")


@breaks("CLM110")
def up_to_on_a_median(p):
    p.publish(p.level)
    yield page(p, "It reaches up to 167.7 tok/s<!--claim:prefill--> in 3 runs.\n")
    yield page(p, "It reaches up to 163.8 tok/s<!--claim:prefill--> in 3 runs.\n")


@breaks("CLM110")
def at_least_above_the_least(p):
    p.publish(p.level)
    yield page(p, "It reaches at least 161 tok/s<!--claim:prefill--> in 3 runs.\n")
    yield page(p, "It reaches at least 163 tok/s<!--claim:prefill--> in 3 runs.\n")


@breaks("CLM112")
def a_rate_that_is_not_reached(p):
    p.publish(p.level)
    yield page(p, "It does not only reach 163.8 tok/s<!--claim:prefill--> in 3 runs.\n")
    yield page(p, "It does not reach 163.8 tok/s<!--claim:prefill--> in 3 runs.\n")


TABLE = """\
Medians of 3 repetitions:

<!-- claim: prefill row=n_ubatch cols="prefill:prefill_tok_s" -->
| n_ubatch | prefill (tok/s) |
| --- | --- |
| 256 | {} |
| 512 | 163.77 |
"""


@breaks("CLM111")
def a_wrong_cell_of_a_table(p):
    p.publish(p.level)
    yield page(p, TABLE.format("119.58"))
    yield page(p, TABLE.format("163.77"))


@breaks("CLM011")
def two_claims_for_one_number(p):
    p.publish(p.level, p.change)
    yield page(p, "It reaches 164 tok/s<!--claim:prefill--> in 3 runs.\n")
    yield page(p, "It reaches 164 tok/s<!--claim:prefill--><!--claim:tuned--> in 3 runs.\n")


@breaks("CLM040")
def a_generated_region_edited_by_hand(p):
    p.publish(p.level)
    text = regions.write("prefill", SENTENCE)
    yield page(p, text)
    yield page(p, text.replace("Prefill reaches", "Prefill  reaches"))


@breaks("CLM211")
def five_hundred_repetitions(p):
    p.publish(p.change)
    yield page(p, "Over five repetitions it gains 25 %<!--claim:tuned--> here.\n")
    yield page(p, "Over five hundred repetitions it gains 25 %<!--claim:tuned--> here.\n")


@breaks("CLM212")
def two_windows_without_their_dates(p):
    walk(p, "AGAIN", name="exact-again", cell="decode-v8")
    p.experiment("WINDOWS", "receipt://exact", "receipt://again")
    first, again = (
        {
            **p.change,
            "id": name,
            "evidence": [{"entry": "WINDOWS", "receipt": f"receipt://{window}"}],
        }
        for name, window in (("tuned", "exact"), ("again", "again"))
    )
    p.publish(first, again)
    day = p.receipt("exact").predicate.started_at[:10]
    line = "It gained {} %<!--claim:{}-->{} in one window.\n\n"
    dated = f" on {day} (24.6–24.9 % by pair)"
    pages = [
        line.format(25, "tuned", told) + line.format(25, "again", told) for told in (dated, "")
    ]
    yield [code for code in page(p, pages[0]) if code != "CLM101"]
    yield page(p, pages[1])[:1]


@breaks("CLM213")
def more_digits_than_were_measured(p):
    p.publish(p.level)
    yield page(p, "We reach 163.772 tok/s<!--claim:prefill--> in 3 runs.\n")
    yield page(p, "We reach 163.7717 tok/s<!--claim:prefill--> in 3 runs.\n")


@breaks("CLM305")
def a_mean_of_few_that_does_not_say_so(p):
    p.publish(p.level)
    yield page(p, "We reach 163.8 tok/s<!--claim:prefill--> in three runs.\n")
    yield page(p, "We reach 163.8 tok/s<!--claim:prefill--> here.\n")


@breaks("CLM404")
def a_changed_word(p):
    p.publish(p.level)
    yield page(p, f"{SENTENCE}<!--claim:prefill-->\n")
    yield page(p, f"{SENTENCE.replace('Prefill', 'Decode')}<!--claim:prefill-->\n")


@breaks("CLM404")
def a_sentence_without_a_full_stop(p):
    p.publish(p.level)
    yield page(p, f"{SENTENCE[:-1]}<!--claim:prefill-->\n")
    yield page(p, "Decode reaches 163.77 tok/s<!--claim:prefill-->\n")


@breaks("CLM404")
def a_sentence_that_ends_in_a_quotation(p):
    p.publish(p.level)
    yield page(p, f"{SENTENCE}<!--claim:prefill--> “So.”\n")
    yield page(p, "They said “decode reaches 163.77 tok/s.”<!--claim:prefill--> So.\n")


@breaks("CLM404")
def a_sentence_that_ends_in_a_parenthesis(p):
    p.publish(p.level)
    yield page(p, "(We reach 163.77 tok/s<!--claim:prefill--> in 3 runs.) So.\n")
    yield page(p, "(Decode reaches 163.77 tok/s.)<!--claim:prefill--> So.\n")


@breaks("CLM102")
def the_best_repetition_in_a_table(p):
    p.publish(p.level)
    yield page(p, "| a |\n|---|\n| 163.8 tok/s<!--claim:prefill--> in 3 runs |\n")
    yield page(p, "| a |\n|---|\n| 167.7 tok/s<!--claim:prefill--> in 3 runs |\n")


@breaks("CLM102")
def a_spread_that_is_quoted_as_the_result(p):
    p.publish(p.level)
    yield page(p, "We reach 164 tok/s<!--claim:prefill--> in 3 runs.\n")
    yield page(p, "We gain 2.0 %<!--claim:prefill--> in 3 runs.\n")


@breaks("CLM203")
def every_model_around_a_glued_number(p):
    p.publish(p.level)
    yield page(p, "All 3 runs gave 163.8 tok/s<!--claim:prefill--> or so.\n")
    yield page(p, "Every model in 3 runs got 163.8 tok/s<!--claim:prefill--> or so.\n")


# --- words --------------------------------------------------------------------------------------


@breaks("CLM105")
def faster_where_it_is_slower(p):
    words = "The candidate is faster: {ratio:.2f}× (n = {n})."
    yield p.codes(p.change, wording=words)
    turn(p)
    yield p.codes(p.change, wording=words, evidence=[{"entry": "TURNED"}])


@breaks("CLM105")
def it_speeds_up_where_it_slows_down(p):
    turn(p)
    words = "Without a speedup it loses: {ratio:.2f}× (n = {n})."
    yield p.codes(p.change, wording=words, evidence=[{"entry": "TURNED"}])
    words = "The kernel speeds up decoding: {ratio:.2f}× (n = {n})."
    yield p.codes(p.change, wording=words, evidence=[{"entry": "TURNED"}])


def turn(publisher):
    """Walk a window whose candidate is the slower arm, over an anchored baseline."""
    plan = json.loads((publisher.root / "exact.yaml").read_text())
    command = ["run", "--cell", "turned", "--name", "quick", "--execute", "--"]
    assert publisher.engine(*command, *plan["candidate"]["command"]).exit_code == 0
    said = ["--evidence", "receipt://quick", "--metric", "decode_tok_s", "--tolerance", "0.02"]
    assert publisher.engine("anchor", "record", "quick-anchor", *said).exit_code == 0
    own = {"record": "quick-anchor", "command": plan["candidate"]["command"]}
    anchors = [{**plan["anchors"][0], **own}]
    turned = {"baseline": plan["candidate"], "candidate": plan["baseline"], "anchors": anchors}
    walk(publisher, "TURNED", **turned)


WORDS = "Prefill reaches {value:.2f} {unit} (median of {n} repetitions)."
DECODES = WORDS.replace("Prefill", "Decode").replace(":.2f", ":.0f")


@breaks("CLM104")
def milliseconds_for_a_rate(p):
    yield p.codes(wording=WORDS.replace("{unit}", "tokens per second"))
    yield p.codes(wording=WORDS.replace("{unit}", "ms"))


@breaks("CLM104")
def a_ratio_as_a_percentage(p):
    yield p.codes(p.change, wording="It gains {percent:.2f} % or {ratio:.2f}× (n = {n}).")
    yield p.codes(p.change, wording="It gains {ratio:.2f} % (n = {n}).")


@breaks("CLM104")
def a_thousand_times_as_much(p):
    yield p.codes(wording=WORDS)
    yield p.codes(wording=WORDS.replace("f}", "f}k"))


@breaks("CLM104")
def a_number_that_comes_with_the_scope(p):
    words = WORDS.replace("reaches", "on {scope.gpu_info} reaches")
    yield p.codes(wording=words, scope={"gpu_info": "GPU of the test"})
    record = json.loads((p.root / "steady").read_bytes()) | {"gpu_info": "500 tok/s GPU"}
    raw = p.place.objects.put(json.dumps(record).encode())
    p.experiment("FAST", p.forge({"raw": raw}, p.receipt("steady").predicate, by="engineer"))
    fast = {"scope": {"gpu_info": "500 tok/s GPU"}, "evidence": [{"entry": "FAST"}]}
    yield p.codes(wording=words, **fast)


@breaks("CLM205")
def a_median_that_is_called_a_peak(p):
    yield p.codes(wording=WORDS.replace("reaches", "reaches a peak of {max:.1f} {unit}, and"))
    yield p.codes(wording=WORDS.replace("reaches", "peaks at"))


@breaks("CLM205")
def the_best_repetition_that_is_called_a_median(p):
    yield p.codes(statistic="max", wording=WORDS.replace("median", "best"))
    yield p.codes(statistic="max", wording=WORDS)


@breaks("CLM205")
def a_ratio_of_medians_that_is_called_an_average(p):
    yield p.codes(p.change, wording="In the median {ratio:.2f}× (n = {n}).")
    yield p.codes(p.change, wording="On average {ratio:.2f}× (n = {n}).")


@breaks("CLM402")
def required_words_are_missing(p):
    yield p.codes(must_retain=["Median of 3"])
    yield p.codes(must_retain=["median of 5"])


@breaks("CLM403")
def forbidden_words(p):
    yield p.codes(forbidden=["decode"])
    yield p.codes(forbidden=["PREFILL"])


@breaks("CLM405")
def nobody_measured_it(p):
    yield p.codes(tag="measured")
    yield p.codes(tag="target")


# --- scope --------------------------------------------------------------------------------------


@breaks("CLM201")
def another_setting_than_was_measured(p):
    yield p.codes(scope={"n_ubatch": 512, "cell": "pp2048", "flash_attn": True})
    yield p.codes(scope={"n_ubatch": 256})


@breaks("CLM201")
def a_condition_that_nobody_recorded(p):
    yield p.codes(scope={"gpu_info": "GPU of the test"})
    yield p.codes(scope={"gpu_temperature": "60"})


@breaks("CLM201")
def a_processor_that_somebody_declared(p):
    made = p.receipt("steady")
    subjects = {"raw": made.require("raw")}
    said = {**made.predicate.identity, "cpu": "H100", "rack": "7"}
    predicate = made.predicate.model_copy(update={"identity": said})
    p.experiment("SAID", p.forge(subjects, predicate, by="engineer"))
    yield p.codes(evidence=[{"entry": "SAID"}], scope={"rack": "7"})
    yield p.codes(evidence=[{"entry": "SAID"}], scope={"cpu": "H100"})


@breaks("CLM201")
def a_processor_declared_over_the_one_observed(p):
    made = p.receipt("steady")
    observed = {"origin": "witnessed", "environment": {"cpu": "Z80"}, "identity": {"cpu": "H100"}}
    predicate = made.predicate.model_copy(update={**observed, "attached_at": None})
    p.experiment("SEEN", p.forge({"raw": made.require("raw")}, predicate))
    yield p.codes(evidence=[{"entry": "SEEN"}], scope={"cpu": "Z80"})
    yield p.codes(evidence=[{"entry": "SEEN"}], scope={"cpu": "H100"})


@breaks("CLM203")
def a_sentence_about_everything(p):
    yield p.codes(wording="All {n} repetitions reach {value:.2f} {unit} or so.")
    yield p.codes(wording="{n} repetitions reach {value:.2f} {unit} on every model.")


@breaks("CLM203")
def all_of_more_than_the_repetitions(p):
    yield p.codes(wording="Not slow at all, {value:.2f} {unit} in all {n} repetitions.")
    yield p.codes(wording="All machines in {n} runs reach {value:.2f} {unit} or so.")


@breaks("CLM204")
def a_setting_in_which_the_arms_differ(p):
    yield p.codes(p.change, scope={"vocab": 8, "lane": "greedy"})
    yield p.codes(p.change, scope={"variant": "tuned"})


@breaks("CLM201")
def a_processor_that_stands_in_an_entry(p):
    p.experiment("SAID", "receipt://steady", scope={"cpu": "H100", "rack": "7"})
    yield p.codes(evidence=[{"entry": "SAID"}], scope={"rack": "7"})
    yield p.codes(evidence=[{"entry": "SAID"}], scope={"cpu": "H100"})


@breaks("CLM201")
def a_device_that_stands_in_a_plan(p):
    cited = rewalk(p, "SCOPED", scope={"devices": "H100", "rack": "7"})
    yield p.codes(p.change, evidence=cited, scope={"rack": "7"})
    yield p.codes(p.change, evidence=cited, scope={"devices": "H100"})


@breaks("CLM203")
def a_level_that_says_what_it_is_faster_than(p):
    level = {**p.level, "metric": "decode_tok_s", "repetitions": 5}
    cited = [{**rewalk(p, "BARE-BASE", anchors=None)[0], "arm": "tuned"}]
    words = "The tuned decoder {} {value:.0f} {unit} (n = {n})."
    yield p.codes(level, evidence=cited, wording=words.replace("{}", "reaches"))
    beats = words.replace("{}", "beats the plain one with")
    yield p.codes(level, evidence=cited, wording=beats)


@breaks("CLM203")
def a_scope_of_everything(p):
    yield p.codes(scope={"gpu_info": "GPU of the test"})
    yield p.codes(scope={"gpu_info": "*"})


# --- the chain ----------------------------------------------------------------------------------


@breaks("CLM206")
def repetitions_of_two_boots(p):
    p.experiment("ONE", p.rebuilt("exact", lambda place, run: {}))
    yield p.codes(p.change, evidence=[{"entry": "ONE"}])

    def reboot(place, run):
        return {"environment": {**run.environment, "boot": "later" if place > 4 else "first"}}

    p.experiment("TWO", p.rebuilt("exact", reboot))
    yield p.codes(p.change, evidence=[{"entry": "TWO"}])


@breaks("CLM206")
def a_window_on_another_machine_than_its_repetitions(p):
    made = p.receipt("exact").predicate
    same = {**made.environment, "governor": "said"}
    p.experiment("SAME", p.altered("exact", environment=same))
    yield p.codes(p.change, evidence=[{"entry": "SAME"}])
    p.experiment("ELSE", p.altered("exact", environment={**made.environment, "cpu": "H100"}))
    yield p.codes(p.change, evidence=[{"entry": "ELSE"}])


@breaks("CLM206")
def a_program_that_replaced_itself_after_the_first_repetition(p):
    p.experiment("ONE", p.rebuilt("exact", lambda place, run: {}))
    yield p.codes(p.change, evidence=[{"entry": "ONE"}])

    def swapped(place, run):
        other = {"program": "sha256:" + "1" * 64}
        return {"identity": {**run.identity, **(other if place == 3 else {})}}

    p.experiment("TWO", p.rebuilt("exact", swapped))
    yield p.codes(p.change, evidence=[{"entry": "TWO"}])


@breaks("CLM206")
def the_best_repetition_of_a_window_on_its_own(p):
    level = {**p.level, "metric": "decode_tok_s", "repetitions": 1}
    words = "It decodes {value:.0f} {unit} (single sample)."
    p.experiment("ALONE", "receipt://anchored")
    yield p.codes(level, wording=words, evidence=[{"entry": "ALONE"}])
    p.experiment("BEST", SCHEME + p.repetitions("other")[1].digest)
    yield p.codes(level, wording=words, evidence=[{"entry": "BEST"}])


@breaks("CLM206")
def one_arm_after_the_other(p):
    made = p.receipt("exact").predicate
    yield p.codes(p.change)
    p.experiment(
        "BLOCKS", p.altered("exact", repetitions=sorted(made.repetitions, key=lambda r: r.arm))
    )
    yield p.codes(p.change, evidence=[{"entry": "BLOCKS"}])


@breaks("CLM206")
def a_repetition_of_another_window(p):
    p.experiment("OWN", p.rebuilt("exact", lambda place, run: {}))
    yield p.codes(p.change, evidence=[{"entry": "OWN"}])
    p.experiment(
        "LENT", p.rebuilt("exact", lambda place, run: {"window": "noisy"} if place == 3 else {})
    )
    yield p.codes(p.change, evidence=[{"entry": "LENT"}])


@breaks("CLM206")
def a_repetition_that_was_attached(p):
    replaced(p, "OWN", by="runner", origin="witnessed")
    yield p.codes(p.change, evidence=[{"entry": "OWN"}])
    replaced(p, "SENT", by="engineer", origin="attached")
    yield p.codes(p.change, evidence=[{"entry": "SENT"}])


@breaks("CLM206")
def a_repetition_in_the_place_of_another(p):
    replaced(p, "OWN", repetition=0)
    yield p.codes(p.change, evidence=[{"entry": "OWN"}])
    replaced(p, "MOVED", repetition=4)
    yield p.codes(p.change, evidence=[{"entry": "MOVED"}])


@breaks("CLM206")
def one_receipt_for_two_repetitions(p):
    yield p.codes(p.change)
    listed = list(p.receipt("exact").predicate.repetitions)
    listed[3] = listed[3].model_copy(update={"receipt": listed[0].receipt})
    p.experiment("TWICE", p.altered("exact", repetitions=listed))
    yield p.codes(p.change, evidence=[{"entry": "TWICE"}])


@breaks("CLM206")
def a_repetition_of_two_rows(p):
    replaced(p, "OWN", rows=1)
    yield p.codes(p.change, evidence=[{"entry": "OWN"}])
    replaced(p, "LONG", rows=2)
    yield p.codes(p.change, evidence=[{"entry": "LONG"}])


def replaced(p, label, by="runner", rows=1, **fields):
    """Cite in `label` a window EXACT whose first repetition is made anew with these fields."""
    made, first = p.receipt("exact"), p.repetitions("exact")[0]
    head, *body = p.raw_of(first).read_text().splitlines()
    body = [json.loads(body[0]) | {"repetition": number} for number in range(rows)]
    spelt = [json.dumps(row, sort_keys=True, separators=(",", ":")) for row in body]
    raw = p.place.objects.put("".join(f"{line}\n" for line in (head, *spelt)).encode())
    predicate = first.predicate.model_copy(update={"warnings": [label], **fields})
    uri = p.forge({"raw": raw}, predicate, by=by)
    listed = list(made.predicate.repetitions)
    listed[0] = listed[0].model_copy(update={"receipt": uri.removeprefix("receipt://")})
    subjects = {s.name: f"sha256:{s.digest.sha256}" for s in made.statement.subject}
    subjects["plain/0"] = raw
    window = made.predicate.model_copy(update={"repetitions": listed})
    p.experiment(label, p.forge(subjects, window))


SAID = {
    "cell": "decode-v9",
    "baseline": "tuned",
    "cv_limit": "0.9",
    "scope": {"lane": "greedy", "model": "large"},
    "exactness": Exactness(result="exact", compared="tokens-and-logits"),
}


@breaks("CLM207")
def a_window_that_says_more_than_its_plan(p):
    p.experiment("SAME", p.altered("exact", warnings=["again"]))
    yield p.codes(p.change, evidence=[{"entry": "SAME"}])
    found = set()
    for name, value in SAID.items():
        p.experiment(f"M-{name}", p.altered("exact", **{name: value}))
        (code,) = p.codes(p.change, evidence=[{"entry": f"M-{name}"}])
        found.add(code)
    yield sorted(found)


@breaks("CLM207")
def fewer_repetitions_than_planned(p):
    listed = p.receipt("exact").predicate.repetitions
    p.experiment("ALL", p.altered("exact", repetitions=listed, warnings=["again"]))
    level = {**p.level, "metric": "decode_tok_s", "repetitions": 3, "wording": DECODES}
    yield p.codes(level, evidence=[{"entry": "ALL", "arm": "tuned"}])
    p.experiment("SOME", p.altered("exact", repetitions=listed[:6]))
    yield p.codes(level, evidence=[{"entry": "SOME", "arm": "tuned"}])


@breaks("CLM207")
def a_metric_that_the_plan_does_not_name(p):
    anchors = recorded(p, "plain-ms", *WIDE, "--metric", "decode_ms")
    walk(p, "BROAD", metrics=["decode_tok_s", "decode_ms"], anchors=anchors)
    yield p.codes(p.change, metric="decode_ms", evidence=[{"entry": "BROAD"}])
    yield p.codes(p.change, metric="decode_ms")


@breaks("CLM304")
def a_plan_is_gone(p):
    yield p.codes(p.change)
    p.place.objects.path(Digest.parse(p.receipt("exact").predicate.plan)).unlink()
    yield p.codes(p.change)


@breaks("CLM303")
def a_changed_byte_of_a_plan(p):
    yield p.codes(p.change)
    p.flip(p.place.objects.path(Digest.parse(p.receipt("exact").predicate.plan)), 9)
    yield p.codes(p.change)


@breaks("CLM301")
def a_row_of_the_ledger_was_changed(p):
    yield p.codes()
    p.flip_row(6, -20)
    yield p.codes()


@breaks("CLM302")
def a_receipt_by_a_stranger(p):
    made = p.receipt("cells")
    cited = {"entry": "AGAIN", "select": {"n_ubatch": 512}}
    predicate = made.predicate.model_copy(update={"warnings": ["made anew"]})
    p.experiment("AGAIN", p.forge({"raw": made.require("raw")}, predicate, by="engineer"))
    yield p.codes(evidence=[cited])
    _cite(p, "STRANGE", {"raw": made.require("raw")}, predicate, "stranger")
    yield p.codes(evidence=[{**cited, "entry": "STRANGE"}])


@breaks("CLM302")
def a_witnessed_receipt_by_an_engineer(p):
    made = p.receipt("cells")
    cited = {"entry": "RUN", "select": {"n_ubatch": 512}}
    predicate = made.predicate.model_copy(update={"origin": "witnessed"})
    p.experiment("RUN", p.forge({"raw": made.require("raw")}, predicate, by="runner"))
    yield p.codes(evidence=[cited])
    _cite(p, "CLAIMED", {"raw": made.require("raw")}, predicate, "engineer")
    yield p.codes(evidence=[{**cited, "entry": "CLAIMED"}])


@breaks("CLM302")
def an_attached_receipt_by_a_runner(p):
    made = p.receipt("cells")
    cited = {"entry": "AGAIN", "select": {"n_ubatch": 512}}
    predicate = made.predicate.model_copy(update={"warnings": ["made anew"]})
    p.experiment("AGAIN", p.forge({"raw": made.require("raw")}, predicate, by="engineer"))
    yield p.codes(evidence=[cited])
    _cite(p, "WRONG", {"raw": made.require("raw")}, predicate, "runner")
    yield p.codes(evidence=[{**cited, "entry": "WRONG"}])


@breaks("CLM302")
def a_signature_over_other_bytes(p):
    made = p.receipt("cells")
    cited = {"entry": "AGAIN", "select": {"n_ubatch": 512}}
    predicate = made.predicate.model_copy(update={"warnings": ["made anew"]})
    p.experiment("AGAIN", p.forge({"raw": made.require("raw")}, predicate, by="engineer"))
    yield p.codes(evidence=[cited])
    better = predicate.model_copy(update={"warnings": ["forged"]})
    payload = statement.encode(statement.make({"raw": made.require("raw")}, better))
    signed = envelope.sign(p.keys["engineer"], statement.PAYLOAD_TYPE, payload)
    bad = json.loads(signed)
    bad["signatures"][0]["sig"] = json.loads(made.envelope.raw)["signatures"][0]["sig"]
    raw = json.dumps(bad, sort_keys=True, separators=(",", ":")).encode()
    p.experiment("FORGED", p.enter(receipt.parse(raw)))
    yield p.codes(evidence=[{**cited, "entry": "FORGED"}])


@breaks("CLM302")
def a_key_that_was_revoked_before_the_receipt_was_named(p):
    made = p.receipt("cells")
    cited = {"entry": "BEFORE", "select": {"n_ubatch": 512}}
    predicate = made.predicate.model_copy(update={"warnings": ["by the engineer"]})
    p.experiment("BEFORE", p.forge({"raw": made.require("raw")}, predicate, by="engineer"))
    line = p.keys["engineer"].public.openssh
    p.append(kind="KEY", action="revoke", key=line, reason="left", title="a key is revoked")
    # Revoked afterwards: what was named while the key was good still resolves.
    yield p.codes(evidence=[cited])
    later = predicate.model_copy(update={"warnings": ["by the engineer, later"]})
    _cite(p, "AFTER", {"raw": made.require("raw")}, later, "engineer")
    yield p.codes(evidence=[{**cited, "entry": "AFTER"}])


def revoke(p, name, since):
    """Revoke a key from the index `since` on."""
    line = p.keys[name].public.openssh
    fields = {"action": "revoke", "key": line, "reason": "stolen", "since": since}
    p.append(kind="KEY", title="a key is revoked", **fields)


@breaks("CLM302")
def a_key_that_was_stolen_when_the_receipt_was_named(p):
    made = p.receipt("cells")
    cited = {"entry": "HERS", "select": {"n_ubatch": 512}}
    predicate = made.predicate.model_copy(update={"warnings": ["by the engineer"]})
    _cite(p, "HERS", {"raw": made.require("raw")}, predicate, "engineer")
    named = p.append(kind="ENTRY", label="X").index - 2
    revoke(p, "engineer", named + 1)
    yield p.codes(evidence=[cited])
    revoke(p, "engineer", named)
    yield p.codes(evidence=[cited])


@breaks("CLM503")
def an_entry_by_a_key_that_was_stolen(p):
    p.experiment("HERS", "receipt://cells", by="engineer")
    cited = {"entry": "HERS", "select": {"n_ubatch": 512}}
    signed = p.append(kind="ENTRY", label="X").index - 1
    revoke(p, "engineer", signed + 1)
    yield p.codes(evidence=[cited])
    revoke(p, "engineer", signed)
    yield p.codes(evidence=[cited])


@breaks("CLM401")
def an_approval_by_a_key_that_was_stolen(p):
    line = p.keys["second"].public.openssh
    p.append(kind="KEY", action="enrol", key=line, roles=["operator"], title="a second operator")
    p.write(p.level)
    result = p.claims("approve", "prefill", "--key", p.key_file("second"))
    signed = int(result.stdout.partition("entry ")[2].partition(":")[0])
    revoke(p, "second", signed + 1)
    yield p.codes(approval=True)
    revoke(p, "second", signed)
    yield p.codes(approval=True)


def _cite(p, label, subjects, predicate, by):
    """Put a receipt on record and cite it in an entry, as `ledger add` would not."""
    p.experiment(label, p.forge(subjects, predicate, by=by))


@breaks("CLM303")
def a_changed_byte_of_a_raw_file(p):
    yield p.codes()
    p.flip(p.raw_of(p.receipt("cells")), 100)
    yield p.codes()


@breaks("CLM303")
def a_changed_byte_of_a_receipt(p):
    yield p.codes()
    p.flip(p.file_of(p.uri("cells")), 100)
    yield p.codes()


@breaks("CLM303")
def a_changed_byte_of_a_repetition(p):
    yield p.codes(p.change)
    p.flip(p.file_of(SCHEME + p.repetitions("exact")[7].digest), -3)
    yield p.codes(p.change)


@breaks("CLM303")
def another_raw_file_than_the_window_names(p):
    made = p.receipt("exact")
    subjects = {s.name: f"sha256:{s.digest.sha256}" for s in made.statement.subject}
    p.experiment("SAME", p.forge(subjects, made.predicate.model_copy(update={"warnings": ["x"]})))
    yield p.codes(p.change, evidence=[{"entry": "SAME"}])
    subjects["plain/0"] = subjects["tuned/0"]
    p.experiment("MIXED", p.forge(subjects, made.predicate))
    yield p.codes(p.change, evidence=[{"entry": "MIXED"}])


@breaks("CLM304")
def a_receipt_is_gone(p):
    yield p.codes()
    p.file_of(p.uri("cells")).unlink()
    yield p.codes()


@breaks("CLM304")
def a_raw_file_is_gone(p):
    yield p.codes()
    p.raw_of(p.receipt("cells")).unlink()
    yield p.codes()


@breaks("CLM304")
def a_raw_file_is_withheld(p):
    yield p.codes()
    digest = Digest.parse(p.receipt("cells").require("raw"))
    p.place.objects.withhold(digest, "holds a secret", system_clock)
    yield p.codes()


@breaks("CLM304")
def a_receipt_that_names_no_raw_file(p):
    made = p.receipt("cells")
    cited = {"entry": "AGAIN", "select": {"n_ubatch": 512}}
    predicate = made.predicate.model_copy(update={"warnings": ["made anew"]})
    p.experiment("AGAIN", p.forge({"raw": made.require("raw")}, predicate, by="engineer"))
    yield p.codes(evidence=[cited])
    p.experiment("LOG", p.forge({"log": made.require("raw")}, predicate, by="engineer"))
    yield p.codes(evidence=[{**cited, "entry": "LOG"}])


@breaks("CLM305")
def three_repetitions_where_five_are_the_default(p):
    yield p.codes(repetitions=3)
    yield p.codes({name: value for name, value in p.level.items() if name != "repetitions"})


@breaks("CLM305")
def three_repetitions_and_not_said(p):
    yield p.codes(wording="Prefill reaches {value:.2f} {unit}: {n} repetitions.")
    yield p.codes(wording="Prefill reaches {value:.2f} {unit}.")


@breaks("CLM306")
def repetitions_that_scatter(p):
    yield p.codes(p.change)
    yield p.codes(p.change, evidence=[{"entry": "NOISY"}])


@breaks("CLM306")
def a_limit_of_the_claim_that_is_more_lenient_than_the_plans(p):
    yield p.codes(p.change, cv_limit="0.9")
    yield p.codes(p.change, cv_limit="0.9", evidence=[{"entry": "NOISY"}])


@breaks("CLM306")
def a_limit_of_the_claim_itself(p):
    yield p.codes(cv_limit="0.03")
    yield p.codes(cv_limit="0.02")


@breaks("CLM305")
def three_of_something_else(p):
    yield p.codes(wording="Prefill reaches {value:.2f} {unit} (n = {n}).")
    yield p.codes(wording="Prefill reaches {value:.2f} {unit} on {n} machines.")


@breaks("CLM306")
def a_limit_and_one_repetition(p):
    p.experiment("ALONE", _single(p))
    words = "Prefill reaches {value:.0f} {unit} (single sample)."
    alone = {"evidence": [{"entry": "ALONE"}], "repetitions": 1, "wording": words}
    yield p.codes(**alone)
    yield p.codes(**alone, cv_limit="0.5")


@breaks("CLM310")
def an_entry_that_is_not_there(p):
    yield p.codes(p.change, evidence=[{"entry": "EXACT"}])
    yield p.codes(p.change, evidence=[{"entry": "EXACTLY"}])


@breaks("CLM310")
def an_entry_that_is_no_experiment(p):
    yield p.codes()
    yield p.codes(evidence=[{"entry": "0"}])


@breaks("CLM311")
def an_entry_that_calls_its_window_void(p):
    p.experiment("GOOD", "receipt://exact", verdict={"outcome": "observation"})
    yield p.codes(p.change, evidence=[{"entry": "GOOD"}])
    p.experiment("BAD", "receipt://exact", verdict={"outcome": "void"})
    yield p.codes(p.change, evidence=[{"entry": "BAD"}])


@breaks("CLM503")
def a_window_that_another_entry_calls_void(p):
    p.experiment("HASTY", "receipt://exact", verdict={"outcome": "void"})
    assert p.ledger("retract", "HASTY", "--reason", "it was another one").exit_code == 0
    yield p.codes(p.change)
    p.experiment("BAD", "receipt://exact", verdict={"outcome": "void"})
    yield p.codes(p.change)


@breaks("CLM311")
def an_open_entry(p):
    yield p.codes()
    yield p.codes(evidence=[{"entry": "OPEN"}])


@breaks("CLM314")
def an_entry_without_receipts(p):
    yield p.codes()
    yield p.codes(evidence=[{"entry": "BARE"}])


@breaks("CLM315")
def one_of_two_receipts_is_not_named(p):
    two = {"entry": "BOTH", "select": {"n_ubatch": 512}}
    yield p.codes(evidence=[{**two, "receipt": "receipt://cells"}])
    yield p.codes(evidence=[two])


@breaks("CLM315")
def a_receipt_of_another_entry(p):
    cited = {"entry": "CELLS", "select": {"n_ubatch": 512}}
    yield p.codes(evidence=[{**cited, "receipt": "receipt://cells"}])
    yield p.codes(evidence=[{**cited, "receipt": "receipt://steady"}])


@breaks("CLM315")
def a_receipt_that_nothing_is_called(p):
    cited = {"entry": "CELLS", "select": {"n_ubatch": 512}}
    yield p.codes(evidence=[{**cited, "receipt": p.uri("cells")}])
    yield p.codes(evidence=[{**cited, "receipt": "receipt://cell"}])


@breaks("CLM316")
def a_receipt_that_no_run_names(p):
    made = p.receipt("cells")
    predicate = made.predicate.model_copy(update={"warnings": ["made anew"]})
    named = receipt.make(p.keys["engineer"], {"raw": made.require("raw")}, predicate)
    p.experiment("NAMED", p.enter(named))
    cited = {"entry": "NAMED", "select": {"n_ubatch": 512}}
    yield p.codes(evidence=[cited])
    other = predicate.model_copy(update={"warnings": ["never entered"]})
    loose = receipt.make(p.keys["engineer"], {"raw": made.require("raw")}, other)
    p.place.receipts.put(loose.envelope.raw)
    p.experiment("LOOSE", SCHEME + loose.digest)
    yield p.codes(evidence=[{**cited, "entry": "LOOSE"}])


@breaks("CLM316")
def a_run_that_failed(p):
    made = p.receipt("cells")
    cited = {"entry": "NAMED", "select": {"n_ubatch": 512}}
    predicate = made.predicate.model_copy(update={"origin": "witnessed"})
    p.experiment("NAMED", p.forge({"raw": made.require("raw")}, predicate))
    yield p.codes(evidence=[cited])
    failed = predicate.model_copy(update={"exit_status": 1})
    made = receipt.make(p.keys["runner"], {"raw": made.require("raw")}, failed)
    p.place.receipts.put(made.envelope.raw)
    uri = SCHEME + made.digest
    p.append(kind="RUN", phase="failed", cell="pp2048", receipt=uri, title="a run")
    p.experiment("FAILED", uri)
    yield p.codes(evidence=[{**cited, "entry": "FAILED"}])


@breaks("CLM317")
def no_cell_is_selected(p):
    yield p.codes(evidence=[{"entry": "CELLS", "select": {"n_ubatch": 256}}])
    yield p.codes(evidence=[{"entry": "CELLS", "select": {"n_ubatch": 128}}])


@breaks("CLM317")
def two_cells_are_selected(p):
    yield p.codes(evidence=[{"entry": "STEADY"}])
    yield p.codes(evidence=[{"entry": "CELLS"}])


@breaks("CLM317")
def a_level_on_a_window_without_its_arm(p):
    level = {**p.level, "metric": "decode_tok_s", "repetitions": 5, "wording": DECODES}
    yield p.codes(level, evidence=[{"entry": "EXACT", "arm": "tuned"}])
    yield p.codes(level, evidence=[{"entry": "EXACT"}])


def cells(p, label, *selects):
    """Cite the file of cells in `label`, once for each selection."""
    uri = p.uri("cells")
    listed = [{"receipt": uri} | ({"select": where} if where else {}) for where in selects]
    p.experiment(label, evidence=listed)


@breaks("CLM317")
def a_receipt_that_is_cited_twice(p):
    cells(p, "PAIR", {"n_ubatch": 256}, {"n_ubatch": 512})
    yield p.codes(evidence=[{"entry": "PAIR", "select": {"n_ubatch": 512}}])
    yield p.codes(evidence=[{"entry": "PAIR"}])


@breaks("CLM317")
def another_cell_than_the_entry_cites(p):
    cells(p, "ONE", {"n_ubatch": 512})
    yield p.codes(evidence=[{"entry": "ONE", "select": {"flash_attn": True}}])
    yield p.codes(evidence=[{"entry": "ONE", "select": {"n_ubatch": 256}}])


@breaks("CLM317")
def an_arm_of_a_file(p):
    yield p.codes()
    yield p.codes(evidence=[{"entry": "CELLS", "select": {"n_ubatch": 512}, "arm": "tuned"}])


@breaks("CLM317")
def a_cell_of_a_window(p):
    yield p.codes(p.change)
    yield p.codes(p.change, evidence=[{"entry": "EXACT", "select": {"variant": "tuned"}}])


@breaks("CLM317")
def one_arm_of_a_change(p):
    yield p.codes(p.change)
    yield p.codes(p.change, evidence=[{"entry": "EXACT", "arm": "tuned"}])


@breaks("CLM318")
def a_metric_that_the_rows_do_not_hold(p):
    yield p.codes(metric="prefill_ms", wording=WORDS.replace(":.2f", ":.0f"))
    yield p.codes(metric="decode_ms")


@breaks("CLM318")
def a_change_without_a_window(p):
    yield p.codes(p.change)
    yield p.codes(p.change, metric="prefill_tok_s", evidence=[{"entry": "STEADY"}])


@breaks("CLM318")
def a_hole_that_the_evidence_cannot_fill(p):
    p.experiment("ALONE", _single(p))
    words = "Prefill reaches {value:.0f} {unit} (single sample)."
    alone = {"evidence": [{"entry": "ALONE"}], "repetitions": 1}
    yield p.codes(**alone, wording=words)
    yield p.codes(**alone, wording=words.replace("single", "CV {cv:.1f}, single"))


def _single(p):
    record = json.loads(p.raw_of(p.receipt("steady")).read_bytes())
    record |= {"samples_ns": [10_000], "samples_ts": [204_800_000]}
    raw = p.place.objects.put(json.dumps(record).encode())
    return p.forge({"raw": raw}, p.receipt("steady").predicate, by="engineer")


def served(p, label, record, *words):
    """Attach one result of a serving benchmark and put it on record; return a claim on it."""
    (p.root / f"{label}.json").write_bytes(vllm.dump(record))
    result = p.engine("attach", f"{label}.json", "--cell", "serve", "--name", label, *words)
    assert result.exit_code == 0, result.output
    p.experiment(label.upper(), f"receipt://{label}")
    return {
        "id": "ttft",
        "kind": "level",
        "metric": "ttft_ms",
        "statistic": "median",
        "wording": "The median time to the first token is {value:.1f} {unit} over {n} requests.",
        "evidence": [{"entry": label.upper()}],
        "scope": {"max_concurrency": 4},
    }


@breaks("CLM319")
def failed_requests_without_a_policy(p):
    record = vllm.serve(failed=(2, 3))
    yield p.codes(served(p, "declared", record, "--policy", "exclude-failed-rows"))
    yield p.codes(served(p, "silent", record))


@breaks("CLM319")
def an_average_in_the_raw_file_that_its_rows_do_not_give(p):
    record = vllm.serve()
    yield p.codes(served(p, "whole", record))
    yield p.codes(served(p, "edited", record | {"p99_ttft_ms": record["p99_ttft_ms"] - 1}))


@breaks("CLM319")
def fewer_rows_than_the_file_says_it_measured(p):
    record = vllm.serve()
    yield p.codes(served(p, "whole", record))
    yield p.codes(served(p, "sampled", record | {"num_prompts": 64}))


@breaks("CLM319")
def a_time_of_zero_among_the_rows(p):
    record = vllm.serve()
    yield p.codes(served(p, "whole", record))
    rows = vllm.requests(20, 8)
    rows["ttfts"][0] = 0.0
    yield p.codes(served(p, "zero", record | rows | vllm.summary(rows, 12.5)))


def rewalk(p, label, *words, **changes):
    """Walk the plan of EXACT, changed, in a cell of its own; cite it as `label`."""
    own = {"name": label.lower(), "cell": f"decode-{label.lower()}"}
    plan = json.loads((p.root / "exact.yaml").read_text()) | own | changes
    plan = {name: value for name, value in plan.items() if value is not None}
    (p.root / f"{label}.yaml").write_text(json.dumps(plan))
    result = p.engine("ab", f"{label}.yaml", "--execute", "--name", label.lower())
    assert result.exit_code in (0, 1), result.output
    p.experiment(label, f"receipt://{label.lower()}")
    return [{"entry": label}]


def recorded(p, label, *words):
    """Record an anchor from the run that the fixture's own was recorded from."""
    given = ["--evidence", "receipt://anchored", "--metric", "decode_tok_s", *words]
    result = p.engine("anchor", "record", label, *given)
    assert result.exit_code == 0, result.output
    anchors = json.loads((p.root / "exact.yaml").read_text())["anchors"]
    return [{**anchors[0], "record": label}]


@breaks("CLM321")
def a_baseline_without_an_anchor(p):
    yield p.codes(p.change)
    yield p.codes(p.change, evidence=rewalk(p, "BARE-BASE", anchors=None))


@breaks("CLM321")
def a_baseline_that_missed_its_anchor(p):
    yield p.codes(p.change, evidence=rewalk(p, "WIDE", anchors=recorded(p, "wide-2", *WIDE)))
    narrow = recorded(p, "narrow-2", "--tolerance", "0")
    yield p.codes(p.change, evidence=rewalk(p, "NARROW", anchors=narrow))


WIDE = ("--tolerance", "0.02")


@breaks("CLM321")
def an_anchor_that_the_window_says_was_held(p):
    yield p.codes(p.change)
    narrow = recorded(p, "narrow-2", "--tolerance", "0")
    rewalk(p, "NARROW", anchors=narrow)
    missed = p.receipt("narrow").predicate.anchors
    held = [one.model_copy(update={"result": "held"}) for one in missed]
    p.experiment("SAID", p.altered("narrow", anchors=held))
    yield p.codes(p.change, evidence=[{"entry": "SAID"}])


@breaks("CLM321")
def an_anchor_of_no_contract(p):
    yield p.codes(p.change)
    anchors = p.receipt("exact").predicate.anchors
    wrong = [one.model_copy(update={"contract": "0" * 64}) for one in anchors]
    p.experiment("SAID", p.altered("exact", anchors=wrong))
    yield p.codes(p.change, evidence=[{"entry": "SAID"}])


@breaks("CLM502")
def an_anchor_that_was_retracted(p):
    cited = rewalk(p, "THIRD", anchors=recorded(p, "third-2", *WIDE))
    yield p.codes(p.change, evidence=cited)
    taken = p.ledger("retract", "third-2", "--reason", "measured on another machine")
    assert taken.exit_code == 0, taken.output
    yield p.codes(p.change, evidence=cited)


@breaks("CLM321")
def an_anchor_of_another_metric_than_the_claims(p):
    of_decoding = recorded(p, "decode-2", *WIDE)
    of_prefill = recorded(p, "prefill-2", *WIDE, "--metric", "prefill_tok_s")
    yield p.codes(p.change, evidence=rewalk(p, "BOTH-OF", anchors=of_decoding + of_prefill))
    yield p.codes(p.change, evidence=rewalk(p, "PREFILL", anchors=of_prefill))


@breaks("CLM321")
def a_baseline_of_the_anchors_build_in_a_wrapper_that_slows_it(p):
    p.experiment("UNWRAPPED", p.rebuilt("exact", lambda place, run: {}))
    yield p.codes(p.change, evidence=[{"entry": "UNWRAPPED"}])

    def wrapped(place, run):
        other = {"program": "sha256:" + "1" * 64} if run.arm == "plain" else {}
        return {"identity": {**run.identity, **other}}

    p.experiment("WRAPPED", p.rebuilt("exact", wrapped))
    yield p.codes(p.change, evidence=[{"entry": "WRAPPED"}])


@breaks("CLM208")
def two_arms_that_are_one(p):
    yield p.codes(p.change)
    plan = json.loads((p.root / "exact.yaml").read_text())
    twin = {**plan["candidate"], "command": plan["baseline"]["command"]}
    yield p.codes(
        {**p.level, "metric": "decode_tok_s", "repetitions": 5},
        evidence=[{**rewalk(p, "TWINS", candidate=twin)[0], "arm": "tuned"}],
    )


@breaks("CLM208")
def a_candidate_that_left_no_trace_in_its_log(p):
    told = [{"arm": "tuned", "states": {"variant": "tuned"}}]
    yield p.codes(p.change, evidence=rewalk(p, "ENGAGED", engagement=told))
    logged = [{"arm": "tuned", "log": "tuned kernel engaged"}]
    yield p.codes(p.change, evidence=rewalk(p, "SILENT", engagement=logged))


@breaks("CLM207")
def a_proof_that_the_window_leaves_out(p):
    told = [{"arm": "tuned", "states": {"variant": "tuned"}}]
    yield p.codes(p.change, evidence=rewalk(p, "ENGAGED", engagement=told))
    rewalk(p, "SILENT", engagement=[{"arm": "tuned", "log": "tuned kernel engaged"}])
    kept = p.receipt("silent").predicate.engagement[1:]
    p.experiment("LESS", p.altered("silent", engagement=kept))
    yield p.codes(p.change, evidence=[{"entry": "LESS"}])


@breaks("CLM208")
def a_window_of_one_arm_against_itself(p):
    yield p.codes(p.change)
    result = p.engine("noise", "exact.yaml", "--windows", "1", "--execute")
    assert result.exit_code == 0, result.output
    p.experiment("AA", "receipt://exact-aa-1")
    yield p.codes(p.change, evidence=[{"entry": "AA"}])


@breaks("CLM209")
def a_gate_that_cannot_see_what_it_is_there_for(p):
    command = json.loads((p.root / "exact.yaml").read_text())["baseline"]["command"][:-2]
    gate = {"name": "tokens", "threshold": "0.99", "defect": "a wrong token"}
    seeing = {**gate, "broken": [*command, "other-tuned", "{raw}"]}
    yield p.codes(p.change, evidence=rewalk(p, "SEEING", gates=[seeing]))
    blind = {**gate, "broken": [*command, "exact-plain", "{raw}"]}
    yield p.codes(p.change, evidence=rewalk(p, "BLIND", gates=[blind]))


@breaks("CLM323")
def the_luckiest_of_five_windows(p):
    plan = json.loads((p.root / "exact.yaml").read_text()) | {"name": "lucky", "cell": "luck"}
    (p.root / "lucky.yaml").write_text(json.dumps(plan))
    names = [f"lucky-{number}" for number in range(1, 6)]
    for name in names:
        assert p.engine("ab", "lucky.yaml", "--execute", "--name", name).exit_code == 0
    p.experiment("ALL", *(f"receipt://{name}" for name in names))
    window = p.uri("lucky-3").removeprefix("receipt://")
    cited = [{"entry": "ALL", "receipt": f"receipt://{window}"}]
    yield p.codes(p.change, evidence=cited)
    p.experiment("LUCKY", "receipt://lucky-3")
    yield p.codes(p.change, evidence=[{"entry": "LUCKY"}])


@breaks("CLM323")
def a_bad_window_that_was_void_until_somebody_took_it_back(p):
    plan = json.loads((p.root / "exact.yaml").read_text()) | {"name": "lucky", "cell": "luck"}
    (p.root / "lucky.yaml").write_text(json.dumps(plan))
    for name in ("lucky-1", "lucky-2"):
        assert p.engine("ab", "lucky.yaml", "--execute", "--name", name).exit_code == 0
    p.experiment("LUCKY", "receipt://lucky-2")
    p.experiment("FAN", "receipt://lucky-1", verdict={"outcome": "void"})
    yield p.codes(p.change, evidence=[{"entry": "LUCKY"}])
    assert p.ledger("retract", "FAN", "--reason", "the fan ran").exit_code == 0
    yield p.codes(p.change, evidence=[{"entry": "LUCKY"}])


@breaks("CLM322")
def a_change_under_the_noise_floor(p):
    yield p.codes(p.change)
    result = p.engine("noise", "exact.yaml", "--windows", "1", "--execute")
    assert result.exit_code == 0, result.output
    told = ("decode-v8", "decode_tok_s", [Fraction(1, 100), Fraction(2, 100)])
    p.append(**floors.contract(*told, p.uri("exact-aa-1")))
    plan = json.loads((p.root / "exact.yaml").read_text())
    words = plan["baseline"]["command"][:-2]
    same = {"arm": "tuned", "command": [*words, "same-tuned", "{raw}"]}
    yield p.codes(p.change, evidence=rewalk(p, "FLAT", candidate=same, cell="decode-v8"))


@breaks("CLM321")
def a_change_that_the_anchors_of_the_baseline_allow(p):
    yield p.codes(p.change)
    plan = json.loads((p.root / "exact.yaml").read_text())
    words = plan["baseline"]["command"][:-2]
    same = {"arm": "tuned", "command": [*words, "same-tuned", "{raw}"]}
    yield p.codes(p.change, evidence=rewalk(p, "SMALL", candidate=same))


@breaks("CLM321")
def an_anchor_as_wide_as_the_change_it_vouches_for(p):
    narrow = recorded(p, "narrow-3", "--tolerance", "0.2")
    yield p.codes(p.change, evidence=rewalk(p, "NARROWER", anchors=narrow))
    wide = recorded(p, "wide-3", "--tolerance", "0.3")
    yield p.codes(p.change, evidence=rewalk(p, "WIDER", anchors=wide))


@breaks("CLM208")
def arms_that_differ_by_a_word_without_effect(p):
    plan = json.loads((p.root / "exact.yaml").read_text())
    python, *words = plan["candidate"]["command"]
    noted = {"arm": "tuned", "command": [python, "-B", *words]}
    yield p.codes(p.change, evidence=rewalk(p, "NOTED", candidate=noted))
    python, *words = plan["baseline"]["command"]
    again = {"arm": "tuned", "command": [python, "-B", *words]}
    yield p.codes(p.change, evidence=rewalk(p, "AGAIN", candidate=again))


@breaks("CLM323")
def a_plan_with_another_byte_walked_until_it_is_lucky(p):
    plan = json.loads((p.root / "exact.yaml").read_text()) | {"cell": "luck"}
    for name in ("first", "second"):
        (p.root / f"{name}.yaml").write_text(json.dumps({**plan, "name": name}))
        assert p.engine("ab", f"{name}.yaml", "--execute", "--name", name).exit_code == 0
    p.experiment("PAIR-OF", "receipt://first", "receipt://second")
    yield p.codes(p.change, evidence=[{"entry": "PAIR-OF", "receipt": "receipt://second"}])
    p.experiment("SECOND", "receipt://second")
    yield p.codes(p.change, evidence=[{"entry": "SECOND"}])


@breaks("CLM320")
def a_gate_that_was_dropped_in_silence(p):
    cited = rewalk(p, "UNGATED", exactness="none")
    said = (
        "The tuned decoder runs at {ratio:.2f}× the plain one (n = {n}, without an exactness gate)."
    )
    yield p.codes(p.change, evidence=cited, wording=said)
    yield p.codes(p.change, evidence=cited)


@breaks("CLM320")
def a_dropped_gate_that_the_sentence_denies(p):
    cited = rewalk(p, "UNGATED", exactness="none")
    words = "Without an exactness gate, the tuned decoder runs at {ratio:.2f}× (n = {n})."
    yield p.codes(p.change, evidence=cited, wording=words)
    found = set()
    for turned in ("Never run without an exactness gate", "Without an exactness gate failing"):
        wording = words.replace("Without an exactness gate", turned)
        found |= {*p.codes(p.change, evidence=cited, wording=wording)}
    yield sorted(found)


@breaks("CLM320")
def other_tokens(p):
    yield p.codes(p.change)
    yield p.codes(p.change, evidence=[{"entry": "OTHER"}])


@breaks("CLM320")
def other_tokens_that_an_enrolled_runner_signs_as_exact(p):
    exact = Exactness(result="exact", compared="tokens")
    p.experiment("TRUE", p.altered("exact", exactness=exact, warnings=["again"]))
    yield p.codes(p.change, evidence=[{"entry": "TRUE"}])
    p.experiment("FALSE", p.altered("other", exactness=exact))
    yield p.codes(p.change, evidence=[{"entry": "FALSE"}])


@breaks("CLM320")
def a_walk_that_ended_with_its_first_pair(p):
    made = p.receipt("exact").predicate
    differs = Exactness(result="differs", compared="tokens", first_difference="tuned has 5")
    changes = {"exactness": differs, "repetitions": made.repetitions[:2], "comparisons": []}
    p.experiment("ENDED", p.altered("exact", **changes))
    yield p.codes(p.change)
    yield p.codes(p.change, evidence=[{"entry": "ENDED"}])


@breaks("CLM207")
def a_first_pair_that_is_said_to_be_all(p):
    made = p.receipt("exact").predicate
    p.experiment("SHORT", p.altered("exact", repetitions=made.repetitions[:2]))
    yield p.codes(p.change)
    yield p.codes(p.change, evidence=[{"entry": "SHORT"}])


@breaks("CLM320")
def one_arm_of_a_window_with_other_tokens(p):
    level = {**p.level, "metric": "decode_tok_s", "repetitions": 5, "wording": DECODES}
    yield p.codes(level, evidence=[{"entry": "EXACT", "arm": "tuned"}])
    yield p.codes(level, evidence=[{"entry": "OTHER", "arm": "tuned"}])


# --- approval and status --------------------------------------------------------------------------


@breaks("CLM401")
def nobody_approved_it(p):
    p.publish(p.level)
    yield p.codes(approval=True)
    yield p.codes(p.change, approval=True)


@breaks("CLM401")
def another_wording_was_approved(p):
    p.publish(p.level)
    yield p.codes(approval=True)
    yield p.codes(approval=True, wording=p.level["wording"].replace("reaches", "has"))


@breaks("CLM401")
def the_evidence_was_swapped_under_an_approved_sentence(p):
    p.publish(p.level)
    p.experiment("COPY", "receipt://cells")
    yield p.codes(approval=True)
    # The very same receipt and sentence: what was approved is the claim on that entry.
    yield p.codes(approval=True, evidence=[{"entry": "COPY", "select": {"n_ubatch": 512}}])


@breaks("CLM401")
def another_sentence_was_approved(p):
    p.publish(p.level)
    yield p.codes(approval=True)
    body = p.judge().claim.approved_digest()
    fields = {"claim": "prefill", "digest": body, "sentence": "It is fast.", "title": "approved"}
    p.append(kind="APPROVAL", decision="approved", **fields)
    yield p.codes(approval=True)


@breaks("CLM401")
def the_approval_was_withdrawn(p):
    p.publish(p.level)
    yield p.codes(approval=True)
    assert p.claims("withdraw", "prefill", "--reason", "a doubt").exit_code == 0
    yield p.codes(approval=True)


@breaks("CLM501")
def a_superseded_entry(p):
    p.experiment("LATER", "receipt://cells")
    p.ledger("supersede", "CELLS", "--reason", "measured again", "--replacement", "LATER")
    yield p.codes(evidence=[{"entry": "LATER", "select": {"n_ubatch": 512}}])
    yield p.codes()


@breaks("CLM502")
def a_retracted_entry(p):
    p.ledger("retract", "STEADY", "--reason", "the fan had stopped")
    yield p.codes()
    p.ledger("retract", "CELLS", "--reason", "the fan had stopped")
    yield p.codes()


@breaks("CLM502")
def a_retraction_that_somebody_struck_from_the_cache(p):
    yield p.codes()
    p.ledger("retract", "CELLS", "--reason", "the fan had stopped")
    p.ledger("list")
    with sqlite3.connect(p.ledger_file.with_suffix(".index")) as cache:
        struck = cache.execute("DELETE FROM entry WHERE kind = 'RETRACTION'")
        assert struck.rowcount == 1
    cache.close()
    yield p.codes()


def runs(p, uri):
    """Return the indexes of the finished or attached RUN of a receipt, and of its admission."""
    with p.open() as ledger:
        (index,) = ledger.index.find("run", uri)
        admission = ledger.entry(index).body.admission
        return (index, ledger.by_id(admission).index) if admission else (index, None)


@breaks("CLM502")
def a_retracted_attachment(p):
    run, _ = runs(p, p.uri("cells"))
    p.ledger("retract", str(runs(p, p.uri("steady"))[0]), "--reason", "another file")
    yield p.codes()
    p.ledger("retract", str(run), "--reason", "the wrong file")
    yield p.codes()


@breaks("CLM503")
def a_corrected_run_of_a_window(p):
    run, _ = runs(p, p.uri("exact"))
    p.ledger("correct", str(run), "--reason", "a typo", "--affects", "title")
    yield p.codes(p.change)
    p.ledger("correct", str(run), "--reason", "another cell", "--affects", "cell")
    yield p.codes(p.change)


@breaks("CLM502")
def a_retracted_admission_of_a_window(p):
    yield p.codes(p.change)
    p.ledger("retract", str(runs(p, p.uri("exact"))[1]), "--reason", "no lease")
    yield p.codes(p.change)


@breaks("CLM501")
def a_superseded_repetition(p):
    yield p.codes(p.change)
    run, _ = runs(p, SCHEME + p.repetitions("exact")[5].digest)
    p.ledger("supersede", str(run), "--reason", "ran again", "--replacement", "CELLS")
    yield p.codes(p.change)


@breaks("CLM502")
def a_retracted_admission_of_a_repetition(p):
    yield p.codes(p.change)
    _, admission = runs(p, SCHEME + p.repetitions("exact")[5].digest)
    p.ledger("retract", str(admission), "--reason", "a neighbour ran")
    yield p.codes(p.change)


@breaks("CLM503")
def a_restated_fact(p):
    with p.open() as ledger:
        target = ledger.resolve("CELLS").id
    fields = {"kind": "CORRECTION", "targets": [target], "reason": "wrong"}
    p.append(**fields, affects=["title"], restated={"lesson": "none"})
    yield p.codes()
    p.append(**fields, affects=["title"], restated={"scope.gpu_info": "another GPU"})
    yield p.codes()


@breaks("CLM503")
def a_bar_that_is_no_metric(p):
    p.ledger("amend", "CELLS", "--reason", "the clock stepped", "--bars", "decode_tok_s")
    yield p.codes()
    p.ledger("amend", "CELLS", "--reason", "the clock stepped", "--bars", "prefill rate")
    yield p.codes()


@breaks("CLM503")
def a_corrected_entry(p):
    p.ledger("correct", "CELLS", "--reason", "a typo", "--affects", "title", "--affects", "lesson")
    yield p.codes()
    p.ledger("correct", "CELLS", "--reason", "wrong", "--affects", "delta.0.value")
    yield p.codes()


@breaks("CLM503")
def a_correction_that_does_not_say_what_it_strikes(p):
    p.ledger("correct", "CELLS", "--reason", "wrong somewhere")
    index = p.append(kind="ENTRY", label="X").index - 1
    p.ledger("retract", str(index), "--reason", "it was right after all")
    yield p.codes()
    p.ledger("correct", "CELLS", "--reason", "wrong somewhere")
    yield p.codes()


@breaks("CLM504")
def a_barred_metric(p):
    p.ledger("amend", "CELLS", "--reason", "the clock stepped", "--bars", "prefill_ms")
    yield p.codes()
    yield p.codes(metric="prefill_ms", wording=WORDS.replace(":.2f", ":.0f"))


# --- the walk over all rules ----------------------------------------------------------------------

# --- release ------------------------------------------------------------------------------------


def publishing(p):
    """Return the codes by which a good page is refused publication."""
    (p.root / "page.md").write_text(f"{SENTENCE}<!--claim:prefill-->\n", encoding="utf-8")
    result = p.claims("publish", "page.md", "--dry-run", "--json")
    return [finding["code"] for finding in json.loads(result.stdout)["findings"]]


def require_done(result):
    """Require that a command of ours did what it was asked."""
    assert result.exit_code == 0, result.output


@breaks("CLM601")
def a_publication_in_containment(p):
    p.publish(p.level)
    require_done(p.claims("lock", "set", "publish=on"))
    yield publishing(p)
    require_done(p.claims("lock", "set", "publish=off", "--reason", "not yet"))
    yield publishing(p)


@breaks("CLM601")
def a_lock_that_was_opened_with_a_key_that_was_stolen(p):
    p.publish(p.level)
    line = p.keys["second"].public.openssh
    p.append(kind="KEY", action="enrol", key=line, roles=["operator"], title="a second operator")
    require_done(p.claims("lock", "set", "publish=on", "--key", p.key_file("second")))
    with p.open() as ledger:
        signed = ledger.size - 1
    revoke(p, "second", signed + 1)
    yield publishing(p)
    revoke(p, "second", signed)
    yield publishing(p)


@breaks("CLM601")
def switches_under_a_lock_that_says_contained(p):
    p.publish(p.level)
    switched = {"kind": "LOCK", "title": "a lock", "switches": {"publish": True}}
    p.append(**switched, state="open")
    yield publishing(p)
    p.append(**switched, state="contained")
    yield publishing(p)


@breaks("CLM602")
def an_open_finding(p):
    p.publish(p.level)
    require_done(p.claims("lock", "set", "publish=on"))
    yield publishing(p)
    require_done(p.claims("findings", "open", "F1", "--severity", "low", "--title", "a typo"))
    yield publishing(p)


@breaks("CLM602")
def a_critical_finding_that_an_engineer_closes_as_a_low_one(p):
    p.publish(p.level)
    require_done(p.claims("lock", "set", "publish=on"))
    require_done(
        p.claims("findings", "open", "F1", "--severity", "critical", "--title", "it leaks")
    )
    words = ("--evidence", "receipt://cells", "--fence", "a test holds it")
    require_done(p.claims("findings", "close", "F1", *words))
    yield publishing(p)
    require_done(p.claims("findings", "open", "F1"))
    cited = [{"receipt": p.uri("cells")}]
    row = {"kind": "FINDING", "id": "F1", "status": "closed", "resolution": "it is small"}
    p.append("engineer", **row, severity="low", evidence=cited)
    yield publishing(p)


@breaks("CLM602")
def a_finding_closed_without_evidence(p):
    p.publish(p.level)
    require_done(p.claims("lock", "set", "publish=on"))
    row = {"kind": "FINDING", "id": "F1", "severity": "low"}
    p.append(**row, status="open")
    p.append(**row, status="closed", resolution="a test", evidence=[{"receipt": p.uri("cells")}])
    yield publishing(p)
    p.append(**row, status="open")
    p.append(**row, status="closed", resolution="we looked")
    yield publishing(p)


@breaks("CLM602")
def a_finding_closed_on_a_receipt_that_is_gone(p):
    p.publish(p.level)
    require_done(p.claims("lock", "set", "publish=on"))
    require_done(p.claims("findings", "open", "F1", "--severity", "low", "--title", "a typo"))
    words = ("--evidence", "receipt://steady", "--fence", "a test holds it")
    require_done(p.claims("findings", "close", "F1", *words))
    yield publishing(p)
    p.file_of(p.uri("steady")).unlink()
    yield publishing(p)


def struck(p, *replacement):
    """Have the claim on STEADY superseded and its page written; return the page's text."""
    claim = {**p.level, "evidence": [{"entry": "STEADY"}], "repetitions": 5}
    (sentence,) = p.publish(claim)
    p.experiment("NEWER", "receipt://steady")
    (p.root / "page.md").write_text(f"Before. {sentence}<!--claim:prefill-->\n")
    require_done(p.ledger("supersede", "STEADY", "--reason", "an old build", *replacement))
    (p.root / "evidence.yaml").write_text(
        (p.root / "evidence.yaml").read_text().replace("README.md", "page.md")
    )
    require_done(p.claims("affected", "prefill", "--write"))
    return (p.root / "page.md").read_text()


@breaks("CLM604")
def a_tombstone_with_another_digit(p):
    text = struck(p)
    yield page(p, text)
    yield page(p, re.sub(r"(\d)(\.\d\d tok/s)", lambda m: f"{9 - int(m[1])}{m[2]}", text))


@breaks("CLM604")
def a_tombstone_without_its_reason(p):
    text = struck(p)
    yield page(p, text)
    yield page(p, text.replace(": an old build", ""))


@breaks("CLM604")
def a_sentence_changed_under_its_banner(p):
    text = struck(p, "--replacement", "NEWER")
    yield page(p, text)
    yield page(p, text.replace("Prefill reaches", "Prefill always reaches"))


@breaks("CLM604")
def a_tombstone_forged_with_its_checksum_over_a_number_that_never_was(p):
    text = struck(p)
    yield page(p, text)
    (found,) = notice_regions.find(text).found
    notice = Notice("prefill", "superseded", found.by, "an old build")
    assert banners.tombstone(notice, found.struck) in text
    forged = banners.tombstone(notice, "Prefill reaches 999999.99 tok/s.")
    yield page(p, f"{forged}\n")


@breaks("CLM604")
def a_tombstone_forged_with_its_checksum_and_a_kinder_reason(p):
    text = struck(p)
    yield page(p, text)
    (found,) = notice_regions.find(text).found
    notice = Notice("prefill", "superseded", found.by, "even better now")
    yield page(p, f"{banners.tombstone(notice, found.struck)}\n")


@breaks("CLM604")
def a_page_of_rejected_levers_without_the_last_of_them(p):
    p.experiment("SLOW", "receipt://cells", verdict={"outcome": "rejected"})
    require_done(p.claims("rejected", "--output", "page.md"))
    text = (p.root / "page.md").read_text()
    p.publish(p.level)
    yield page(p, text)
    p.experiment("SLOWER", "receipt://cells", verdict={"outcome": "reverted"})
    yield page(p, text)


@breaks("CLM605")
def a_banner_whose_replacement_was_retracted(p):
    text = struck(p, "--replacement", "NEWER")
    yield page(p, text)
    require_done(p.ledger("retract", "NEWER", "--reason", "worse"))
    yield page(p, text)


@breaks("CLM605")
def a_banner_whose_replacement_was_superseded_itself(p):
    text = struck(p, "--replacement", "NEWER")
    yield page(p, text)
    require_done(p.ledger("supersede", "NEWER", "--reason", "worse", "--replacement", "CELLS"))
    yield page(p, text)


@breaks("CLM605")
def a_banner_that_names_what_is_not_there(p):
    text = struck(p, "--replacement", "NEWER")
    yield page(p, text)
    (found,) = notice_regions.find(text).found
    notice = Notice("prefill", "superseded", found.by, "an old build", 4711)
    block = text[slice(*found.reach)]
    sentence = block.strip().removeprefix("Before. ").removesuffix("<!--claim:prefill-->")
    yield page(p, banners.banner(notice, [sentence]) + block)


@breaks("CLM606")
def a_tombstone_over_a_claim_that_stands(p):
    text = struck(p)
    (found,) = notice_regions.find(text).found
    yield page(p, text)
    require_done(p.ledger("retract", str(found.by), "--reason", "it was fresh"))
    yield page(p, text)


@breaks("CLM606")
def a_tombstone_by_an_entry_that_strikes_something_else(p):
    text = struck(p)
    (found,) = notice_regions.find(text).found
    yield page(p, text)
    notice = Notice("prefill", "superseded", found.by - 1, "an old build")
    yield page(p, f"{banners.tombstone(notice, found.struck)}\n")


@breaks("CLM606")
def a_banner_over_no_sentence_of_its_claim(p):
    text = struck(p, "--replacement", "NEWER")
    yield page(p, text)
    (found,) = notice_regions.find(text).found
    notice = Notice("prefill", "superseded", found.by, "an old build", found.replacement, "NEWER")
    yield page(p, f"{banners.banner(notice, [])}It stands alone.\n")


def released(p, *options):
    """Return the codes of the release check."""
    result = p.claims("release", "check", "--json", *options)
    parts = json.loads(result.stdout)["parts"]
    return [finding["code"] for part in parts for finding in part["findings"]]


def audited(p, verdict="holds"):
    """Append an auditor's entry over the ledger as it is."""
    line = p.keys["auditor"].public.openssh
    p.append(kind="KEY", action="enrol", key=line, roles=["auditor"], title="an auditor")
    with p.open() as ledger:
        head = ledger.entry(ledger.size - 1).id
    verdicts = {"evidence_verdict": verdict, "decision_verdict": "holds"}
    p.append("auditor", kind="AUDIT", head=head, checked={}, differences=[], **verdicts)


@breaks("CLM607")
def an_entry_that_no_auditor_saw(p):
    p.publish(p.level)
    require_done(p.claims("lock", "set", "publish=on"))
    audited(p)
    yield released(p, "--audited")
    p.experiment("NEWER", "receipt://steady")
    yield released(p, "--audited")


@breaks("CLM607")
def an_auditor_who_says_that_it_does_not_hold(p):
    p.publish(p.level)
    require_done(p.claims("lock", "set", "publish=on"))
    audited(p)
    yield released(p, "--audited")
    audited(p, "fails")
    yield released(p, "--audited")


# --- the register and its policy: REG-19 (CLM204), REG-26 (CLM506) and the rest ------------------

MATRIX = {
    "id": "grid",
    "kind": "matrix",
    "wording": "It runs at {ratio.min:.2f}–{ratio.max:.2f}× over {cells} depths (n = {n}).",
    "metric": "decode_tok_s",
    "statistic": "ratio_of_medians",
    "evidence": [{"entry": "ALL"}],
}


def grid(p, **times):
    """Walk a plan of several cells; the tuned arm takes so many ns; cite all windows as ALL."""
    plan = json.loads((p.root / "exact.yaml").read_text()) | {"name": "grid"}
    del plan["cell"]
    plan["baseline"]["command"][-2], plan["candidate"]["command"][-2] = "{slow}", "{quick}"
    plan["anchors"][0]["command"] = plan["baseline"]["command"]
    words = {
        cell: {"slow": f"{cell}-plain", "quick": f"at{ns}-tuned"} for cell, ns in times.items()
    }
    plan["cells"] = [{"cell": cell, "words": found} for cell, found in words.items()]
    (p.root / "grid.yaml").write_text(json.dumps(plan))
    assert p.engine("ab", "grid.yaml", "--execute", "--name", "grid").exit_code == 0
    p.experiment("ALL", *(f"receipt://grid.{cell}" for cell in times))
    for cell in times:
        p.experiment(cell.upper(), f"receipt://grid.{cell}")


def own_policy(p, **fields):
    """Write a policy pack of one's own and put it in force."""
    pack = {"version": 1, "name": "own", "about": "of a test", **fields}
    (p.root / "own.yaml").write_text(json.dumps(pack))
    p.beside["policy"] = ["own.yaml"]


@breaks("CLM202")
def a_model_that_the_policy_wants_to_read(p):
    own_policy(p, facts={"model": ["model"]}, say=["model"])
    said = "On {scope.model} decode runs at {ratio:.2f}× (n = {n})."
    scoped = {"scope": {"model": "m"}}
    yield p.codes(p.change, wording=said, **scoped)
    yield p.codes(p.change, **scoped)


@breaks("CLM202")
def a_number_in_a_table_that_does_not_say_its_model(p):
    own_policy(p, facts={"model": ["model"]}, say=["model"])
    said = "On {scope.model} it runs at {ratio:.2f}× (n = {n})."
    p.publish({**p.change, "wording": said, "scope": {"model": "m"}})
    table = "| {} | a |\n|---|---|\n| x | 1.25×<!--claim:tuned--> |\n"
    yield page(p, table.format("model m"))
    yield page(p, table.format("model"))


@breaks("CLM204")
def sides_of_a_ratio_that_were_set_up_apart(p):
    yield p.codes(p.change)
    plan = json.loads((p.root / "exact.yaml").read_text())
    words = plan["candidate"]["command"][:-2]
    deeper = {"arm": "tuned", "command": [*words, "deeper-tuned", "{raw}"]}
    yield p.codes(p.change, evidence=rewalk(p, "DEEPER", candidate=deeper))


@breaks("CLM201")
def a_side_that_is_not_what_its_scope_says(p):
    sides = {"baseline_scope": {"variant": "plain"}, "candidate_scope": {"variant": "tuned"}}
    yield p.codes(p.change, **sides)
    yield p.codes(p.change, **sides | {"candidate_scope": {"variant": "tuned-2"}})


@breaks("CLM210")
def a_comparator_of_another_commit(p):
    one = {"name": "the plain loop", "commit": "0a1b2c3"}
    yield p.codes(p.change, comparator=one)
    yield p.codes(p.change, comparator={**one, "commit": "0a1b2c4"})


@breaks("CLM210")
def a_comparator_that_is_months_old(p):
    own_policy(p, comparator_days=3650)
    one = {"name": "the plain loop", "commit": "0a1b2c3", "date": "2026-08-01"}
    yield p.codes(p.change, comparator=one)
    yield p.codes(p.change, comparator={**one, "date": "2009-08-01"})


@breaks("CLM214")
def a_pair_that_lost_and_is_not_shown(p):
    plan = json.loads((p.root / "exact.yaml").read_text())
    words = plan["candidate"]["command"][:-2]
    cross = {"arm": "tuned", "command": [*words, "cross-tuned", "{raw}"]}
    cited = rewalk(p, "CROSS", candidate=cross, cv_limit=None)
    shown = "It runs at {ratio:.2f}×, {pair.min:.2f}× in its worst pair (n = {n})."
    yield p.codes(p.change, evidence=cited, wording=shown)
    yield p.codes(p.change, evidence=cited)


@breaks("CLM214")
def a_mean_over_cells_without_its_minimum(p):
    grid(p, shallow=800, deep=900)
    mean = "It runs at a mean {ratio.mean:.2f}×, at least {ratio.min:.2f}× (n = {n})."
    yield p.codes(MATRIX, wording=mean)
    yield p.codes(MATRIX, wording="It runs at a mean {ratio.mean:.2f}× (n = {n}).")


@breaks("CLM014")
def a_number_of_two_readings_on_a_page_with_a_decimal_comma(p):
    p.publish(p.level)
    german = "---\nlocale: de\n---\n\nIn 3 runs: {} tok/s<!--claim:prefill--> dort.\n"
    yield page(p, german.format("163,8"))
    yield page(p, german.format("163.8"))


@breaks("CLM217")
def a_number_of_one_chip_beside_the_name_of_another(p):
    told = {"scope": {"lane": "greedy", "gpu": "H100"}}
    p.publish({**p.change, "evidence": rewalk(p, "CHIP", **told)})
    yield page(p, "On an H100 it gains 25 %<!--claim:tuned--> here.\n")
    yield page(p, "On an RTX 4090 it gains 25 %<!--claim:tuned--> here.\n")


@breaks("CLM216")
def a_margin_that_no_plan_declared(p):
    plan = json.loads((p.root / "exact.yaml").read_text())
    words = plan["baseline"]["command"][:-2]
    same = {"arm": "tuned", "command": [*words, "same-tuned", "{raw}"]}
    said = "Decode is unchanged at {ratio:.3f}×, alike within ±{margin:.0f} % (n = {n})."
    claim = {**p.change, "wording": said, "margin": "0.03"}
    declared = {"lane": "greedy", "equivalence_margin": "0.03"}
    yield p.codes(claim, evidence=rewalk(p, "EVEN", candidate=same, scope=declared))
    yield p.codes(claim, evidence=rewalk(p, "LATE", candidate=same))


@breaks("CLM215")
def cells_that_are_left_out_in_silence(p):
    grid(p, shallow=800, deep=900)
    some = {"evidence": [{"entry": "SHALLOW"}], "cells": ["shallow"]}
    told = MATRIX["wording"].replace("{cells} depths", "{cells} of {cells.planned} depths")
    yield p.codes(MATRIX, wording=told, **some)
    yield p.codes(MATRIX, **some)


@breaks("CLM324")
def a_cell_of_the_plan_that_nobody_cites(p):
    grid(p, shallow=800, deep=900)
    yield p.codes(MATRIX)
    yield p.codes(MATRIX, evidence=[{"entry": "SHALLOW"}])


@breaks("CLM325")
def a_matrix_of_two_walks(p):
    grid(p, shallow=800, deep=900)
    yield p.codes(MATRIX)
    yield p.codes(MATRIX, evidence=[{"entry": "ALL"}, {"entry": "EXACT"}])


@breaks("CLM405")
def a_target_that_is_told_as_a_fact(p):
    target = {**p.change, "evidence": [], "tag": "target", "wording": "Target: twice the rate."}
    yield p.codes(target)
    yield p.codes(target, wording="Twice the rate is measured, as was the target.")


@breaks("CLM408")
def what_nobody_claims(p):
    p.beside["negative_space"] = [{"phrase": "sampled decoding", "note": "only greedy was run"}]
    words = "Prefill reaches {value:.2f} {unit} (median of {n} repetitions), {}."
    yield p.codes(wording=words.replace("{}", "and nothing of sampled decoding"))
    yield p.codes(wording=words.replace("{}", "sampled decoding included"))


@breaks("CLM408")
def a_page_that_says_what_nobody_claims(p):
    p.beside["negative_space"] = [{"phrase": "sampled decoding"}]
    p.publish(p.level)
    yield page(p, f"{SENTENCE}<!--claim:prefill-->\n\nWe never tried sampled  decoding.\n")
    yield page(p, f"{SENTENCE}<!--claim:prefill-->\n\nIt does sampled\n*decoding* too.\n")


@breaks("CLM410")
def a_result_without_the_footnote_that_names_it(p):
    own_policy(p, footnote=True)
    p.publish(p.level)
    note = f"[^r]\n\n[^r]: {p.uri('cells')}\n"
    yield page(p, f"{SENTENCE}<!--claim:prefill-->{note}")
    yield page(p, f"{SENTENCE}<!--claim:prefill-->\n")


@breaks("CLM410")
def a_result_that_nobody_audited_and_that_does_not_say_so(p):
    own_policy(p, unverified="unverified")
    words = "Prefill reaches {value:.2f} {unit} (median of {n} repetitions, unverified)."
    yield p.codes(wording=words)
    yield p.codes()


@breaks("CLM410")
def a_derived_figure_that_passes_for_the_benchmarks_own(p):
    own_policy(p, primary=["ttft_ms"])
    words = "Prefill reaches {value:.2f} {unit} (median of {n} repetitions, derived)."
    yield p.codes(wording=words, derived="prompt tokens over the time of the prefill")
    yield p.codes(derived="prompt tokens over the time of the prefill")


@breaks("CLM410")
def a_difference_between_the_sides_that_is_not_named(p):
    own_policy(p, differences=True)
    sides = {"baseline_scope": {"variant": "plain"}, "candidate_scope": {"variant": "tuned"}}
    yield p.codes(p.change, **sides)
    yield p.codes(p.change)


@breaks("CLM411")
def a_win_without_the_miss_of_the_same_walk(p):
    own_policy(p, misses_with_wins=True)
    grid(p, shallow=800, deep=1200)
    win = {**p.change, "evidence": [{"entry": "SHALLOW"}]}
    miss = {**p.change, "id": "deep", "evidence": [{"entry": "DEEP"}]}
    miss["wording"] = "At depth it runs at {ratio:.2f}× (n = {n})."
    won, lost = p.publish(win, miss)
    yield page(p, f"{won}<!--claim:tuned-->\n\n{lost}<!--claim:deep-->\n")
    yield page(p, f"{won}<!--claim:tuned-->\n")


BARRED = {"value": "163.77", "unit": "tok/s", "reason": "retired-baseline", "note": "the fan"}


@breaks("CLM505")
def a_barred_number_in_a_claim(p):
    p.beside["barred"] = [{**BARRED, "value": "163.78"}]
    yield p.codes()
    p.beside["barred"] = [BARRED]
    yield p.codes()


@breaks("CLM505")
def a_barred_number_in_a_picture(p):
    p.beside["barred"] = [{**BARRED, "value": "9.5", "unit": "×"}]
    p.publish(p.level)
    yield page(p, f"{SENTENCE}<!--claim:prefill-->\n\n![a plot](x.png)\n")
    yield page(p, f"{SENTENCE}<!--claim:prefill-->\n\n![9.5x at once](x.png)\n")


@breaks("CLM505")
def a_barred_number_of_this_metric_alone(p):
    p.beside["barred"] = [{**BARRED, "metric": "decode_tok_s"}]
    yield p.codes()
    p.beside["barred"] = [{**BARRED, "metric": "prefill_tok_s", "cell": "pp2048"}]
    yield p.codes()


@breaks("CLM506")
def a_claim_that_was_withdrawn(p):
    p.publish(p.level)
    yield page(p, f"{SENTENCE}<!--claim:prefill-->\n")
    gone = {"id": "prefill", "sentence": SENTENCE, "reason": "the fan had stopped"}
    p.beside["withdrawn"] = [gone]
    p.write()
    yield page(p, f"{SENTENCE}<!--claim:prefill-->\n")


CASES = [(code, pair) for code, pairs in PAIRS.items() for pair in pairs]


@pytest.mark.parametrize(
    ("code", "pair"), CASES, ids=[f"{code}-{pair.__name__}" for code, pair in CASES]
)
def test_a_rule_refuses_its_breach_by_its_own_code_and_lets_the_honest_twin_pass(
    code, pair, publisher
):
    honest, breach = pair(publisher)
    assert honest == []
    assert breach == [code]


def test_every_rule_has_a_pair_and_every_pair_a_rule():
    assert set(PAIRS) == set(rules.RULES)


# --- the rules of the format pages ----------------------------------------------------------------

GOOD = "Prefill reaches {value:.2f} {unit} (median of {n} repetitions)."
# docs/reference/formats/register.md: id of the rule, change of the claim, what is said of the file.
MALFORMED = [
    ("REG-1", {"speed": "35.2"}, "claims.0.speed: unknown field"),
    ("REG-1", {"metric": None}, "claims.0.metric: is missing"),
    ("REG-1", {"cv_limit": "-0.1"}, "claims.0.cv_limit: must not be below zero"),
    ("REG-1", {"repetitions": "6.0"}, "claims.0.repetitions: must be a whole number"),
    ("REG-2", {"value": "35.2"}, "claims.0.value: unknown field"),
    ("REG-3", {"id": "two words"}, "claims.0.id: is not of the required form"),
    (
        "REG-4",
        {"kind": "change", "wording": "{ratio:.2f}×"},
        "takes the statistic ratio_of_medians",
    ),
    ("REG-4", {"statistic": "ratio_of_medians"}, "takes the statistic median, mean, min or max"),
    ("REG-5", {"wording": "{value.__class__}"}, "unknown hole {value.__class__}"),
    ("REG-5", {"wording": "{value!r} {unit}"}, "a brace that is no hole"),
    ("REG-5", {"wording": "{{value:.1f}} {unit}"}, "a brace that is no hole"),
    ("REG-5", {"wording": "{value:.1f}} {unit}"}, "a brace that is no hole"),
    ("REG-5", {"wording": "{ratio:.1f}× of {n}"}, "unknown hole {ratio}"),
    ("REG-6", {"wording": "It reaches 35.2 tok/s."}, "typed number '35.2'"),
    ("REG-6", {"wording": "It reaches 35.2 {unit}."}, "typed number '35.2'"),
    ("REG-6", {"wording": "It reaches 1{value:.1f} {unit}."}, "a digit that touches a hole"),
    ("REG-14", {"wording": "At least {min:.1f} {unit} of {n} runs."}, "wording lacks {value}"),
    ("REG-14", {"wording": "It was run {n} times."}, "wording lacks {value}"),
    ("REG-15", {"wording": f"{GOOD} So it holds."}, "more than one sentence"),
    ("REG-15", {"wording": f"With CUDA, etc. {GOOD}"}, "the first is 'With CUDA, etc.'"),
]


@pytest.mark.parametrize(("rule", "changes", "told"), MALFORMED)
def test_reg_a_register_that_breaks_its_format_is_exit_4_with_file_line_and_column(
    rule, changes, told, shared_publisher
):
    """REG-1 to REG-6, REG-14 and REG-15."""
    claim = {**shared_publisher.level, **changes}
    shared_publisher.write({name: value for name, value in claim.items() if value is not None})
    result = shared_publisher.claims("render")
    assert (result.exit_code, result.stdout) == (4, "")
    assert result.stderr.startswith("claims: claims.yaml:1:")
    assert told in result.stderr


def test_reg_3_an_id_stands_once_in_all_registers(shared_publisher):
    shared_publisher.write(shared_publisher.level, shared_publisher.level)
    result = shared_publisher.claims("render")
    assert result.exit_code == 4
    assert "claim prefill stands at claims.yaml:1:27 too" in result.stderr


@pytest.mark.parametrize(("tokens", "shown"), [(125, "0.12"), (135, "0.14"), (126, "0.13")])
def test_reg_7_a_number_is_rounded_half_even(tokens, shown, publisher):
    record = json.loads((publisher.root / "steady").read_bytes())
    record |= {"n_prompt": tokens, "samples_ns": [10**12], "samples_ts": [tokens / 1000]}
    raw = publisher.place.objects.put(json.dumps(record).encode())
    made = publisher.receipt("steady").predicate
    publisher.experiment("TIE", publisher.forge({"raw": raw}, made, by="engineer"))
    words = {"wording": "{value:.2f} {unit} (single sample).", "repetitions": 1}
    done = publisher.judge(**words, evidence=[{"entry": "TIE"}])
    assert done.sentence == f"{shown} tok/s (single sample)."


CITED = {"entry": "CELLS", "select": {"n_ubatch": 512}}
# Id of the rule, change of the claim, code of the refusal.
REFUSED = [
    ("REG-8", {"repetitions": 4}, "CLM305"),
    ("REG-8", {"wording": "Prefill reaches {value:.2f} {unit}."}, "CLM305"),
    ("REG-9", {"scope": {"n_ubatch": 256}}, "CLM201"),
    ("REG-9", {"scope": {"humidity": "40"}}, "CLM201"),
    ("REG-9", {"scope": {"humidity": "*"}}, "CLM203"),
    ("REG-9", {"wording": f"On every model: {GOOD}"}, "CLM203"),
    ("REG-10", {"cv_limit": "0.02"}, "CLM306"),
    ("REG-11", {"must_retain": ["cold start"]}, "CLM402"),
    ("REG-11", {"forbidden": ["reaches"]}, "CLM403"),
    ("REG-12", {"tag": "mock"}, "CLM405"),
    ("REG-13", {"approval": True}, "CLM401"),
    ("REG-8", {"wording": "Prefill reaches {value:.2f} {unit} on {n} GPUs."}, "CLM305"),
    ("REG-10", {"cv_limit": "0"}, "CLM306"),
    ("REG-16", {"wording": GOOD.replace("{unit}", "ms")}, "CLM104"),
    ("REG-16", {"wording": GOOD.replace("f}", "f}k")}, "CLM104"),
    ("REG-17", {"wording": GOOD.replace("median", "mean")}, "CLM205"),
    ("REG-17", {"wording": GOOD.replace("reaches", "reaches up to")}, "CLM205"),
    ("REG-18", {"evidence": [{"entry": "CELLS"}]}, "CLM317"),
    ("REG-18", {"evidence": [{**CITED, "arm": "tuned"}]}, "CLM317"),
]


@pytest.mark.parametrize(("rule", "changes", "code"), REFUSED)
def test_reg_a_claim_that_breaks_a_rule_is_refused_by_its_code(
    rule, changes, code, shared_publisher
):
    """REG-8 to REG-13 and REG-16 to REG-18."""
    assert shared_publisher.codes() == []
    assert shared_publisher.codes(**changes) == [code]


# docs/reference/formats/markers.md: id of the rule, the page, its codes.
PAGES = [
    ("MRK-1", f"{SENTENCE}<!-- claim: prefill -->", []),
    ("MRK-1", f"{SENTENCE}<!--claim:prefill--> So.<!--claim:a b-->", ["CLM012"]),
    ("MRK-1", f"{SENTENCE}<!--claim:prefill--> So.<!--Claim:prefill-->", ["CLM012"]),
    ("MRK-2", f"{SENTENCE} <!--claim:prefill--> So.", ["CLM101", "CLM101", "CLM012"]),
    ("MRK-2", f"{SENTENCE}\n\n<!--claim:prefill-->", ["CLM101", "CLM101", "CLM012"]),
    ("MRK-3", f"<!--claim:prefill-->{SENTENCE}", ["CLM012", "CLM101", "CLM101"]),
    ("MRK-4", f"It took 5 ms. {SENTENCE}<!--claim:prefill-->", ["CLM101"]),
    ("MRK-4", f"{SENTENCE}<!--claim:prefill--> 5 ms<!--claim:prefill--> so.", ["CLM102"]),
    ("MRK-5", f"{SENTENCE}<!--claim:prefix-->", ["CLM010"]),
    ("MRK-6", f"{SENTENCE}<!--claim:refused-->", ["CLM401"]),
    ("MRK-7", f"> *{SENTENCE}*<!--claim:prefill-->", []),
    ("MRK-7", f"{SENTENCE[:-1]}!<!--claim:prefill-->", ["CLM404"]),
    ("MRK-7", f"{SENTENCE.replace('163', '136')}<!--claim:prefill-->", ["CLM102"]),
    ("MRK-8", "It reaches 163.8 tok/s<!--claim:prefill--> in 3 runs.", []),
    ("MRK-8", "It reaches 163.7 tok/s<!--claim:prefill--> in 3 runs.", ["CLM103"]),
    ("MRK-8", "It reaches 163.8 ms<!--claim:prefill--> in 3 runs.", ["CLM104"]),
    ("MRK-8", "It reaches 164<!--claim:prefill--> in 3 runs.", []),
    ("MRK-8", "It reaches 0.16k tok/s<!--claim:prefill--> in 3 runs.", []),
    ("MRK-8", "It reaches 167.7 tok/s<!--claim:prefill--> in 3 runs.", ["CLM102"]),
    ("MRK-8", "On any GPU 164 tok/s<!--claim:prefill--> is had in 3 runs.", ["CLM203"]),
    ("MRK-8", "| a |\n|---|\n| 163.8 tok/s<!--claim:prefill--> in 3 runs |", []),
    ("MRK-7", f"{SENTENCE[:-1]}<!--claim:prefill-->", []),
    ("MRK-7", "Decode reaches 163.77 tok/s<!--claim:prefill-->", ["CLM404"]),
    ("MRK-7", "(Decode reaches 163.77 tok/s.)<!--claim:prefill--> So.", ["CLM404"]),
    ("MRK-9", f"{SENTENCE}<!--claim:prefill--> It gains 11 %.", ["CLM101"]),
    ("MRK-12", "164 tok/s<!--claim:prefill--><!--claim:refused--> in 3 runs.", ["CLM011"]),
    ("MRK-13", f"<!-- claim: prefill -->\n{SENTENCE}", []),
    ("MRK-13", "<!-- claim: prefill -->\nIt is 164 tok/s in 3 runs.", []),
    ("MRK-13", "<!-- claim: prefill -->\nIt is 171 tok/s in 3 runs.", ["CLM102"]),
    ("MRK-14", TABLE.format("119.58"), []),
    ("MRK-14", TABLE.format("119.5"), ["CLM103"]),
    ("MRK-14", TABLE.format("120.58"), ["CLM111"]),
    ("MRK-14", TABLE.format("119.58").replace("256", "257"), ["CLM111"]),
    ("MRK-14", TABLE.format("119.58").replace("cols", "columns"), ["CLM012", *["CLM101"] * 3]),
    ("MRK-15", regions.write("prefill", SENTENCE), []),
    ("MRK-15", regions.write("prefill", SENTENCE).replace("reaches", " reaches"), ["CLM040"]),
    ("MRK-16", "A low of 161 tok/s<!--claim:prefill#min--> in 3 runs.", []),
    ("MRK-16", "Now 119.58 tok/s<!--claim:prefill@n_ubatch=256--> in 3 runs.", []),
    ("MRK-16", "Now 164 tok/s<!--claim:prefill#ratio--> in 3 runs.", ["CLM012"]),
    ("MRK-17", "Now [164 tok/s](claims.md#prefill) in 3 runs.", []),
    ("MRK-17", "Now [171 tok/s](claims.md#prefill) in 3 runs.", ["CLM102"]),
    ("MRK-18", "At least 163 tok/s<!--claim:prefill--> in 3 runs.", ["CLM110"]),
    ("MRK-18", "About 163 tok/s<!--claim:prefill--> in 3 runs.", []),
    ("MRK-18", "On average 164 tok/s<!--claim:prefill--> in 3 runs.", ["CLM205"]),
    ("MRK-18", "Now 164 tok/s<!--claim:prefill--> in 4 runs.", ["CLM305", "CLM211"]),
    ("MRK-19", "Now 163.7717 tok/s<!--claim:prefill--> in 3 runs.", ["CLM213"]),
    ("MRK-20", "Of 2,048 tokens 164 tok/s<!--claim:prefill--> in 3 runs.", []),
    ("MRK-20", "At ubatch 256, 164 tok/s<!--claim:prefill--> in 3 runs.", ["CLM201"]),
    ("MRK-21", "| a (s) | b (s) | b/a ratio |\n|---|---|---|\n| x | y | 2× |", ["CLM101"]),
    ("MRK-24", "It rises to 164 tok/s<!--claim:prefill--> in 3 runs.", []),
    ("MRK-24", "It rises by 164 tok/s<!--claim:prefill--> in 3 runs.", ["CLM105"]),
    ("MRK-25", "llama.cpp gives 164 tok/s<!--claim:prefill--> in 3 runs.", []),
    ("MRK-25", "vLLM gives 164 tok/s<!--claim:prefill--> in 3 runs.", ["CLM109"]),
    ("MRK-26", "It does not only give 164 tok/s<!--claim:prefill--> in 3 runs.", []),
    ("MRK-26", "It does not give 164 tok/s<!--claim:prefill--> in 3 runs.", ["CLM112"]),
    ("MRK-27", "| prefill, 3 runs |\n|---|\n| 164 tok/s<!--claim:prefill--> |", []),
    ("MRK-27", "| decode, 3 runs |\n|---|\n| 164 tok/s<!--claim:prefill--> |", ["CLM109"]),
    ("MRK-9", f"{SENTENCE}<!--claim:prefill--> It came on 2026-08-15.", []),
]


@pytest.fixture(scope="module")
def checked(shared_publisher):
    """Return a function that returns the codes of a page; `prefill` is approved, `refused` not."""
    p = shared_publisher
    p.publish(p.level)

    def check(text):
        p.write(p.level, {**p.level, "id": "refused"})
        return page(p, text + "\n")

    return check


@pytest.mark.parametrize(("rule", "text", "codes"), PAGES)
def test_mrk_a_page_that_breaks_a_rule_gets_its_code(rule, text, codes, checked):
    """MRK-1 to MRK-9, MRK-12 to MRK-21, MRK-24 to MRK-27; MRK-22 is CLM107 and CLM212 above."""
    assert checked(text) == codes


@pytest.mark.parametrize(
    ("rule", "data", "code"),
    [
        ("MRK-10", b"It took 5\xff ms.\n", 4),
        ("MRK-10", None, 4),
        ("MRK-11", b"Nothing to see, 2026-08-15.\n", 3),
    ],
)
def test_mrk_a_page_that_cannot_be_checked_is_no_success(rule, data, code, shared_publisher):
    """MRK-10 and MRK-11."""
    shared_publisher.write(shared_publisher.level)
    path = shared_publisher.root / "odd.md"
    path.unlink(missing_ok=True)
    if data is not None:
        path.write_bytes(data)
    assert shared_publisher.claims("check", "odd.md").exit_code == code
