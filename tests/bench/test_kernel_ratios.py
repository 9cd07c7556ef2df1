"""Ratios of the kernels on this CPU, each within one run: `make bench`. Nothing gates on time."""

import ctypes
import shutil
import subprocess

import numpy as np
import pytest

from engine.kernel_work import KERNELS
from engine.kernels.backends import kernels, probe
from engine.kernels.contract import How
from engine.kernels.measuring import cache_of
from engine.kernels.memory import array_bytes, usable_processors
from engine.kernels.problem import SCALAR, difference, poisoned, pose

pytestmark = pytest.mark.bench

TURNS, LAUNCHES = 6, 8
# The loops that a person writes first, each as the compiler makes it. Times as in cpu.c.
SIMPLE = """
#include <stdint.h>
#include <time.h>
static int64_t now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}
static void indexed(float *restrict a, const float *restrict b, const float *restrict c, float s,
                    int64_t n) {
    for (int64_t i = 0; i < n; i++) a[i] = b[i] + s * c[i];
}
static void pointers(float *restrict a, const float *restrict b, const float *restrict c, float s,
                     int64_t n) {
    for (const float *end = b + n; b < end;) *a++ = *b++ + s * *c++;
}
static void unrolled(float *restrict a, const float *restrict b, const float *restrict c, float s,
                     int64_t n) {
    int64_t i = 0;
    for (; i + 8 <= n; i += 8)
        for (int k = 0; k < 8; k++) a[i + k] = b[i + k] + s * c[i + k];
    for (; i < n; i++) a[i] = b[i] + s * c[i];
}
int64_t simple(int which, float *a, const float *b, const float *c, float s, int64_t n) {
    int64_t begin = now();
    (which == 0 ? indexed : which == 1 ? pointers : unrolled)(a, b, c, s, n);
    return now() - begin;
}
"""


@pytest.fixture(scope="module")
def able():
    found = probe()
    if not found.available:
        pytest.skip(f"{found.reason}: nothing native was measured")
    return kernels(found)


@pytest.fixture(scope="module")
def array(able):
    return array_bytes(cache_of(probe(), usable_processors()))


@pytest.fixture(scope="module")
def simple(able, tmp_path_factory):
    folder = tmp_path_factory.mktemp("simple")
    (folder / "simple.c").write_text(SIMPLE)
    compiler = next(filter(shutil.which, ("cc", "gcc", "clang")))
    command = [compiler, "-std=gnu11", "-O3", "-march=native", "-shared", "-fPIC", "-o"]
    subprocess.run([*command, folder / "simple.so", folder / "simple.c"], check=True)
    function = ctypes.CDLL(str(folder / "simple.so")).simple
    pointers = [ctypes.c_void_p] * 3
    function.argtypes = [ctypes.c_int, *pointers, ctypes.c_float, ctypes.c_int64]
    function.restype = ctypes.c_int64
    return function


def report(what, ratio, goal):
    print(f"\n{what}: {ratio:.2f} (goal {goal})")


def median_rate(moved, times):
    return moved / float(np.median(times))


def test_triad_keeps_up_with_the_best_simple_loop(able, simple, array):
    problem = pose("triad", KERNELS["triad"].filling(array), 1)
    outputs = poisoned(problem)
    places = [outputs["a"], problem.inputs["b"], problem.inputs["c"]]
    pointers = [one.ctypes.data for one in places]
    times = {name: [] for name in ("plain", "tuned", 0, 1, 2)}
    for _ in range(TURNS):  # in turns, because the machine wanders
        for variant in ("plain", "tuned"):
            how = How(variant, 1, warmup=1, launches=LAUNCHES)
            times[variant] += able.launch(how, problem, outputs)
            assert difference(problem, outputs) is None
        for which in range(3):
            runs = [simple(which, *pointers, SCALAR, problem.sizes["n"]) for _ in range(LAUNCHES)]
            times[which] += runs
    rates = {name: median_rate(12 * problem.sizes["n"], one) for name, one in times.items()}
    best = max(rates[which] for which in range(3))
    for variant in ("plain", "tuned"):
        told = f"triad {variant} {rates[variant]:.1f} GB/s against the best simple loop {best:.1f}"
        report(f"{told}, one thread", rates[variant] / best, "≥ 0.9")


@pytest.mark.parametrize("threads", sorted({1, usable_processors()}))
def test_tuned_gemv_reads_nearly_as_fast_as_triad_moves(able, array, threads):
    names = {"triad plain": "triad", "triad tuned": "triad", "tuned": "gemv_q8_0"}
    names["plain"] = "gemv_q8_0"
    problems = {name: pose(name, KERNELS[name].filling(array), 1) for name in set(names.values())}
    outputs = {name: poisoned(problem) for name, problem in problems.items()}
    times = {name: [] for name in names}
    for _ in range(TURNS):
        for name, kernel in names.items():
            how = How(name.split()[-1], threads, warmup=1, launches=LAUNCHES)
            times[name] += able.launch(how, problems[kernel], outputs[kernel])
    rates = {
        name: median_rate(KERNELS[kernel].moved(problems[kernel].sizes), times[name])
        for name, kernel in names.items()
    }
    assert difference(problems["gemv_q8_0"], outputs["gemv_q8_0"]) is None
    gemv = f"gemv_q8_0 tuned {rates['tuned']:.1f} GB/s"
    for name, goal in (
        ("triad plain", "≥ 0.8"),
        ("triad tuned", "none: its stores skip the cache"),
    ):
        told = f"{gemv} against {name} {rates[name]:.1f}, {threads} threads"
        report(told, rates["tuned"] / rates[name], goal)
    report(f"{gemv} against gemv_q8_0 plain", rates["tuned"] / rates["plain"], "> 1")
