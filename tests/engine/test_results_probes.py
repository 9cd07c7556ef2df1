"""The raw files of our probes: docs/reference/formats/probe.md rule by rule, and the samples."""

import re
import shutil
import subprocess
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.figures import of_file
from engine.metrics import METRICS
from engine.results import detect, probes
from engine.results.model import select
from engine.results.refusals import ResultError
from tests.fixtures.probes import FSYNC, LINK, fsync_rows, link_rows, spell, without

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "formats" / "probe.md"
LINKS, FILES = spell(LINK, *link_rows()), spell(FSYNC, *fsync_rows())
L1, L2, L3, L4 = link_rows()
F1, F2, F3 = fsync_rows()


def link(**changes):
    return spell({**LINK, **changes}, *link_rows())


def rows(**changes):
    return spell(LINK, {**L1, **changes}, L2, L3, L4)


BROKEN = {
    "PRB-1 a file that was cut short": (LINKS[:-1], "line 5 has no newline"),
    "PRB-1 white space": (LINKS.replace(b'"mtu":', b'"mtu": '), "line 1: .*canonical"),
    "PRB-1 a fraction": (LINKS.replace(b":800000000,", b":0.8,", 1), "line 2: .*float"),
    "PRB-1 a key twice": (LINKS.replace(b'"mtu":', b'"mtu":1,"mtu":', 1), "line 1: "),
    "PRB-2 another version": (LINKS.replace(b"probe/v1", b"probe/v2"), "probe/v2' is unknown"),
    "PRB-2 another probe": (link(probe="ping"), "probe 'ping' is unknown"),
    "PRB-3 a field too few": (spell(without("peer", LINK), *link_rows()), "missing fields: peer"),
    "PRB-3 a field too many": (link(mean="9"), "unknown fields: 'mean'"),
    "PRB-3 no address": (link(peer=""), "field peer has ''"),
    "PRB-3 an escape for a terminal": (link(peer="\x1b[2J:1"), "field peer has"),
    "PRB-3 a true count": (link(streams=True), "field streams has True"),
    "PRB-3 no repetition": (link(repetitions=0), "field repetitions has 0"),
    "PRB-3 too many": (spell({**FSYNC, "iterations": 3001}), "field iterations has 3001"),
    "PRB-3 a field of a link on a disk": (
        spell({**FSYNC, "mtu": 1500}, *fsync_rows()),
        "unknown fields: 'mtu'",
    ),
    "PRB-4 a wireless end": (link(interface_kind="wireless"), "interface_kind is wireless"),
    "PRB-4 a wireless far end": (link(peer_interface_kind="wireless"), "is wireless"),
    "PRB-5 tmpfs": (spell({**FSYNC, "filesystem": "tmpfs"}, *fsync_rows()), "nothing is durable"),
    "PRB-6 a direction left out": (spell(LINK, L1, L3, L2, L4), "line 3: 1/forward/0 where 0/back"),
    "PRB-6 twice the best": (spell(LINK, L1, L2, L1, L2), "line 4: 0/forward/0 where 1/forward/0"),
    "PRB-6 a repetition too few": (spell(LINK, L1, L2), "rows-incomplete: probe file: 2 rows of 4"),
    "PRB-6 one too many": (spell(LINK, *link_rows(3)), "6 rows of 4"),
    "PRB-6 a dropped outlier": (spell(FSYNC, F1, F3), "line 3: 2 where 1 belongs"),
    "PRB-6 no rows": (spell(FSYNC), "0 rows of 3"),
    "PRB-7 no bytes": (rows(bytes=0), "line 2: field bytes has 0"),
    "PRB-7 no time": (rows(wall_ns=0), "line 2: field wall_ns has 0"),
    "PRB-7 an average": (rows(gbps="9"), "line 2: unknown fields: 'gbps'"),
    "PRB-7 a direction of its own": (rows(direction="up"), "field direction has 'up'"),
    "PRB-8 busy time without a tick": (
        spell(LINK, without("tick_ns", L1), L2, L3, L4),
        "line 2: busy_ns and tick_ns go together",
    ),
    "PRB-8 a negative time": (rows(busy_ns=-1), "line 2: field busy_ns has -1"),
    "PRB-10 a phase too few": (
        spell(FSYNC, without("dirsync_ns", F1), F2, F3),
        "line 2: missing fields: dirsync_ns",
    ),
    "PRB-10 a phase that took no time": (
        spell(FSYNC, {**F1, "fsync_ns": 0}, F2, F3),
        "line 2: field fsync_ns has 0",
    ),
}


@pytest.mark.parametrize(("data", "complaint"), BROKEN.values(), ids=BROKEN)
def test_a_file_that_breaks_a_rule_is_refused(data, complaint):
    with pytest.raises(ResultError, match=complaint) as caught:
        detect.read(data)
    assert caught.value.detail.startswith("probe file: ")


