"""The registers of the self-test: what holds, and of everything that may be wrong, one claim.

A claim is called by what is wrong with it. All are approved as they read, for an approval that was
given by mistake must not save a claim, but for those that are about approval.
"""

from collections.abc import Mapping
from typing import Any

from claims.selftest.scene import GRID

Fields = dict[str, Any]

CHANGE = "The tuned decoder runs at {ratio:.2f}× the plain one (n = {n})."
EVEN = "Decode is unchanged at {ratio:.3f}×, alike within ±{margin:.0f} % (n = {n})."
LEVEL = "Prefill reaches {value:.1f} {unit} (median of {n} runs)."
OWN_PACK = "{version: 1, name: own, about: a win with its misses, misses_with_wins: true}"
METHOD = """\
# Method

## 1. Warm-up

One request is thrown away before each repetition, and **never** timed.

## 2. Order of the arms

The arms alternate, so that drift falls on both alike.

## 3. Notes

One.

## 4. Notes

Two.
"""


def change(name: str, entry: str = "MAIN", **fields: Any) -> Fields:
    """Return a claim about two arms."""
    return {
        "id": name,
        "kind": "change",
        "wording": CHANGE,
        "metric": "decode_tok_s",
        "statistic": "ratio_of_medians",
        "evidence": [{"entry": entry}],
        **fields,
    }


def even(name: str, entry: str = "EVEN", **fields: Any) -> Fields:
    """Return a claim that nothing changed by more than two per cent."""
    return change(name, entry, **{"wording": EVEN, "margin": "0.02", **fields})


def level(name: str, entry: str = "STEADY", **fields: Any) -> Fields:
    """Return a claim about one arm."""
    return {
        "id": name,
        "kind": "level",
        "wording": LEVEL,
        "metric": "prefill_tok_s",
        "statistic": "median",
        "evidence": [{"entry": entry}],
        **fields,
    }


def rate(name: str, arm: str) -> Fields:
    """Return a claim about the rate of one arm of the window."""
    words = f"The {arm} decoder reaches {{value:.1f}} {{unit}} (median of {{n}} runs)."
    evidence = [{"entry": "MAIN", "arm": arm}]
    return level(name, metric="decode_tok_s", wording=words, evidence=evidence)


def few(name: str, **fields: Any) -> Fields:
    """Return a claim of three repetitions."""
    evidence = [{"entry": "CELLS", "select": {"n_ubatch": 512}}]
    return level(name, **{"evidence": evidence, "repetitions": 3, **fields})


def grid(name: str, *entries: str, **fields: Any) -> Fields:
    """Return a claim over the cells of a plan."""
    words = "Over {cells} cells it runs at {ratio.min:.2f}–{ratio.max:.2f}× (n = {n})."
    evidence = [{"entry": entry} for entry in entries]
    told = {"kind": "matrix", "wording": words, "evidence": evidence}
    return change(name, **{**told, **fields})


def stated(name: str, tag: str, wording: str) -> Fields:
    """Return a claim that nobody measured."""
    return level(name, tag=tag, wording=wording, evidence=[])


