"""The kernels against exact integers, and the backends against machines that lack something."""

import ctypes
import os
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import provenance
from engine.kernels.backends import Backend, kernels, probe
from engine.kernels.compiler import SOURCES, Compiler, cache_key, find_compiler
from engine.kernels.contract import MAX_WIDTH, VARIANTS
from engine.kernels.model import splitmix64
from engine.kernels.native import ABI_VERSION
from engine.kernels.portable import Portable
from receipts.digest import Digest
from receipts.errors import MalformedError

REPOSITORY = Path(__file__).parents[2]
FOLDER = REPOSITORY / "engine" / "kernels"


@pytest.fixture(scope="module")
def environment(tmp_path_factory):
    if not any(map(shutil.which, ("cc", "gcc", "clang"))):
        pytest.skip("no C compiler on PATH: the C kernels were not run")
    kept = {k: v for k, v in os.environ.items() if k not in ("CC", "EVIDENCE_NO_COMPILER")}
    return kept | {"XDG_CACHE_HOME": str(tmp_path_factory.mktemp("cache"))}


@pytest.fixture(scope="module")
def native(environment):
    backend = probe(environment)
    assert backend.available, backend.reason
    return backend


@pytest.fixture(scope="module")
def both(native):
    return [kernels(native), Portable()]


def matrix(seed, rows, columns, offset=0):
    """Return pseudo-random int8 whose first byte lies `offset` bytes into its buffer."""
    words = splitmix64(seed, (rows * columns + offset + 7) // 8)
    return words.view(np.int8)[offset : offset + rows * columns].reshape(rows, columns)


def assert_exact(both, weights, activation):
    expected = weights.astype(np.int64) @ activation.astype(np.int64)
    best = int(np.flatnonzero(expected == expected.max())[0]) if len(expected) else None
    for able in both:
        for variant in VARIANTS:
            logits, found = able.matvec(variant, weights, activation)
            assert logits.dtype == np.int32
            assert logits.tolist() == expected.tolist(), (able, variant)
            assert found == best, (able, variant)


@settings(deadline=None, max_examples=150)
@given(
    rows=st.integers(0, 37),
    columns=st.integers(0, 300),
    seed=st.integers(0, 2**64 - 1),
    offsets=st.tuples(st.integers(0, 7), st.integers(0, 7)),
)
def test_every_variant_of_every_backend_is_exact_for_any_shape(both, rows, columns, seed, offsets):
    weights = matrix(seed, rows, columns, offsets[0])
    activation = matrix(seed ^ 1, 1, columns, offsets[1])[0]
    assert_exact(both, weights, activation)


@settings(deadline=None, max_examples=100)
@given(rows=st.integers(1, 20), columns=st.integers(1, 3), seed=st.integers(0, 2**64 - 1))
def test_ties_go_to_the_lowest_row(both, rows, columns, seed):
    # Only -1, 0 and 1, so that most examples tie.
    weights = (matrix(seed, rows, columns) % 3 - 1).astype(np.int8)
    assert_exact(both, weights, np.ones(columns, dtype=np.int8))


def test_equal_rows_leave_the_first_of_the_best(both):
    weights = np.array([[1], [5], [5], [2], [5]], dtype=np.int8)
    for able in both:
        for variant in VARIANTS:
            assert able.matvec(variant, weights, np.array([3], dtype=np.int8))[1] == 1


@pytest.mark.parametrize("shape", [(0, 0), (0, 4), (1, 0), (7, 0), (1, 1), (3, 1), (1, 9)])
def test_degenerate_shapes_are_exact(both, shape):
    assert_exact(both, matrix(7, *shape), matrix(8, 1, shape[1])[0])


@pytest.mark.parametrize("value", [-128, 127])
def test_the_widest_row_of_extremes_does_not_overflow(both, value):
    weights = np.full((5, MAX_WIDTH), value, dtype=np.int8)
    assert_exact(both, weights, np.full(MAX_WIDTH, value, dtype=np.int8))
    assert_exact(both, weights, np.full(MAX_WIDTH, -128, dtype=np.int8))


def test_a_wider_row_is_refused_because_it_could_overflow(both):
    wide = np.full((1, MAX_WIDTH + 1), -128, dtype=np.int8)
    assert int(wide[0].astype(np.int64) @ wide[0].astype(np.int64)) == 2**31
    for able in both:
        with pytest.raises(MalformedError, match="columns"):
            able.matvec("plain", wide, wide[0])


@pytest.mark.parametrize(
    ("variant", "weights", "activation", "why"),
    [
        ("fast", matrix(1, 2, 3), matrix(1, 1, 3)[0], "variant"),
        ("plain", matrix(1, 2, 3), matrix(1, 1, 4)[0], "fit"),
        ("plain", matrix(1, 2, 3)[0], matrix(1, 1, 3)[0], "fit"),
        ("plain", matrix(1, 2, 3).astype(np.int16), matrix(1, 1, 3)[0], "int8"),
        ("tuned", matrix(1, 2, 6)[:, ::2], matrix(1, 1, 3)[0], "gaps"),
        ("tuned", matrix(1, 2, 3), matrix(1, 1, 6)[0][::2], "gaps"),
    ],
)
def test_arrays_that_c_would_misread_are_refused(both, variant, weights, activation, why):
    for able in both:
        with pytest.raises(MalformedError, match=why):
            able.matvec(variant, weights, activation)


def test_the_c_side_refuses_for_itself_and_says_why(native):
    library = ctypes.CDLL(str(native.path))
    library.mk_last_error.restype = ctypes.c_char_p
    assert library.mk_abi_version() == ABI_VERSION
    size, how = ctypes.c_int64, ctypes.c_int32 * 6
    for launch, rows, columns, why in [
        ((2, 1, 0, 1), 1, 1, b"variant"),
        ((0, 0, 0, 1), 1, 1, b"threads"),
        ((0, 1025, 0, 1), 1, 1, b"threads"),
        ((0, 1, -1, 1), 1, 1, b"launches"),
        ((0, 1, 0, 0), 1, 1, b"launches"),
        ((0, 1, 0, 1), -1, 1, b"rows"),
        ((1, 1, 0, 1), 1, MAX_WIDTH + 1, b"overflow"),
    ]:
        shape = (size(rows), size(columns))
        assert library.mk_matvec_i8(how(*launch), None, *shape, None, None, None) == 1
        assert why in library.mk_last_error()


def test_splitmix64_gives_the_published_numbers():
    assert splitmix64(1234567, 5).tolist() == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]
    assert splitmix64(1234567, 3, start=2).tolist() == splitmix64(1234567, 5).tolist()[2:]


