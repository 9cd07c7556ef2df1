"""What reading and reconciling raw files costs against `json.loads` of the same bytes, in one run.

Nothing here gates on time: every test prints its ratio beside the goal.
"""

import json
import random
import time
import tracemalloc

import pytest

from engine.results import detect
from tests.fixtures import vllm

pytestmark = pytest.mark.bench


def cheapest(action, times):
    """Return the CPU seconds of the cheapest of so many repetitions, after one to warm up."""
    action()
    took = []
    for _ in range(times):
        start = time.process_time()
        action()
        took.append(time.process_time() - start)
    return min(took)


def reconciled(data):
    file = detect.read(data)
    return [detect.lines(file, run) for run in file.runs]


def report(what, ratio, goal):
    print(f"\n{what}: {ratio:.2f} (goal {goal})")


def records(count, repetitions=5):
    """Return a sweep of llama-bench as JSON Lines of about a kilobyte each."""
    source = random.Random(7)
    for at in range(count):
        times = [source.randrange(10**8, 2 * 10**8) for _ in range(repetitions)]
        rates = [1e9 * 128 / ns for ns in times]
        centre = sum(rates) / repetitions
        square = sum(rate * rate for rate in rates) - centre * centre * repetitions
        settings = {f"a_setting_of_the_build_{n}": n for n in range(18)}
        yield {
            "build_commit": "0123abcd",
            "build_number": 9,
            "cpu_info": "a processor",
            "model_filename": "/models/" + "m" * 120,
            "model_size": 4677120000,
            **settings,
            "n_prompt": 0,
            "n_gen": 128,
            "n_depth": at,
            "test_time": "2026-01-02T03:04:05Z",
            "avg_ns": sum(times) // repetitions,
            "stddev_ns": 1,
            "avg_ts": round(centre, 6),
            "stddev_ts": round((square / (repetitions - 1)) ** 0.5, 6),
            "samples_ns": times,
            "samples_ts": [float(f"{rate:.6g}") for rate in rates],
        }


def test_a_sweep_of_llama_bench():
    lines = [json.dumps(record).encode() for record in records(260)]
    data = b"\n".join(lines)
    alone = cheapest(lambda: [json.loads(line) for line in lines], 50)
    ours = cheapest(lambda: reconciled(data), 50)
    report(f"llama-bench of {len(data) // 1000} kB against json.loads", ours / alone, "≤ 3")


def test_a_detailed_file_of_vllm():
    data = vllm.dump(vllm.serve(count=9000, tokens=256))
    alone = cheapest(lambda: json.loads(data), 3)
    ours = cheapest(lambda: reconciled(data), 3)
    report(f"vLLM of {len(data) // 10**6} MB against json.loads", ours / alone, "≤ 3")
    tracemalloc.start()
    reconciled(data)
    peak = tracemalloc.get_traced_memory()[1] + len(data)
    tracemalloc.stop()
    report("peak memory, the file included, against the file", peak / len(data), "≤ 4")