_HOLDING = (
    change("tuned"),
    change("loss", "LOSS"),
    change("in-words", wording="Tuned is faster than plain."),
    rate("tuned-rate", "tuned"),
    rate("plain-rate", "plain"),
    level("steady"),
    few("few"),
    grid("grid", "GRID"),
    level(
        "mean",
        statistic="mean",
        wording="On average prefill reaches {value:.1f} {unit} ({n} runs).",
    ),
    level(
        "least",
        statistic="min",
        wording="Prefill reaches at least {value:.1f} {unit} ({n} runs).",
    ),
    level("most", statistic="max", wording="Prefill peaks at {value:.1f} {unit} ({n} runs)."),
    change("scoped", scope={"depth": "2048"}),
    change(
        "sided",
        baseline_scope={"variant": "plain"},
        candidate_scope={"variant": "tuned"},
    ),
    change("limited", cv_limit="0.05"),
    level(
        "retaining",
        must_retain=["synthetic"],
        wording="On synthetic prompts prefill reaches {value:.1f} {unit} (n = {n}).",
    ),
    level("on-a-model", "SCOPED", scope={"model": "Llama-3.1-8B"}),
    few("narrow", evidence=[{"entry": "CELLS", "select": {"n_ubatch": 256}}]),
    level("quantized", "QUANTIZED"),
    level("cached", "CACHED", scope={"kv": "f16"}),
    level("cached-small", "CACHED-SMALL", scope={"kv": "q8_0"}),
    level("forbidding", forbidden=["lossless"]),
    even("even"),
    change("compared", comparator={"name": "the plain loop", "commit": "0a1b2c3"}),
    stated("target", "target", "The target is twice that."),
    grid(
        "some-cells",
        "SHORT",
        cells=[GRID[0]],
        wording="It runs at {ratio.min:.2f}× in {cells} of {cells.planned} cells (n = {n}).",
    ),
    change(
        "crossing-shown",
        "CROSSING",
        wording="It runs at {ratio:.2f}×, one pair at {pair.min:.2f}× (n = {n}).",
    ),
)
_CHAIN = tuple(
    level(label.lower(), label)
    for label in (
        "OPEN", "BARE", "VOID", "RAW-GONE", "RAW-CHANGED", "RECEIPT-GONE", "MISPRINTED", "REPLACED",
        "TAKEN-BACK", "CONTESTED", "BARRED", "BETTER", "OUTDATED",
    )
)  # fmt: skip
_WINDOWS = tuple(
    change(label.lower(), label)
    for label in (
        "STRANGER", "UNRECORDED", "NOISY", "OTHER", "FLAT", "UNANCHORED", "FLOORED", "SIBLING",
        "MISPLANNED", "ELSEWHERE", "IDLE", "ADMITS", "CROSSING", "BLIND",
    )
)  # fmt: skip
_FIELDS = (
    level("no-entry", "J99"),
    level("other-receipt", evidence=[{"entry": "STEADY", "receipt": "receipt://cells"}]),
    level("no-cell", evidence=[{"entry": "CELLS", "select": {"n_ubatch": 1024}}], repetitions=3),
    level("several-cells", "CELLS", repetitions=3),
    rate("no-arm", "quick"),
    level("no-metric", metric="ttft_ms"),
    change("unplanned-metric", metric="prefill_tok_s"),
    {**few("too-few"), "repetitions": 5},
    few("few-unsaid", wording="Prefill reaches {value:.1f} {unit}."),
    level("tail", statistic="p99", wording="At p99 prefill reaches {value:.1f} {unit} ({n} runs)."),
    change("other-scope", scope={"depth": "4096"}),
    change("no-such-fact", scope={"colour": "red"}),
    change("one-sided", scope={"variant": "tuned"}),
    level("faster-level", wording="Faster prefill: {value:.1f} {unit} (median of {n} runs)."),
    change("in-words-swapped", wording="Plain is faster than tuned."),
    change("in-no-words", wording="Tuned was run {n} times."),
    change(
        "everywhere",
        wording="On every GPU the tuned decoder runs at {ratio:.2f}× the plain one (n = {n}).",
    ),
    level("upto", wording="Prefill reaches up to {value:.1f} {unit} ({n} runs)."),
    level("averaged", wording="On average prefill reaches {value:.1f} {unit} ({n} runs)."),
    level("on-other-hardware", wording=f"On an RTX 4090, {LEVEL}"),
    level("of-other-model", "SCOPED", wording=f"With Llama-3.1-70B, {LEVEL}"),
    level("wrong-unit", wording="Prefill reaches {value:.1f} ms (median of {n} runs)."),
    change("wrong-form", wording="The tuned decoder runs at {ratio:.2f} % of it (n = {n})."),
    change("faster-loss", "LOSS", wording="The tuned decoder is faster: {ratio:.2f}× (n = {n})."),
    level("not-retaining", must_retain=["synthetic"]),
    level("forbidden", forbidden=["reaches"]),
    even("margin-undeclared", "FLAT"),
    even("margin-of-another-plan", margin="0.05"),
    even("margin-exceeded", "UNEVEN"),
    change("no-margin", wording="No regression: decode runs at {ratio:.2f}× (n = {n})."),
    even("margin-unsaid", wording="Decode is unchanged at {ratio:.3f}× (n = {n})."),
    even("margin-of-a-win", wording=f"Decode is faster: {EVEN.removeprefix('Decode is ')}"),
    change(
        "turned-round", wording="The plain decoder runs at {ratio:.2f}× the tuned one (n = {n})."
    ),
    change("told-a-loss", wording="The tuned decoder is {percent:.0f} % slower (n = {n})."),
    level("other-metric", wording="Decode reaches {value:.1f} {unit} (median of {n} runs)."),
    level("more-runs", wording="Prefill reaches {value:.1f} {unit} (median of 50 runs)."),
    level("too-fine", wording="Prefill reaches {value:.6f} {unit} (median of {n} runs)."),
    level("other-batch", wording=f"With a ubatch of 4096, {LEVEL}"),
    level("unsaid-most", statistic="max", wording="Prefill reaches {value:.1f} {unit} ({n} runs)."),
    grid("more-cells", "GRID", wording="Over 9 cells it gives {ratio.min:.2f}–{ratio.max:.2f}×."),
    change("other-commit", comparator={"name": "the plain loop", "commit": "fffffff"}),
    stated("upgraded", "target", "It is measured at twice that."),
    stated("unlabelled", "roadmap", "It gives twice that."),
    level(
        "unclaimed", wording="Battery life aside, prefill reaches {value:.1f} {unit} ({n} runs)."
    ),
    grid("missing-cell", "SHORT"),
    grid("surplus-cell", "GRID", cells=[GRID[0]]),
    grid("two-plans", "MAIN", "LOSS"),
    grid(
        "unsaid-cells", "SHORT", cells=[GRID[0]], wording="It runs at {ratio.min:.2f}× (n = {n})."
    ),
    level("unapproved"),
    level("reworded"),
    level("unapproving"),
)
_BESIDE: Mapping[str, Any] = {
    "barred": [
        {"value": "3.2", "unit": "×", "reason": "retired-baseline", "note": "its anchor missed"}
    ],
    "negative_space": [{"phrase": "battery life", "note": "nobody measured it"}],
    "withdrawn": [
        {"id": "gone", "sentence": "It runs at twice that.", "reason": "the fan had stopped"},
        {
            "id": "once",
            "sentence": "It ran at 3.2× the plain loop.",
            "reason": "its anchor missed",
            "replaced_by": "tuned",
        },
    ],
}