def test_prb_9_fewer_than_100_ticks_give_no_rate_of_any_clock():
    short = {"busy_ns": 396_000_000}
    forward, backward = detect.read(spell(LINK, {**L1, **short}, L2, L3, L4)).runs

    assert forward.samples == {}
    (note,) = forward.notes
    assert note.name == "probe-unresolved"
    assert note.barring("link_wall_gbps")
    assert "forward: the kernel ticked 99 times while busy, not 100" in str(note)
    assert backward.samples["link_busy_gbps"] == [10, 10]


def test_prb_8_without_busy_time_the_busy_rate_is_absent_and_the_others_are_not():
    bare = [without("busy_ns", without("tick_ns", row)) for row in link_rows()]
    for run in detect.read(spell(LINK, *bare)).runs:
        assert run.samples.keys() == {"link_wall_gbps", "link_send_gbps", "link_receive_gbps"}
        assert not run.notes


def test_every_clock_of_a_link_has_a_rate_of_its_own():
    file = detect.read(LINKS)

    assert (file.reader, len(file.runs)) == ("probe", 2)
    for run in file.runs:
        assert run.samples["link_busy_gbps"] == [10, 10]
        assert run.samples["link_wall_gbps"] == [8, 8]
        assert run.samples["link_send_gbps"] == [16, 16]
        assert run.samples["link_receive_gbps"] == [Fraction(80, 9)] * 2
    assert select(file, {"direction": "backward"}) is file.runs[1]
    assert {figure.select["direction"] for figure in of_file(file)} == {"forward", "backward"}


def test_streams_at_once_are_all_their_bytes_over_the_longest_time():
    pair = [
        {**row, "busy_ns": row["busy_ns"] - 100_000_000 * row["stream"]}
        for row in link_rows(streams=2)
    ]
    for run in detect.read(spell({**LINK, "streams": 2}, *pair)).runs:
        assert run.samples["link_busy_gbps"] == [20, 20]


def test_a_disk_gives_its_two_syncs_and_the_whole_way_to_durable():
    (run,) = detect.read(FILES).runs

    assert run.samples["fsync_ms"] == [Fraction(3 * 10**6 + n, 10**6) for n in range(3)]
    assert run.samples["dirsync_ms"] == [Fraction(5 * 10**6 + n, 10**6) for n in range(3)]
    assert run.samples["durable_ms"] == [Fraction(15 * 10**6 + 5 * n, 10**6) for n in range(3)]
    assert run.config["load"] is False
    assert probes.check(run) == ()


@given(st.integers(1, 2**50), st.integers(400_000_000, 2**50))
def test_a_rate_is_bits_over_nanoseconds_exactly(size, busy):
    found = detect.read(rows(bytes=size, busy_ns=busy)).runs[0].samples["link_busy_gbps"][0]
    assert found * busy == 8 * size


def test_the_example_of_the_page_is_read_and_gives_what_the_page_says():
    text = PAGE.read_text(encoding="utf-8")
    link_example, disk_example = re.findall(r"^```jsonl\n(.*?)^```", text, re.S | re.M)

    forward, backward = detect.read(link_example.encode()).runs
    (disk,) = detect.read(disk_example.encode()).runs

    for run in (forward, backward, disk):
        for name, samples in run.samples.items():
            for sample in samples:
                assert f"{float(sample):.6g}" in text, (name, float(sample))


def test_every_metric_of_the_page_is_in_the_register():
    named = set(re.findall(r"`((?:link_\w+_gbps)|(?:\w+_ms))`", PAGE.read_text(encoding="utf-8")))
    assert {*probes.CLOCKS, "durable_ms", "fsync_ms", "dirsync_ms"} <= named <= METRICS.keys()


@pytest.mark.skipif(not shutil.which("jq"), reason="not run: jq is not installed")
def test_the_busy_rates_of_the_example_recompute_with_the_stock_tool_of_the_page(tmp_path):
    text = PAGE.read_text(encoding="utf-8")
    (tmp_path / "link.jsonl").write_text(re.search(r"^```jsonl\n(.*?)^```", text, re.S | re.M)[1])
    script = re.search(r"^```sh\n(.*?)^```", text, re.S | re.M)[1]

    done = subprocess.run(["bash", "-c", script], cwd=tmp_path, capture_output=True, text=True)

    found = [line.split() for line in done.stdout.splitlines()]
    assert [(name, f"{float(rate):.6g}") for name, rate, _ in found] == [
        ("forward", "58.0639"),
        ("backward", "22.3463"),
    ]
    assert all(float(ticks) >= 100 for _, _, ticks in found)
