"""GuideLLM `benchmarks.json`: every request of every benchmark of a run, and its distributions.

    {"metadata": {"version": 2, "guidellm_version": "0.8.0"}, "config": {…}, "benchmarks": [
      {"config": {"strategy": {"type_": "constant", "rate": 2.0}, …},
       "requests": {"successful": […], "errored": [], "incomplete": […]},
       "metrics": {"request_totals": {"successful": 586, …}, "request_latency":
         {"successful": {"mean": 2.33, "median": 2.33, …, "percentiles": {"p99": 2.35, …}}, …}}}]}

Each benchmark is a run. Latency is in seconds, other times in milliseconds. Up to 0.3 there is no
`metadata`, and a benchmark has `args`, `worker` and `request_loader`; 0.4 to 0.6 write version 1
and `args`; 0.7 and later version 2 and `config`. `engine.results.guidellm_requests` has what each
averages, `engine.results.distributions` how. Three names mean other things elsewhere:

    time_per_output_token_ms   (last token - start) / tokens, the first included; up to 0.3
                               (last token - first token) / tokens; averaged by tokens
    inter_token_latency_ms     (last - first) / (tokens - 1), averaged by tokens - 1
    requests_per_second        a rate between events, averaged over time: not count / duration

Figures under `errored` are all 0.0 where nothing failed: such a zero means nothing was measured.
Source of the format: guidellm/benchmark/{benchmark,schemas,output}.py, 0.1 to 0.8.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from engine.results.content import Content
from engine.results.guidellm_requests import ITL, LATENCY, STATUSES, TPOT, TTFT, Requests
from engine.results.model import MAX_RUNS, ResultFile, Run, Settings
from engine.results.printed import figure, is_number, mapping
from engine.results.reconciliation import NOISE, Line, compared, counted, define, unavailable
from engine.results.redaction import without_secrets
from engine.results.refusals import ALL, EXCLUDE_FAILED, Note, ResultError
from engine.samples import Column

NAME = "guidellm"

_SETUP = ("worker", "request_loader", "scheduler", "benchmarker", "extras")
_SCHEDULER = ("run_stats", "scheduler_metrics")
_PARTS = frozenset({"requests", *_SCHEDULER})
_TOLD = frozenset({LATENCY, TTFT, "requests_per_second"})
_OUTCOMES = (*STATUSES, "total")
_RATES = {
    "requests_per_second": ("requests_per_s", ()),
    "output_tokens_per_second": ("output_tok_s", ("output_tokens",)),
    "tokens_per_second": ("total_tok_s", ("prompt_tokens", "output_tokens")),
}
_CONVENTIONS = {
    **dict.fromkeys(("mean", "total_sum"), "pairwise"),
    **dict.fromkeys(("variance", "std_dev"), "ddof0"),
    **dict.fromkeys(("mode", "min", "max", "count"), "exact"),
}
_NO_ROWS = "the rows are not in the file"
_MISSING = "no request has a value: 0.0 means missing"
_OVER_TIME = (
    "a rate or level between events, averaged over time; the guess is the sum over duration"
)


def recognises(content: Content) -> bool:
    """Say whether this is a report of benchmarks with GuideLLM's metrics."""
    benchmarks = content.first.get("benchmarks")
    if not isinstance(benchmarks, list):
        return False
    if "guidellm_version" in mapping(content.first.get("metadata")):
        return True
    first = mapping(benchmarks[0]) if benchmarks else {}
    return bool(first.keys() & _PARTS and mapping(first.get("metrics")).keys() & _TOLD)


def read(content: Content) -> ResultFile:
    """Return one run a benchmark; raises `ResultError` that names the benchmark."""
    documents = content.documents
    reports = [one for one in documents.values if isinstance(one.get("benchmarks"), list)]
    found = [(report, record) for report in reports for record in report["benchmarks"]]
    if not found:
        raise ResultError("no-rows", "the report holds no benchmark")
    if len(found) > MAX_RUNS:
        raise ResultError("too-large", f"{len(found)} benchmarks are over the limit")
    runs = tuple(_run(report, record, at) for at, (report, record) in enumerate(found))
    others = documents.noise + len(documents.values) - len(reports)
    told = [Note("log-noise", f"noise lines: {others} (not part of the report)")] if others else []
    if len(reports) > 1:
        told.append(
            Note("several-runs", f"{len(reports)} reports in one file, one after the other")
        )
    return ResultFile(NAME, runs, tuple(told))


def check(run: Run) -> Iterator[Line]:
    """Yield each figure of the benchmark against the same from its rows."""
    requests: Requests = run.source
    metrics = mapping(requests.record.get("metrics"))
    yield from _totals(requests, "request_totals", requests.record.get("request_totals"))
    yield from _totals(requests, "metrics.request_totals", metrics.get("request_totals"))
    yield from _scheduler(requests)
    for name, block in _blocks(metrics, ""):
        for status in _OUTCOMES:
            if isinstance(block.get(status), dict):
                yield from _summary(requests, name, status, block[status])