_STRICT_WORDS = (
    "With {scope.model} on an {scope.gpu} it decodes {ratio:.2f}× as fast as {comparator.name} at "
    "{comparator.commit} (n = {n})."
)
_STRICT: Fields = {
    "scope": {"model": "Llama-3.1-8B", "gpu": "H100"},
    "comparator": {"name": "the plain loop", "commit": "0a1b2c3", "date": "TODAY"},
}
UNAPPROVED = ("unapproved",)


def main() -> Fields:
    """Return the register that almost every attack is made on."""
    claims = [*_HOLDING, *_CHAIN, *_WINDOWS, *_FIELDS]
    return {"version": 1, "claims": claims, **_BESIDE}


def strict(today: str) -> Fields:
    """Return a register under the policy `strict`."""
    dated = {**_STRICT["comparator"], "date": today}
    old = {**dated, "date": "2020-01-01"}
    said = {**_STRICT, "comparator": dated}
    claims = [
        change("strict", wording=_STRICT_WORDS, **said),
        change("no-hardware", wording=_STRICT_WORDS.replace(" on an {scope.gpu}", ""), **said),
        change("no-model", wording=_STRICT_WORDS.replace("With {scope.model} on", "On"), **said),
        change("no-n", wording=_STRICT_WORDS.replace(" (n = {n})", ""), **said),
        change("old", wording=_STRICT_WORDS, **{**said, "comparator": old}),
        change("nothing-compared", scope=_STRICT["scope"], wording=CHANGE),
    ]
    return {"version": 1, "policy": ["strict"], "claims": claims}


def messaging() -> Fields:
    """Return a register under the policy `mlperf-messaging`."""
    words = (
        "Unverified, derived: on {scope.cell}, {scope.lane}, an {scope.gpu} with {scope.model} "
        "prefills {value:.1f} {unit} (n = {n})."
    )
    scope = {"cell": "pp2048", "lane": "offline", "gpu": "H100", "model": "Llama-3.1-8B"}
    said = {"scope": scope, "derived": "samples_ns and n_prompt"}
    claims = [
        level("messaging", "SCOPED", wording=words, **said),
        level("verified", "SCOPED", wording=words.replace("Unverified, d", "D"), **said),
        level("underived", "SCOPED", wording=words.replace("derived", "so"), **said),
    ]
    return {"version": 1, "policy": ["mlperf-messaging"], "claims": claims}


def misses() -> Fields:
    """Return a register under a policy of its own: no win without its misses."""
    claims = [change("short", "SHORT"), grid("whole", "GRID")]
    return {"version": 1, "policy": ["own.yaml"], "claims": claims}


def dated(day: str) -> Fields:
    """Return a register of two windows of one cell."""
    words = "On {day} it ran at {{ratio:.2f}}× ({{pair.min:.2f}}–{{pair.max:.2f}}, n = {{n}})."
    claims = [
        change("first", "FIRST", wording=words.format(day=day)),
        change("second", "SECOND", wording=words.format(day=day)),
        change("undated", "SECOND", wording=CHANGE),
    ]
    return {"version": 1, "claims": claims}
