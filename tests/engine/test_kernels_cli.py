"""`engine kernels`: what it says of this machine, and runs that leave receipts."""

import json
import os
import shutil
import subprocess
import sys

import click
import pytest
from click.testing import CliRunner

from engine import plan, walk, window
from engine.apparatus import lease
from engine.cli_kernels import kernels
from engine.kernel_work import KERNELS
from engine.kernels.backends import probe
from engine.results import detect
from ledger import session
from receipts import console
from receipts.clock import system_clock

SMALL = ["--n", "4096", "--launches", "3", "--repetitions", "2"]


@click.group(cls=console.Group)
def engine():
    """Stand in for the command that the group belongs to."""


engine.add_command(kernels)


def invoke(*words, code=0):
    result = CliRunner().invoke(engine, ["kernels", *words], catch_exceptions=False)
    assert result.exit_code == code, result.output
    return result


@pytest.fixture
def compiler(monkeypatch, tmp_path_factory):
    if not any(map(shutil.which, ("cc", "gcc", "clang"))):
        pytest.skip("no C compiler on PATH: the C kernels were not run")
    for name in ("CC", "EVIDENCE_NO_COMPILER"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.getbasetemp() / "kernel-cache"))


def listed(*words):
    return {one["backend"]: one for one in json.loads(invoke("list", "--json").stdout)["backends"]}


def test_every_backend_is_listed_with_its_device_or_exactly_why_not(compiler):
    found = listed()
    assert set(found) == {"c", "cuda", "metal", "numpy"}
    assert found["c"]["available"]
    assert found["c"]["compiler"]
    assert found["numpy"]["available"]
    for one in found.values():
        assert one["available"] or one["reason"]
    assert "kernel" in invoke("list").stdout


def test_a_library_without_its_driver_is_listed_with_the_driver_s_reason_and_exit_0(compiler):
    if not shutil.which("nvcc"):
        pytest.skip("no nvcc: the CUDA kernels were not built")
    cuda = listed()["cuda"]
    if cuda["available"]:
        pytest.skip("there is a device: run engine/kernels/gpu_check.sh")
    assert cuda["native_error"] in (35, 100)
    assert f"CUDA error {cuda['native_error']}: " in cuda["reason"]
    assert cuda["build"].startswith("sha256:")