def _run(report: Mapping[str, Any], record: object, at: int) -> Run:
    if not isinstance(record, dict):
        raise ResultError("malformed", f"benchmark {at} is no object")
    try:
        requests = Requests(record)
        samples = _samples(requests)
    except ResultError as error:
        raise error.at(f"benchmark {at}") from error
    config, secrets = without_secrets(_config(report, record))
    return Run(
        identity=_identity(report, record),
        config=Settings(config),
        samples=samples,
        rows=requests.table(),
        reported=Settings(record, only=("duration", "warmup_duration", "cooldown_duration")),
        notes=(*_notes(requests), *secrets),
        source=requests,
    )


def _samples(requests: Requests) -> dict[str, Column]:
    found = {
        "e2e_ms": Column(requests.values(LATENCY), 1000),
        "ttft_ms": Column(requests.values(TTFT)),
        requests.generation.tpot: Column(requests.values(TPOT)),
        "guidellm_itl_ms": Column(requests.values(ITL)),
    }
    found = {name: values for name, values in found.items() if name and len(values)}
    return found | _rates(requests)


def _rates(requests: Requests) -> dict[str, Column]:
    """Return what the successful requests did over the duration, where all of them are there."""
    duration = requests.record.get("duration")
    whole = requests.kept and not requests.outside and requests.complete("successful")
    if not whole or not is_number(duration) or not duration > 0:
        return {}
    amounts = {about: _amount(requests, fields) for about, fields in _RATES.values()}
    return {
        about: Column([duration], amount, inverse=True)
        for about, amount in amounts.items()
        if amount
    }


def _amount(requests: Requests, fields: tuple[str, ...]) -> int:
    """Return how many tokens the successful requests had, 0 if unknown; or how many these were."""
    rows = requests.rows("successful")
    if not fields:
        return len(rows)
    counts = [row.get(field) for field in fields for row in rows]
    return 0 if None in counts else int(sum(filter(None, counts)))


def _identity(report: Mapping[str, Any], record: Mapping[str, Any]) -> dict[str, str]:
    config, worker = mapping(record.get("config")), mapping(record.get("worker"))
    backend, metadata = mapping(config.get("backend")), mapping(report.get("metadata"))
    args = mapping(report.get("args"))
    found = {
        "model": backend.get("model") or worker.get("backend_model") or args.get("model"),
        "target": backend.get("target") or worker.get("backend_target") or args.get("target"),
        **{name: metadata.get(name) for name in ("guidellm_version", "python_version", "platform")},
        "id": record.get("id_") or config.get("id_"),
        "run_id": record.get("run_id") or config.get("run_id"),
        "start_time": record.get("start_time"),
    }
    return {name: str(figure(value)) for name, value in found.items() if value is not None}


def _config(report: Mapping[str, Any], record: Mapping[str, Any]) -> dict[str, Any]:
    own = mapping(record.get("args")) | mapping(record.get("config"))
    own |= {name: record[name] for name in _SETUP if name in record}
    whole = mapping(report.get("args")) | mapping(report.get("config"))
    return own | ({"report": whole} if whole else {})


def _notes(requests: Requests) -> Iterator[Note]:
    claimed, failed = requests.claimed("successful"), requests.claimed("errored") or 0
    rows = len(requests.rows("successful"))
    failed = max(failed, len(requests.rows("errored")))
    if claimed == 0 or (claimed is None and requests.kept and not rows):
        yield Note("all-requests-failed", "no request succeeded: 0.0 means missing", ALL)
    elif not requests.kept:
        detail = f"{claimed or 'all'} requests succeeded, and their rows were taken out"
        yield Note("no-rows", detail, ALL)
    elif claimed is not None and rows < claimed:
        yield Note("rows-incomplete", f"{rows} of {claimed} successful requests have a row", ALL)
    elif claimed is not None and rows > claimed:
        detail = f"{rows} successful requests have a row, and {claimed} were averaged"
        yield Note("rows-inconsistent", detail, ALL)
    if failed and claimed != 0:
        detail = f"{failed} requests failed"
        yield Note("failed-rows", detail, ALL, EXCLUDE_FAILED)
    yield from _remarks(requests)


def _remarks(requests: Requests) -> Iterator[Note]:
    cut = max(requests.claimed("incomplete") or 0, len(requests.rows("incomplete")))
    if cut:
        yield Note("cut-off", f"{cut} requests were still running at the end, and are left out")
    if requests.outside:
        yield Note("warm-up", f"{requests.outside} requests are outside the measured window")
    rows = len(requests.rows("successful"))
    for field, about in ((TTFT, "ttft_ms"), (LATENCY, "e2e_ms")):
        if missing := rows - len(requests.values(field)):
            detail = f"{missing} of {rows} successful requests have no {field}, averaged as 0.0"
            yield Note("zero-is-missing", detail, frozenset({about}))


