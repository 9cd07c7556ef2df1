"""What a run was asked to do, as ordered fields: arms that were asked different things are none.

The profile of the field's two-column tool has 26 fields, 11 of a single stream, 15 of a sweep::

    concurrency · requests · warmup_requests · input_tokens · output_tokens · temperature ·
    top_p · streaming · ignore_eos · seed · prompt_fingerprint
    sweep.workload · sweep.input_tokens · sweep.output_tokens · sweep.gpus · sweep.seed ·
    sweep.concurrencies, and for each concurrency N: sweep.cN.requests ·
    sweep.cN.warmup_requests · sweep.cN.prompt_fingerprint

Raw files know some of these under names of their own (`ALIASES`), and much besides. So the profile
of a run is every setting that its file keeps, with what its rows count (`rows`,
`input_length_sum`, `output_length_sum`, `input_lengths_sha256`), except what names the arm:
commits, builds, dates, labels. A field that one arm lacks cannot be verified; one with two values
differs.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from types import MappingProxyType
from typing import Literal, NamedTuple

from engine.results.model import Run, brief, fields
from engine.secrets import redaction
from receipts.digest import Digest

SINGLE_STREAM = (
    *("concurrency", "requests", "warmup_requests", "input_tokens", "output_tokens"),
    *("temperature", "top_p", "streaming", "ignore_eos", "seed", "prompt_fingerprint"),
)
CONCURRENCIES = (1, 8, 32)
_COMMON = ("workload", "input_tokens", "output_tokens", "gpus", "seed")
_EACH = ("requests", "warmup_requests", "prompt_fingerprint")
SWEEP = (
    *(f"sweep.{name}" for name in _COMMON),
    "sweep.concurrencies",
    *(f"sweep.c{each}.{name}" for each in CONCURRENCIES for name in _EACH),
)
DEFAULT = (*SINGLE_STREAM, *SWEEP)

ALIASES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "concurrency": (
            "max_concurrency",
            "concurrency_level",
            "loadgen.concurrency",
            "n_parallel",
        ),
        "requests": ("num_prompts", "num_requests", "request_count", "loadgen.request_count"),
        "warmup_requests": (
            *("num_warmups", "num_warmup_requests", "warmup_request_count", "warmup", "warmups"),
        ),
        "input_tokens": (
            *("n_prompt", "prompt_tokens", "input_len", "random_input_len", "isl", "pp"),
        ),
        "output_tokens": (
            *(
                "n_gen",
                "output_len",
                "random_output_len",
                "max_tokens",
                "max_new_tokens",
                "osl",
                "tg",
            ),
        ),
        "temperature": ("sampling_params.temperature",),
        "top_p": ("sampling_params.top_p",),
        "streaming": ("stream",),
        "ignore_eos": ("sampling_params.ignore_eos", "extra_request_body.ignore_eos"),
        "seed": ("random_seed", "sampling_params.seed"),
        "prompt_fingerprint": ("prompts_sha256", "prompt_sha256"),
        "workload": ("dataset_name", "dataset", "task"),
        "gpus": ("tensor_parallel_size", "tp_size", "num_gpus", "gpu_count", "tp"),
    }
)
"""Name of the field → what tools call it."""
_FIELDS = {told: name for name, aliases in ALIASES.items() for told in aliases}

_NAMES_THE_ARM = re.compile(
    r"id|version|server_version"
    r"|(?:.*[._])?(?:commit|commit_id|sha|date|datetime|time|timestamp|label|tag|variant"
    r"|build|build_number|build_commit|source|run_id|uuid)"
)
# Which run of a sweep this was, and when: of no setting, wherever a file keeps them.
_PLACES = re.compile(r"run_number|(?:.*\.)?(?:start|end)_(?:time|timestamp)")
_LENGTHS = {
    "input_length_sum": (
        *("input_lens", "input_len", "input_length", "input_sequence_length"),
        *("prompt_tokens", "prompt_n"),
    ),
    "output_length_sum": (
        *("output_lens", "output_len", "output_length", "output_sequence_length"),
        *("output_tokens", "predicted_n"),
    ),
}
_NUMBER = re.compile(r"-?\d{1,40}(?:\.\d{1,40})?", re.ASCII)


class Field(NamedTuple):
    """One setting: its name here, what the file calls it, and its value as text."""

    name: str
    told: str
    value: str


Profile = Mapping[str, Field]


class Difference(NamedTuple):
    """A field that keeps two arms apart: it differs, or one of them does not have it."""

    kind: Literal["differs", "unverifiable"]
    name: str
    sentence: str


def of_run(reader: str, run: Run) -> dict[str, Field]:
    """Return the profile of one run of a file that `reader` read."""
    told = {"tool": reader}
    told |= {name: value for name, value in fields(run).items() if not names_the_arm(run, name)}
    told |= dict(_counted(run))
    found: dict[str, Field] = {}
    for spelled, value in told.items():
        name = _FIELDS.get(spelled, spelled)
        # Where a file has both spellings, both are fields.
        name = spelled if name in found or (name != spelled and name in told) else name
        found[name] = Field(name, spelled, value)
    return found


def names_the_arm(run: Run, name: str) -> bool:
    """Say whether a fact of `run` tells which arm it is, and is free to differ for that."""
    if _PLACES.fullmatch(name):
        return True
    return name in run.identity and _NAMES_THE_ARM.fullmatch(name) is not None


def sweep(runs: Sequence[Profile]) -> dict[str, Field]:
    """Return the fields of a sweep: what all runs share, and what each concurrency had."""
    found = {}
    for name in _COMMON:
        values = {run[name].value for run in runs if name in run}
        if len(values) == 1 and all(name in run for run in runs):
            found[f"sweep.{name}"] = values.pop()
    levels = [run["concurrency"].value for run in runs if "concurrency" in run]
    if runs and len(levels) == len(runs):
        found["sweep.concurrencies"] = ",".join(dict.fromkeys(levels))
        for run, level in zip(runs, levels, strict=True):
            if levels.count(level) == 1:
                each = {f"sweep.c{level}.{name}": run[name].value for name in _EACH if name in run}
                found |= each
    return {name: Field(name, name, value) for name, value in found.items()}


def compare(a: Profile, b: Profile, variables: Collection[str] = ()) -> Iterator[Difference]:
    """Yield every field that keeps A and B apart, in the order of A, then of B.

    What is declared as a variable may differ, or be absent in one of them.
    """
    for name in dict.fromkeys((*a, *b)):
        ours, theirs = a.get(name), b.get(name)
        field = ours or theirs
        if field and not is_declared(field, variables):
            yield from _apart(field, ours, theirs)


def lacking(a: Profile, b: Profile, required: Iterable[str]) -> Iterator[Difference]:
    """Yield the required fields that are in neither arm; names are ours or those of the file."""
    known = {name for field in (*a.values(), *b.values()) for name in field[:2]}
    for name in required:
        if name not in known:
            sentence = f"{name} is in neither arm, and the profile requires it"
            yield Difference("unverifiable", name, sentence)


def is_declared(field: Field, variables: Collection[str]) -> bool:
    """Say whether one of the `variables` is this field, or a group in which it lies."""
    return any(covers(variable, name) for variable in variables for name in field[:2])


def covers(variable: str, name: str) -> bool:
    """Say whether `variable` is `name` or a part before a dot of it."""
    return name == variable or name.startswith(f"{variable}.")


def key(profile: Profile, variables: Collection[str] = ()) -> tuple[tuple[str, str], ...]:
    """Return what equal profiles have in common, the variables left out."""
    told = [field for field in profile.values() if not is_declared(field, variables)]
    return tuple(sorted((field.name, normal(field.value)) for field in told))


def normal(value: str) -> str:
    """Return one text for all spellings of a decimal number: 1, 1.0 and 1.00 are one value."""
    return f"{Decimal(value).normalize():f}" if _NUMBER.fullmatch(value) else value


def shown(value: str) -> str:
    """Return a value for a message: as it is where it is short and printable, never a secret."""
    value = redaction.told(value)
    return value if value.isprintable() and 0 < len(value) <= 60 else brief(value)


def _apart(field: Field, ours: Field | None, theirs: Field | None) -> Iterator[Difference]:
    if ours is None or theirs is None:
        has, lacks = ("A", "B") if ours else ("B", "A")
        sentence = f"{field.told} is {shown(field.value)} in {has} and absent in {lacks}"
        yield Difference("unverifiable", field.told, sentence)
    elif normal(ours.value) != normal(theirs.value):
        other = "" if ours.told == theirs.told else f"{theirs.told} "
        one, two = shown(ours.value), shown(theirs.value)
        yield Difference("differs", ours.told, f"{ours.told} is {one} in A and {other}{two} in B")


def _counted(run: Run) -> Iterator[tuple[str, str]]:
    """Yield what the rows count: how many, and how long what they asked and got was."""
    yield "rows", str(len(run.rows))
    first = run.rows[0] if len(run.rows) else {}
    for name, columns in _LENGTHS.items():
        column = next((column for column in columns if column in first), None)
        lengths = [row.get(column) for row in run.rows] if column else []
        whole = [length for length in lengths if type(length) is int]
        if whole and len(whole) == len(lengths):
            yield name, str(sum(whole))
            if name == "input_length_sum":
                text = ",".join(map(str, whole))
                yield "input_lengths_sha256", str(Digest.of(text.encode()))
