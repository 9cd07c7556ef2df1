"""The kernels as a program, and what it does where something is missing."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from engine.kernel_work import KERNELS
from engine.kernels.backends import NUMPY, find, probe
from engine.kernels.bench import BACKENDS, main
from engine.kernels.compiler import SOURCES
from engine.kernels.contract import How, UnavailableError
from engine.kernels.measuring import Request, complete, measure
from engine.kernels.memory import LEAST_ARRAY, MOST_ARRAY, array_bytes, last_level_cache
from engine.kernels.program import write_rows
from engine.kernels.toolchains import TOOLCHAINS
from engine.results import detect
from receipts.errors import VerificationError

REPOSITORY = Path(__file__).parents[2]
FOLDER = REPOSITORY / "engine" / "kernels"
SIZES = {
    name: {"n": 4096} if "n" in one.limits else {"rows": 40, "columns": 64}
    for name, one in KERNELS.items()
}


@pytest.fixture
def compiler(monkeypatch, tmp_path_factory):
    if not any(map(shutil.which, ("cc", "gcc", "clang"))):
        pytest.skip("no C compiler on PATH: the C kernels were not run")
    for name in ("CC", "EVIDENCE_NO_COMPILER"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.getbasetemp() / "kernel-cache"))


ARRAY = 40_000  # bytes: what limits the others need not be past the caches here


def words(name, raw, *more):
    sizes = [word for key, value in SIZES[name].items() for word in (f"--{key}", str(value))]
    few = ["--launches", "3", "--repetitions", "2", "--warmup", "1"]
    return [name, *sizes, *few, "--raw", str(raw), *more]


@pytest.mark.parametrize("name", KERNELS)
@pytest.mark.parametrize("variant", ["plain", "tuned"])
def test_what_is_measured_is_read_with_its_build_and_its_limit(compiler, tmp_path, name, variant):
    found = probe()
    how = How(variant, 2, warmup=1, launches=3)
    write_rows(tmp_path / "rows", measure(Request(name, how, SIZES[name], 0, 2, ARRAY), found))
    [run] = detect.read((tmp_path / "rows").read_bytes()).runs
    assert run.identity["backend"] == "c"
    assert run.identity["build"] == found.artefact_digest
    assert run.identity["provenance"] == found.provenance_digest
    assert run.config["threads"] == 2
    assert len(run.samples["kernel_us"]) == 2
    assert all(len(row["ns"]) == 3 for row in run.rows)
    assert ("triad_ns" in run.rows[0]) is (name != "triad")
    assert run.rows[0]["output"] != run.rows[1]["output"] or name == "argmax_f32"


def test_the_program_writes_what_it_measured_and_prints_no_time(compiler, tmp_path, capsys):
    raw = tmp_path / "rows"
    assert main(words("triad", raw, "--threads", "2")) == 0
    assert capsys.readouterr().out == f"mk triad tuned on c: 2 × 3 launches in {raw}\n"
    [run] = detect.read(raw.read_bytes()).runs
    assert (run.config["threads"], run.config["n"]) == (2, 4096)
    assert [path.name for path in tmp_path.iterdir()] == ["rows"]


def test_without_a_compiler_numpy_runs_and_every_raw_file_says_so(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("EVIDENCE_NO_COMPILER", "1")
    assert main(words("gemv_q8_0", tmp_path / "rows")) == 0
    assert "on numpy (EVIDENCE_NO_COMPILER" in capsys.readouterr().out
    [run] = detect.read((tmp_path / "rows").read_bytes()).runs
    assert (run.identity["backend"], run.config["threads"]) == ("numpy", 1)
    assert "EVIDENCE_NO_COMPILER" in run.identity["reason"]
    assert {note.name for note in run.notes} >= {"not-native", "no-limit"}
    assert not {"build", "compiler", "provenance"} & set(run.identity)


def test_a_backend_that_was_asked_for_is_never_replaced(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("EVIDENCE_NO_COMPILER", "1")
    assert main(words("triad", tmp_path / "rows", "--backend", "c")) == 4
    assert "EVIDENCE_NO_COMPILER" in capsys.readouterr().err
    assert not (tmp_path / "rows").exists()


def test_krows_12_a_wrong_kernel_writes_no_time(compiler, tmp_path):
    for source in SOURCES:
        text = (FOLDER / source).read_text(encoding="utf-8")
        (tmp_path / source).write_text(text.replace("exponent + 112u", "exponent + 111u"))
    broken = probe(folder=tmp_path)
    sizes = {"rows": 8, "columns": 64}
    request = Request("gemv_q8_0", How("tuned", launches=1), sizes, array=ARRAY)
    with pytest.raises(VerificationError, match="gemv_q8_0 tuned on c is wrong"):
        measure(request, broken)


def test_the_same_seed_gives_both_variants_the_same_inputs_and_exact_kernels_the_same_outputs(
    compiler,
):
    def outputs(name, variant, threads):
        how = How(variant, threads, launches=1)
        rows = measure(Request(name, how, SIZES[name], 5, 2, ARRAY), probe())
        return [(row["best"], row["output"]) for row in rows[1:]]

    for name, kernel in KERNELS.items():
        one, other = outputs(name, "plain", 1), outputs(name, "tuned", 3)
        assert (one == other) or not kernel.exact
    assert outputs("matvec_f32", "plain", 1) != outputs("matvec_f32", "tuned", 1)


@pytest.mark.parametrize("name", KERNELS)
def test_sizes_that_are_left_out_reach_past_the_caches(name):
    cache = 48 * 2**20
    sizes = complete(Request(name, How("tuned"), {}), cache)
    kernel = KERNELS[name]
    largest = kernel.moved(sizes) / (3 if name == "triad" else 1)
    assert largest >= 4 * cache
    assert complete(Request(name, How("tuned"), sizes), cache) == sizes


def test_the_cache_is_counted_once_for_those_who_share_it(tmp_path):
    def tell(cpu, index, level, shared, size):
        place = tmp_path / f"cpu{cpu}" / "cache" / f"index{index}"
        place.mkdir(parents=True)
        for name, text in (("level", level), ("shared_cpu_list", shared), ("size", size)):
            (place / name).write_text(f"{text}\n")

    assert last_level_cache(1, tmp_path) == 0
    for cpu, shared in ((0, "0-1"), (1, "0-1"), (2, "2-3")):
        tell(cpu, 0, 1, str(cpu), "48K")
        tell(cpu, 3, 3, shared, "32M" if cpu < 2 else "16M")
    assert last_level_cache(1, tmp_path) == 32 * 2**20
    assert last_level_cache(64, tmp_path) == 48 * 2**20


def test_arrays_are_four_caches_large_within_reason():
    assert array_bytes(0) == array_bytes(1) == LEAST_ARRAY
    assert array_bytes(100 * 2**20) == 400 * 2**20
    assert array_bytes(2**40) == MOST_ARRAY


@pytest.mark.parametrize(
    ("given", "why"),
    [
        (["triad", "--rows", "3"], "has no rows"),
        (["rmsnorm", "--n", "3"], "has no n"),
        (["rmsnorm", "--columns", "131072"], "at most 131071"),
        (["gemv_q8_0", "--columns", "33"], "multiple of 32"),
        (["rmsnorm", "--rows", "2000000000", "--columns", "100000"], "moves over"),
        (["triad", "--backend", "numpy", "--threads", "2", "--n", "4"], "takes 1"),
    ],
)
def test_sizes_that_do_not_go_together_are_wrong_usage(tmp_path, capsys, given, why):
    assert main([*given, "--raw", str(tmp_path / "rows")]) == 2
    assert why in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "wrong",
    [["sort"], ["triad", "--variant", "fast"], ["triad", "--n", "0"], ["triad", "--n", "x"]],
)
def test_words_that_name_nothing_are_wrong_usage(tmp_path, wrong):
    with pytest.raises(SystemExit) as stop:
        main([*wrong, "--raw", str(tmp_path / "rows")])
    assert stop.value.code == 2


def test_an_existing_raw_file_is_refused_before_anything_is_measured(tmp_path, capsys):
    (tmp_path / "rows").write_bytes(b"evidence")
    assert main(words("triad", tmp_path / "rows")) == 4
    assert "never replaced" in capsys.readouterr().err
    assert (tmp_path / "rows").read_bytes() == b"evidence"


def test_help_does_not_wait_for_numpy():
    program = "import sys, engine.kernels.bench; sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], cwd=REPOSITORY).returncode == 0


def test_the_names_of_backends_are_one_list():
    assert set(BACKENDS) == {"auto", NUMPY, *TOOLCHAINS}


def test_a_compiler_named_in_vain_makes_cuda_unavailable(tmp_path):
    environment = {"PATH": os.defpath, "HOME": str(tmp_path), "NVCC": "no-such-nvcc"}
    with pytest.raises(UnavailableError, match="no-such-nvcc"):
        find("cuda", environment)