def test_the_probe_names_the_bytes_that_will_run(native):
    assert native.name == "c"
    assert native.reason is None
    assert native.compiler
    assert "-O3" in native.flags
    assert native.artefact_digest == Digest.of_file(native.path)
    assert native.source_digest == Digest.of(b"".join((FOLDER / n).read_bytes() for n in SOURCES))


def test_a_second_probe_builds_nothing(native, environment):
    before = native.path.stat()
    assert probe(environment) == native
    assert native.path.stat() == before


@pytest.mark.parametrize("name", SOURCES)
def test_a_changed_source_has_another_place_in_the_cache(native, environment, tmp_path, name):
    changed = probe(environment, altered(tmp_path, name, lambda text: text + "/* changed */\n"))
    assert changed.available, changed.reason
    assert changed.path != native.path
    assert changed.source_digest != native.source_digest
    assert native.path.is_file()


def test_other_options_of_the_compiler_have_another_place_in_the_cache(native, environment):
    # No predefined macro tells of this option.
    other = probe(environment | {"CC": f"{find_compiler(environment).program} -fno-ident"})
    assert other.available, other.reason
    assert other.path != native.path
    assert other.flags == ("-fno-ident", *native.flags)


@pytest.mark.parametrize("fact", ["version", "flags", "target"])
def test_every_fact_about_the_compiler_is_in_the_cache_key(fact):
    compiler = Compiler("cc", "cc 1", ("-O3",), "sha256:0")
    changed = replace(compiler, **{fact: ("-O2",) if fact == "flags" else "other"})
    assert cache_key({"cpu.c": b""}, compiler) != cache_key({"cpu.c": b""}, changed)


def altered(folder, name, change):
    for source in SOURCES:
        shutil.copy(FOLDER / source, folder / source)
    text = (folder / name).read_text(encoding="utf-8")
    (folder / name).write_text(change(text), encoding="utf-8")
    return folder


def assert_falls_back(backend: Backend, *why: str):
    assert (backend.name, backend.available) == ("numpy", False)
    assert backend.reason is not None
    assert "\n" not in backend.reason
    for part in why:
        assert part in backend.reason
    assert (backend.compiler, backend.artefact_digest, backend.path) == (None, None, None)
    assert backend.source_digest == Digest.of_file(FOLDER / "portable.py")
    logits, best = kernels(backend).matvec("tuned", matrix(1, 3, 4), matrix(2, 1, 4)[0])
    assert len(logits) == 3
    assert best is not None


def test_a_machine_without_a_compiler_falls_back_and_says_so(tmp_path):
    assert_falls_back(
        probe({"PATH": str(tmp_path), "HOME": str(tmp_path)}),
        "no C compiler on PATH; set CC or install one",
    )


def test_a_person_can_ask_for_numpy(environment):
    assert_falls_back(probe(environment | {"EVIDENCE_NO_COMPILER": "1"}), "EVIDENCE_NO_COMPILER")
    assert probe(environment | {"EVIDENCE_NO_COMPILER": "0"}).available


@pytest.mark.parametrize("named", ["no-such-compiler -O1", "'unbalanced"])
def test_a_compiler_named_in_vain_is_not_replaced_by_another(environment, named):
    assert_falls_back(probe(environment | {"CC": named}), "CC", named.split()[0].strip("'"))


def script(path, text):
    path.write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
    path.chmod(0o755)
    return str(path)