def test_without_any_compiler_only_numpy_is_available(compiler, monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("NVCC", str(tmp_path / "nvcc"))
    found = listed()
    assert [name for name, one in found.items() if one["available"]] == ["numpy"]
    assert "no C compiler on PATH" in found["c"]["reason"]


def test_a_build_says_from_what_it_was_made(compiler):
    [one] = json.loads(invoke("build", "--json").stdout)
    backend = probe()
    assert (one["build"], one["path"]) == (backend.artefact_digest, str(backend.path))
    assert set(one["sources"]) == {"cpu.c", "cpu_kernels.h", "mk.h"}
    told = invoke("build", "c").stdout
    assert backend.artefact_digest in told
    assert "from cpu.c sha256:" in told


def test_verification_covers_every_kernel_in_both_variants(compiler):
    found = json.loads(invoke("verify", "--cases", "2", "--json").stdout)
    assert found["backend"] == "c"
    names = [one["kernel"] for one in found["kernels"]]
    assert sorted(set(names)) == sorted([*KERNELS, "decode"])
    assert len(names) == 2 * len(set(names))
    assert all(one["right"] and one["cases"] > 1 for one in found["kernels"])


def test_verification_says_that_numpy_was_verified_and_why(compiler, monkeypatch):
    monkeypatch.setenv("EVIDENCE_NO_COMPILER", "1")
    assert invoke("verify", "triad", "--cases", "1").stdout.startswith(
        "backend numpy: EVIDENCE_NO_COMPILER"
    )
    assert "nothing was verified on c" in invoke("verify", "--backend", "c", code=3).output


def altering(folder, file, old, new):
    """Return a compiler that changes a source before it compiles it."""
    path = folder / "altering-cc"
    real = next(filter(shutil.which, ("cc", "gcc", "clang")))
    change = f"[ ! -f {file} ] || sed -i 's/{old}/{new}/' {file}"
    path.write_text(f'#!/bin/sh\n{change}\nexec {real} "$@"\n')
    path.chmod(0o755)
    return str(path)


def test_a_kernel_that_is_wrong_is_exit_1_with_the_place(compiler, monkeypatch, tmp_path):
    wrong = altering(tmp_path, "cpu_kernels.h", "scalar \\* c\\[i\\]", "scalar + c[i]")
    monkeypatch.setenv("CC", wrong)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    said = invoke("verify", "triad", "--cases", "1", code=1).stdout
    assert "a[0] is " in said
    assert "float64 says" in said


def test_a_dry_run_shows_the_command_and_starts_nothing(bench):
    before = bench.files()
    said = json.loads(invoke("run", "triad", *SMALL, "--json").stdout)
    assert said["command"][:4] == ["{python}", "-m", "engine.kernels.bench", "triad"]
    assert said["command"][-2:] == ["--raw", "{raw}"]
    assert said["executes"] is False
    assert said["cell"] == "triad"
    assert bench.files() == before


def test_a_run_leaves_a_receipt_that_leads_to_the_sources(compiler, bench, monkeypatch):
    monkeypatch.delenv("EVIDENCE_NO_COMPILER")
    words = ["run", "gemv_q8_0", "--rows", "64", "--columns", "64", "--repetitions", "2"]
    result = invoke(*words, "--name", "gemv", "--threads", "2", "--execute", "--json")
    said = json.loads(result.stdout)
    receipt = bench.receipt(said["receipt"])
    identity = receipt.predicate.identity
    backend = probe()
    assert identity["binary"] == identity["build"] == backend.artefact_digest
    assert said["provenance"] == identity["provenance"] == backend.provenance_digest
    provenance = json.loads(bench.object(identity["provenance"]))
    [subject] = provenance["subject"]
    assert "sha256:" + subject["digest"]["sha256"] == identity["build"]
    assert {one.metric for one in receipt.predicate.figures} == {"kernel_us", "gb_s", "tflop_s"}
    assert detect.read(bench.object(receipt.require("raw"))).reader == "kernel-rows"
    assert said["name"] == "gemv"
    assert float(said["share_percent"]) > 0
    assert said["limit"].startswith("triad, the fastest of 10 launches")


def test_numpy_is_labelled_in_the_receipt(bench):
    said = json.loads(invoke("run", "triad", *SMALL, "--execute", "--json").stdout)
    receipt = bench.receipt(said["receipt"])
    assert receipt.predicate.identity["backend"] == "numpy"
    assert "EVIDENCE_NO_COMPILER" in receipt.predicate.identity["reason"]
    assert any("not-native: ran in numpy" in text for text in receipt.predicate.warnings)
    assert said["limit"] is None


def test_without_the_lease_nothing_is_run(bench):
    with lease.acquire("somebody-else"):
        said = invoke("run", "triad", *SMALL, "--execute", code=75).output
    assert "somebody-else" in said
    assert "finished" not in bench.phases()


def test_a_backend_that_is_not_there_is_a_failed_run_on_record(bench):
    said = invoke("run", "triad", *SMALL, "--backend", "c", "--execute", code=1).stdout
    assert bench.phases() == ["admitted", "failed"]
    assert "failed" in said


def test_a_time_above_the_limit_is_invalid_and_exit_1(compiler, bench, monkeypatch):
    monkeypatch.delenv("EVIDENCE_NO_COMPILER")
    # A clock that stands still, but not for the triad, which is launched five times.
    lie = altering(bench.root, "cpu.c", "= end - begin;", "= how->launches == 5 ? end - begin : 1;")
    monkeypatch.setenv("CC", lie)
    monkeypatch.setenv("XDG_CACHE_HOME", str(bench.root / "cache"))
    size = ["--n", "4096", "--launches", "3", "--repetitions", "1"]
    result = invoke("run", "argmax_f32", *size, "--execute", code=1)
    assert "INVALID above-limit: 16384.0 GB/s is above" in result.stdout
    receipt = bench.receipt(bench.bodies()[-1]["receipt"])
    assert any(text.startswith("above-limit") for text in receipt.predicate.warnings)


PLAN = """\
version: 1
name: order
cell: matvec
baseline:
  arm: plain
  command: ["{python}", -m, engine.kernels.bench, KERNEL, --variant, plain, --rows, "64",
            --columns, "2000", --repetitions, "1", --launches, "2", --raw, "{raw}"]
candidate:
  arm: tuned
  command: ["{python}", -m, engine.kernels.bench, KERNEL, --variant, tuned, --rows, "64",
            --columns, "2000", --repetitions, "1", --launches, "2", --raw, "{raw}"]
repetitions: 5
metrics: [kernel_us]
exactness: tokens-and-logits
scope: {lane: greedy}
"""


@pytest.mark.parametrize(
    ("kernel", "result", "phases"), [("matvec_f32", "differs", 2), ("matvec_i8", "exact", 10)]
)
def test_a_window_passes_an_exact_kernel_and_refuses_one_whose_order_differs(
    bench, kernel, result, phases
):
    path = bench.root / "order.yaml"
    path.write_text(PLAN.replace("KERNEL", kernel))
    file = plan.read(path)
    with session.open_ledger(write=True) as here, lease.acquire("matvec") as held:
        apparatus = walk.Apparatus(here, here.key(), held, system_clock, lambda _: None)
        walked = window.walk(apparatus, file, "order", file.plan, control=False)
    assert walked.fault is None
    assert walked.exactness.result == result
    assert len(walked.order) == phases
    assert bool(walked.receipt.predicate.comparisons) == (result == "exact")


def test_help_does_not_wait_for_numpy():
    program = "import sys, engine.cli_kernels; sys.exit('numpy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], env=os.environ, check=False)
    assert done.returncode == 0