def _totals(requests: Requests, name: str, totals: object) -> Iterator[Line]:
    for status, claimed in mapping(totals).items():
        if status in _OUTCOMES and claimed is not None:
            rows = len(requests.rows(status))
            definition = define(requests.generation.tool, "requests", "count", "exact", status, "1")
            yield counted(f"{name}.{status}", figure(claimed), rows, definition)


def _scheduler(requests: Requests) -> Iterator[Line]:
    """Yield what the scheduler says about all it sent, warm-up and cool-down included."""
    for group in _SCHEDULER:
        for name, value in mapping(requests.record.get(group)).items():
            parts = value.items() if isinstance(value, dict) else [("", value)]
            for part, shown in parts:
                if is_number(shown) and (part or name.endswith("_avg")):
                    metric = ".".join(filter(None, (group, name, part)))
                    definition = define(
                        requests.generation.tool, metric, "value", "unknown", "sent", "1"
                    )
                    yield unavailable(metric, shown, definition, "the scheduler's own account")


def _blocks(metrics: Mapping[str, Any], prefix: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield each average by its dotted name, with its summaries by outcome."""
    for name, value in metrics.items():
        if isinstance(value, dict):
            if any(isinstance(value.get(status), dict) for status in _OUTCOMES):
                yield prefix + name, value
            else:
                yield from _blocks(value, f"{prefix}{name}.")


def _summary(
    requests: Requests, name: str, status: str, shown: Mapping[str, Any]
) -> Iterable[Line]:
    """Yield each statistic of one average for the requests of one outcome."""
    printed = {key: value for key, value in shown.items() if _is_statistic(key, value)}
    printed |= {k: v for k, v in mapping(shown.get("percentiles")).items() if v is not None}
    recomputed, why = _recomputed(requests, name, status)
    about = _about(requests, name) if status == "successful" else ""
    for statistic, value in printed.items():
        metric, reported = f"{name}.{status}.{statistic}", figure(value)
        definition = _definition(requests, name, status, statistic)
        if statistic in recomputed:
            line = compared(metric, reported, recomputed[statistic], definition, about)
            yield _settled(line, statistic, recomputed["mean"])
        else:
            guess = (
                _guess(requests, name) if (statistic, status) == ("mean", "successful") else None
            )
            yield unavailable(metric, reported, definition, why, guess)


def _is_statistic(name: str, value: object) -> bool:
    return value is not None and not isinstance(value, dict | list) and name != "percentiles"


def _recomputed(
    requests: Requests, name: str, status: str
) -> tuple[Mapping[str, float | int], str]:
    """Return every statistic by its name, or none and the reason."""
    if name not in requests.generation.quantities:
        over_time = name.endswith(("_per_second", "_concurrency"))
        return {}, _OVER_TIME if over_time else "this reader does not know its rows"
    if not requests.kept:
        return {}, _NO_ROWS
    if not requests.complete(status):
        return {}, f"the rows of {status} requests are not those that were averaged"
    return requests.summary(name, status), _MISSING


def _settled(line: Line, statistic: str, mean: float) -> Line:
    """Return the line; the spread of equal values is what the last bits of their mean make it."""
    power = {"std_dev": 1, "variance": 2}.get(statistic, 0)
    largest = (NOISE * abs(mean)) ** power if power else 0.0
    numbers = [line.reported, line.recomputed]
    lost = all(is_number(value) and abs(value) <= largest for value in numbers)
    return line._replace(verdict="float-noise") if lost and line.verdict == "differs" else line


def _about(requests: Requests, name: str) -> str:
    metrics = {LATENCY: "e2e_ms", TTFT: "ttft_ms", TPOT: requests.generation.tpot}
    return (metrics | {ITL: "guidellm_itl_ms"}).get(name, "")


def _definition(requests: Requests, name: str, status: str, statistic: str) -> str:
    quantity = requests.generation.quantities.get(name)
    weight = f",weight={quantity.weight}" if quantity and quantity.weight else ""
    rows = f"{status},tokens>={quantity.least}" if quantity and quantity.least else status
    convention = _CONVENTIONS.get(statistic, "inverted-cdf")
    unit = "ms" if name.endswith("_ms") else "s" if name == LATENCY else "1"
    return define(requests.generation.tool, name, statistic, convention + weight, rows, unit)


def _guess(requests: Requests, name: str) -> float | None:
    """Return the sum over duration, which a rate's average over time comes close to."""
    duration = requests.record.get("duration")
    if name not in _RATES or not requests.kept or not is_number(duration) or not duration > 0:
        return None
    return _amount(requests, _RATES[name][1]) / duration or None