@pytest.mark.parametrize("text", ["echo 'error: licence expired' >&2; exit 1", "exit 3"])
def test_a_compiler_that_fails_is_named_with_its_complaint(environment, tmp_path, text):
    broken = script(tmp_path / "broken-cc", text)
    why = "licence expired" if "licence" in text else "exit status 3"
    assert_falls_back(probe(environment | {"CC": broken}), broken, why)


def test_a_file_that_is_no_program_is_not_fatal(environment, tmp_path):
    (tmp_path / "cc").write_bytes(b"\x7fELF nothing")
    (tmp_path / "cc").chmod(0o755)
    assert_falls_back(probe(environment | {"CC": str(tmp_path / "cc")}), "does not run")


def test_a_source_that_does_not_compile_falls_back_with_the_compilers_words(environment, tmp_path):
    folder = altered(tmp_path, "cpu.c", lambda text: text + "#error broken on purpose\n")
    assert_falls_back(probe(environment, folder), "broken on purpose")


def test_a_missing_source_falls_back(environment, tmp_path):
    assert_falls_back(probe(environment, tmp_path), "cpu.c")


def test_kernels_of_another_interface_version_are_not_called(environment, tmp_path):
    folder = altered(
        tmp_path, "mk.h", lambda text: text.replace("MK_ABI_VERSION 2", "MK_ABI_VERSION 9")
    )
    assert_falls_back(probe(environment, folder), "version 9, not 2")


def test_a_damaged_cache_falls_back_and_names_the_file(native, environment, tmp_path):
    own = environment | {"XDG_CACHE_HOME": str(tmp_path)}
    place = tmp_path / native.path.relative_to(environment["XDG_CACHE_HOME"])
    place.parent.mkdir(parents=True)
    place.write_bytes(b"not a shared object")
    assert_falls_back(probe(own), str(place), "delete")


@pytest.mark.parametrize("harm", ["another binary", "no provenance", "another provenance"])
def test_a_binary_that_its_provenance_is_not_about_is_not_loaded(
    native, environment, tmp_path, harm
):
    own = environment | {"XDG_CACHE_HOME": str(tmp_path)}
    place = tmp_path / native.path.relative_to(environment["XDG_CACHE_HOME"])
    shutil.copytree(native.path.parent, place.parent)
    said = provenance.beside(place)
    if harm == "another binary":
        place.write_bytes(place.read_bytes() + b"\0")
    elif harm == "no provenance":
        said.unlink()
    else:
        said.write_bytes(b"{}\n")
    assert_falls_back(probe(own), str(place.parent), "delete the folder")


def test_a_cached_binary_is_traced_to_the_digests_of_its_sources(native):
    found = provenance.read(native.path)
    sources = {name: Digest.of_file(FOLDER / name).hex for name in SOURCES}
    assert {one.name: one.digest for one in found.dependencies} == sources
    assert found.binary == native.artefact_digest
    assert found.versions == {"compiler": native.compiler}
    assert found.parameters["flags"] == list(native.flags)
    assert native.provenance_digest == Digest.of_file(provenance.beside(native.path))


def test_equal_builds_have_equal_provenance_wherever_they_are(native, environment, tmp_path):
    other = probe(environment | {"XDG_CACHE_HOME": str(tmp_path)})
    assert other.path != native.path
    assert other.provenance_digest == native.provenance_digest


def test_a_cache_that_cannot_be_written_falls_back(environment, tmp_path):
    (tmp_path / "file").write_bytes(b"")
    own = environment | {"XDG_CACHE_HOME": str(tmp_path / "file")}
    assert_falls_back(probe(own), "set XDG_CACHE_HOME")


def test_the_cache_lies_under_home_unless_xdg_says_otherwise(environment, tmp_path):
    bare = {k: v for k, v in environment.items() if k not in ("XDG_CACHE_HOME", "HOME")}
    assert_falls_back(probe(bare), "set XDG_CACHE_HOME")
    at_home = probe(bare | {"HOME": str(tmp_path), "XDG_CACHE_HOME": "relative/is/ignored"})
    assert at_home.available, at_home.reason
    assert at_home.path.is_relative_to(tmp_path / ".cache" / "evidence-ledger" / "kernels")


def test_two_processes_that_build_at_once_both_work(environment, tmp_path):
    compiler = find_compiler(environment).program
    slow = f'case "$*" in *mk.so*) sleep 0.5;; esac\nexec {compiler} "$@"'
    own = environment | {
        "XDG_CACHE_HOME": str(tmp_path / "cache"),
        "CC": script(tmp_path / "slow-cc", slow),
    }
    program = (
        "from engine.kernels.backends import probe; b = probe(); "
        "print(b.available, b.path, b.artefact_digest)"
    )
    command = [sys.executable, "-c", program]
    processes = [
        subprocess.Popen(command, cwd=REPOSITORY, env=own, stdout=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    said = [process.communicate(timeout=60)[0] for process in processes]
    assert said[0] == said[1]
    assert said[0].startswith("True ")
    left = [path.name for path in (tmp_path / "cache").rglob("*") if not path.is_dir()]
    assert sorted(left) == ["mk.so", "mk.so.provenance.json"]
