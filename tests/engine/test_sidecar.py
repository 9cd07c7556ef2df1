import contextlib
import hashlib
import json
import platform
import re
import shutil
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import declared, environment, sidecar
from engine.comparison import environments
from receipts import canonical
from receipts.digest import Digest
from receipts.errors import MalformedError

PAGE = Path(__file__).parents[2] / "docs/reference/formats/environment.md"
EXAMPLE = re.search(r"```json\n(.*?\n)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)[1].encode()
ID = "0123456789abcdef" * 4


def clock():
    return datetime(2026, 11, 29, 10, tzinfo=UTC)


def gathered(**given):
    options = {"engine": {"name": "vllm"}, "model": {"name": "m"}, "server_flags": ["-v"]} | given
    return sidecar.gather(**options, clock=clock)


def fields(**changes):
    """Return the fields of the page's example with some changed; None leaves one out."""
    new = {**json.loads(EXAMPLE), **changes}
    return {name: value for name, value in new.items() if value is not None}


def spelled(new):
    return canonical.encode(new) + b"\n"


def test_the_example_of_the_page_is_read_and_written_byte_for_byte():
    example = sidecar.parse(EXAMPLE)

    assert sidecar.encode(example) == EXAMPLE
    assert example.session == "tuesday"
    assert sidecar.make(fields()) == example


@pytest.mark.skipif(not shutil.which("jq"), reason="not run: there is no jq here")
def test_the_commands_of_the_page_print_the_digests_of_the_file(tmp_path):
    (tmp_path / "env.json").write_bytes(EXAMPLE)
    script = re.search(r"```sh\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)[1]

    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", script], cwd=tmp_path, capture_output=True, text=True
    )

    example = json.loads(EXAMPLE)
    assert done.returncode == 0, done.stderr
    assert [f"sha256:{line.split()[0]}" for line in done.stdout.splitlines()] == [
        Digest.of(canonical.encode(example) + b"\n"),
        sidecar.digest_of(example["packages"]),
    ]


BROKEN = {
    "side-1 cut short": (EXAMPLE[:-2], "truncated"),
    "side-1 two objects": (EXAMPLE + EXAMPLE, "Extra data"),
    "side-1 key twice": (EXAMPLE.replace(b'"cores":2', b'"cores":2,"cores":2'), "'cores' appears"),
    "side-1 null": (EXAMPLE.replace(b'"lab-7"', b"null"), "NoneType"),
    "side-1 fraction": (EXAMPLE.replace(b'"cores":2', b'"cores":2.0'), "float"),
    "side-1 too long": (spelled(fields(host="x" * 2**20)), "over 1048576 bytes"),
    "side-2 unknown field": (spelled(fields(gpu="H200")), "gpu: unknown field"),
    "side-2 unknown part": (spelled(fields(model={"size": "7B"})), "model.size: unknown field"),
    "side-2 no format": (spelled(fields(format=None)), "format: is missing"),
    "side-2 no object": (b"[]\n", "must be a mapping"),
    "side-3": (EXAMPLE.replace(b"environment/v1", b"environment/v2"), "format: must be"),
    "side-4 empty text": (spelled(fields(host="")), "host: must have at least 1"),
    "side-4 zero": (spelled(fields(cores=0)), "cores: must be at least 1"),
    "side-4 text for a count": (spelled(fields(cores="2")), "cores: must be a whole number"),
    "side-4 a truth value": (spelled(fields(cores=True)), "cores: must be a whole number"),
    "side-5 unknown name": (spelled(fields(absent={"gpu": "x"})), "absent names 'gpu'"),
    "side-5 required name": (spelled(fields(absent={"format": "x"})), "absent names 'format'"),
    "side-5 there": (spelled(fields(absent={"host": "x"})), "absent names host, which is there"),
    "side-5 part there": (spelled(fields(absent={"container.id": "x"})), "container.id, which is"),
    "side-6": (spelled(fields(devices=[{"index": 1, "name": "x"}])), "in the order of their index"),
    "side-7": (
        spelled(fields(container={"id": "none", "image": "x"})),
        "image without a container",
    ),
}


@pytest.mark.parametrize(("data", "told"), BROKEN.values(), ids=BROKEN)
def test_a_file_that_breaks_a_rule_is_refused_and_the_field_is_named(data, told):
    with pytest.raises(MalformedError, match=rf"^environment sidecar: .*(?:{told})") as caught:
        sidecar.parse(data)
    assert "\n" not in str(caught.value)


def test_every_rule_of_the_page_is_broken_by_a_file():
    rules = re.findall(r"\*\*\[(SIDE-\d+)\]\*\*", PAGE.read_text(encoding="utf-8"))
    assert {rule.lower() for rule in rules} == {name.split()[0] for name in BROKEN}


@given(st.integers(0, len(EXAMPLE) - 1), st.integers(0, 255))
def test_a_file_with_a_changed_byte_is_refused_or_means_exactly_what_it_spells(at, byte):
    data = EXAMPLE[:at] + bytes([byte]) + EXAMPLE[at + 1 :]
    with contextlib.suppress(MalformedError):
        assert json.loads(sidecar.encode(sidecar.parse(data))) == json.loads(data)


@pytest.mark.parametrize("name", [n for n in json.loads(EXAMPLE) if n != "format"])
def test_every_other_field_may_be_absent(name):
    left = sidecar.make(fields(**{name: None}))

    assert sidecar.parse(sidecar.encode(left)) == left
    assert not any(fact.partition(".")[0] == name for fact in sidecar.facts(left))


def test_what_is_gathered_here_is_a_sidecar_of_this_machine():
    new = sidecar.make(gathered())

    assert sidecar.parse(sidecar.encode(new)) == new
    told = sidecar.facts(new)
    machine = environment.fingerprint()
    assert {name: told.get(name) for name in machine} == machine
    assert new.gathered_at == "2026-11-29T10:00:00.000Z"
    assert new.packages["pydantic"] == sys.modules["pydantic"].VERSION
    assert told["engine.name"] == "vllm"
    assert set(declared.MACHINE) - set(machine) <= set(new.absent or {})


def test_what_cannot_be_found_out_is_absent_with_its_reason(tmp_path):
    new = sidecar.make(gathered(interpreter=str(tmp_path / "python"), server_flags=None))

    assert new.packages is None
    assert new.python is None
    assert new.absent["packages"] == f"{tmp_path / 'python'}: No such file or directory"
    assert new.server_flags is None
    untold = {each.field: each for each in environments.compare(new, new).untold}
    assert untold["packages.digest"].a == new.absent["packages"]
    assert untold["server_flags"].b == "no reason given"


def test_the_packages_of_another_interpreter_are_its_own(tmp_path):
    fake = tmp_path / "python"
    fake.write_text(
        '#!/bin/sh\nif [ "$1" = -c ]; then echo 3.9.1; '
        'else echo \'[{"name": "b", "version": "2"}, {"name": "a", "version": "1"}]\'; fi\n'
    )
    fake.chmod(0o755)

    new = sidecar.make(gathered(interpreter=str(fake)))

    assert new.packages == {"a": "1", "b": "2"}
    assert new.packages
    assert (
        sidecar.digest_of(new.packages) == "sha256:" + hashlib.sha256(b"a==1\nb==2\n").hexdigest()
    )
    assert new.python == "3.9.1"


@given(st.dictionaries(st.text("ab-._1", min_size=1), st.text("0123.", min_size=1)))
def test_the_digest_of_packages_does_not_depend_on_their_order(installed):
    turned = dict(reversed(installed.items()))

    assert sidecar.digest_of(turned) == sidecar.digest_of(installed)
    assert sidecar.digest_of({**installed, "new": "1"}) != sidecar.digest_of(installed)


def test_a_secret_in_the_flags_is_never_written_down():
    new = sidecar.make(
        gathered(server_flags=["--api-key", "hunter2", "--hf-token=abcdef", "--host", "10.0.0.7"])
    )

    assert new.server_flags == [
        *("--api-key", "[redacted:api-key]", "--hf-token=[redacted:token]", "--host", "10.0.0.7"),
    ]


def test_sessions_are_told_apart_and_a_named_one_is_found_again():
    one, two = sidecar.make(gathered()), sidecar.make(gathered())
    here, there = (sidecar.make(gathered(session="tuesday")) for _ in range(2))

    assert not environments.compare(one, two).same_session
    assert environments.compare(here, there).same_session
    rebooted = sidecar.make(fields(boot="another"))
    assert not environments.compare(sidecar.make(fields()), rebooted).same_session


def test_flat_facts_have_a_place_in_a_receipt():
    told = sidecar.facts(sidecar.parse(EXAMPLE))

    assert canonical.decode(canonical.encode(told)) == told
    assert told["container.id"] == "none"
    assert told["devices"] == 1
    assert told["devices.0.driver"] == "nvidia 550.54.14"
    assert told["server_flags"] == "--tensor-parallel-size 1"
    assert not any(name.startswith(("session", "gathered", "absent", "format")) for name in told)


def compared(**changes):
    return environments.compare(sidecar.make(fields()), sidecar.make(fields(**changes)))


def test_a_file_compared_with_itself_tells_everything_and_differs_in_nothing():
    assert compared() == environments.Comparison(
        same_session=True, differs=(), packages=(), untold=(), one_sided=()
    )


@pytest.mark.parametrize(
    ("changes", "differs"),
    [
        ({"host": "lab-8"}, ["host"]),
        ({"boot": "another"}, ["boot"]),
        ({"container": {"id": ID}}, ["container.id"]),
        ({"driver": "nvidia 560"}, ["driver"]),
        ({"server_flags": []}, ["server_flags"]),
        ({"devices": []}, ["devices"]),
        ({"devices": [{"index": 0, "name": "NVIDIA H100"}]}, ["devices.0.name"]),
        ({"engine": {"commit": "abc"}, "cores": 4}, ["cores", "engine.commit"]),
    ],
)
def test_what_both_tell_differently_differs(changes, differs):
    found = compared(**changes)

    assert [each.field for each in found.differs] == differs
    assert found.untold == ()
    assert found.undeclared(differs) == ()
    assert found.undeclared([name.partition(".")[0] for name in differs]) == ()
    assert found.undeclared(["hos"]) == found.differs


def test_the_packages_behind_a_difference_are_named():
    installed = {"numpy": "1.26.4", "torch": "2.9"}
    found = compared(packages=installed)

    assert [each.field for each in found.differs] == ["packages.digest"]
    assert [(each.field, each.a, each.b) for each in found.packages] == [
        ("numpy", "2.4.6", "1.26.4"),
        ("torch", None, "2.9"),
        ("vllm", "0.11.0", None),
    ]


@pytest.mark.parametrize("field", environments.REQUIRED)
def test_a_required_fact_that_one_file_does_not_tell_is_untold_and_never_differs(field):
    name = field.partition(".")[0]
    found = compared(**{name: None, "absent": {name: "the driver hangs"}})

    assert environments.Untold(field, None, "the driver hangs") in found.untold
    assert field not in {each.field for each in found.differs}
    both = sidecar.make(fields(**{name: None}))
    assert environments.Untold(field, "no reason given", "no reason given") in (
        environments.compare(both, both).untold
    )


def test_any_other_fact_that_one_file_alone_tells_is_a_remark():
    found = compared(governor="performance", absent=None)

    assert found.one_sided == (environments.Untold("governor", "not readable here", None),)
    assert (found.differs, found.untold) == ((), ())


@pytest.mark.parametrize(
    ("groups", "mounts", "host", "marked", "found"),
    [
        (f"0::/system.slice/docker-{ID}.scope", "", "lab", False, ID),
        (f"12:cpu:/kubepods/pod1/{ID}", "", "lab", False, ID),
        (
            "0::/",
            f"1 2 / /etc/hosts rw - ext4 /var/lib/docker/containers/{ID}/hosts",
            "x",
            True,
            ID,
        ),
        ("0::/", f"1 2 / /etc/hosts - xfs /overlay-containers/{ID}/userdata/hosts", "x", True, ID),
        ("0::/", f"1 2 / /var/lib/docker/overlay2/{ID}/merged", "lab", False, "none"),
        ("0::/", "1 2 / / rw", "0123456789ab", True, "0123456789ab"),
        ("0::/user.slice", "1 2 / / rw", "lab", False, "none"),
        ("0::/user.slice", "1 2 / / rw", "0123456789ab", False, "none"),
        (f"0::/{ID}0", "", "lab", False, "none"),
    ],
)
def test_a_container_is_known_by_what_the_kernel_tells(groups, mounts, host, marked, found):
    assert environment.container_of(groups, mounts, host, marked=marked) == found


@pytest.mark.parametrize(("groups", "host", "marked"), [(None, "lab", False)])
def test_a_container_that_does_not_tell_its_id_is_unknown_and_not_none(groups, host, marked):
    with pytest.raises(environment.UnknownError):
        environment.container_of(groups, "1 2 / / rw", host, marked=marked)


LINUX = pytest.mark.skipif(platform.system() != "Linux", reason="not run: no Linux here")


@LINUX
def test_the_devices_are_those_that_the_driver_lists(tmp_path, monkeypatch):
    answer(tmp_path, monkeypatch, "0, NVIDIA H200, GPU-1, 143771, 550.54.14, 96.00.1\n"
           "1, NVIDIA H200, GPU-2, [N/A], 550.54.14, [Not Supported]")  # fmt: skip

    assert environment.devices() == [
        {"index": 0, "name": "NVIDIA H200", "uuid": "GPU-1", "memory_mib": 143771,
         "driver": "nvidia 550.54.14", "firmware": "96.00.1"},
        {"index": 1, "name": "NVIDIA H200", "uuid": "GPU-2", "driver": "nvidia 550.54.14"},
    ]  # fmt: skip
    assert environment.driver(environment.devices()) == "nvidia 550.54.14"
    assert sidecar.make(gathered()).devices[1].uuid == "GPU-2"


@LINUX
@pytest.mark.parametrize(
    ("text", "status", "told"),
    [
        ("NVIDIA-SMI has failed", 9, "nvidia-smi ended with 9: NVIDIA-SMI has failed"),
        ("what?", 0, "nvidia-smi answered 'what\\?'"),
    ],
)
def test_a_driver_that_does_not_answer_leaves_the_devices_unknown(
    tmp_path, monkeypatch, text, status, told
):
    answer(tmp_path, monkeypatch, text, status)

    with pytest.raises(environment.UnknownError, match=f"^{told}$"):
        environment.devices()
    new = sidecar.make(gathered())
    assert new.devices is None
    assert re.fullmatch(told, new.absent["devices"])
    assert new.driver != "none"


@LINUX
def test_a_driver_that_hangs_is_not_waited_for(tmp_path, monkeypatch):
    answer(tmp_path, monkeypatch, "late", before="exec sleep 30")
    monkeypatch.setattr(environment, "TIMEOUT_SECONDS", 0.2)

    with pytest.raises(environment.UnknownError, match=r"^nvidia-smi: TimeoutExpired$"):
        environment.devices()


@LINUX
def test_cards_of_the_other_vendor_are_read_from_the_kernel(tmp_path, monkeypatch):
    for card, facts in {
        "card0": {"vendor": "0x1a03"},
        "card1": {"vendor": "0x1002", "device": "0x74a1", "mem_info_vram_total": str(192 * 2**30),
                  "unique_id": "a1b2", "vbios_version": "113-M3"},
        "card1-DP-1": {"vendor": "0x1002"},
    }.items():  # fmt: skip
        (tmp_path / card / "device").mkdir(parents=True)
        for name, text in facts.items():
            (tmp_path / card / "device" / name).write_text(text + "\n")
    monkeypatch.setattr(environment, "_DRM", tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path))

    found = environment.devices()

    assert [{**device, "driver": ""} for device in found] == [
        {"index": 0, "name": "0x1002:0x74a1", "memory_mib": 196608, "uuid": "a1b2",
         "firmware": "113-M3", "driver": ""}
    ]  # fmt: skip
    assert environment.driver(found).startswith("amdgpu ")


def test_no_devices_have_no_driver_and_unknown_ones_an_unknown_one(monkeypatch):
    monkeypatch.setattr(environment, "_read", lambda path: None)

    assert environment.driver([]) == "none"
    with pytest.raises(environment.UnknownError):
        environment.driver(None)


def test_the_kernel_tells_the_driver_where_the_devices_are_silent(monkeypatch):
    text = "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  580.65.06  Release Build"
    monkeypatch.setattr(environment, "_read", lambda path: text)

    assert environment.driver(None) == "nvidia 580.65.06"


def answer(folder, monkeypatch, text, status=0, before=""):
    """Put an nvidia-smi on the path that answers `text`."""
    tool = folder / "nvidia-smi"
    tool.write_text(f"#!/bin/sh\n{before}\ncat <<'END'\n{text}\nEND\nexit {status}\n")
    tool.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")
    monkeypatch.setattr(environment, "_DRM", folder / "drm")
