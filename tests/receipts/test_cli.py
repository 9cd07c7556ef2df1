"""The command `receipts`, in this process and in one of its own."""

import json
import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from receipts import cli, keys, receipt, workspace
from receipts.digest import Digest

REPOSITORY = Path(cli.__file__).parents[1]


def invoke(*arguments, **options):
    return CliRunner().invoke(cli.receipts, [str(part) for part in arguments], **options)


def process(*arguments, **options):
    return subprocess.run(
        [sys.executable, "-m", "receipts.cli", *map(str, arguments)],
        capture_output=True,
        env={**os.environ, "PYTHONPATH": str(REPOSITORY), "PYTHONDONTWRITEBYTECODE": "1"},
        timeout=60,
        check=False,
        **options,
    )


@pytest.fixture
def place(home):
    """Return a workspace, in whose home lies a person's key."""
    (home / "evidence.yaml").write_text("origin: perf.example.org/engine\n")
    keys.generate(workspace.person_key_path(), "ann@example.org")
    return workspace.find(home)


@pytest.fixture
def made(place, attached_run):
    """Return a receipt by the person about a stored raw file; the receipt is stored and a file."""
    raw = place.objects.put(b"[1]")
    predicate = attached_run(
        identity={"model": "é"},
        figures=[{"metric": "m", "statistic": "mean", "value": "33.50", "unit": "s", "n": 6}],
        warnings=["few samples"],
    )
    made = receipt.make(workspace.person_key(), {"raw": raw}, predicate)
    place.receipts.put(made.envelope.raw)
    (place.root / "receipt.json").write_bytes(made.envelope.raw)
    return made


def spoil(path, old, new):
    path.chmod(0o644)
    data = path.read_bytes()
    assert data.count(old) >= 1
    path.write_bytes(data.replace(old, new, 1))


def test_keygen_makes_the_persons_key_and_prints_where_and_which(home):
    done = invoke("keygen", "--comment", "ann@example.org")
    path = workspace.person_key_path()
    key = keys.load(path)
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout == f"{path}\n{key.public.fingerprint}\n"
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.parent.stat().st_mode & 0o777 == 0o700
    assert path.with_name("id_ed25519.pub").read_text() == (
        f"{key.public.openssh} ann@example.org\n"
    )


def test_keygen_in_json_says_the_same(home):
    done = invoke("keygen", "--output", home / "key", "--json")
    public = keys.load_public(home / "key.pub")
    assert json.loads(done.stdout) == {
        "key": str(home / "key"),
        "public": public.openssh,
        "fingerprint": public.fingerprint,
    }


def test_keygen_asks_twice_for_a_passphrase_and_locks_the_key(home):
    done = invoke("keygen", "--output", home / "key", "--passphrase", input="abc\nabc\n")
    assert done.exit_code == 0
    public = keys.load_public(home / "key.pub")
    assert keys.load(home / "key", lambda _: b"abc").public == public


def test_keygen_that_is_interrupted_at_the_question_makes_nothing(home):
    done = invoke("keygen", "--output", home / "key", "--passphrase", input="")
    assert done.exit_code == 130
    assert list(home.iterdir()) == []


@pytest.mark.parametrize("present", ["key", "key.pub"])
def test_keygen_never_overwrites(home, present):
    (home / present).write_text("mine")
    done = invoke("keygen", "--output", home / "key")
    assert (done.exit_code, done.stdout) == (4, "")
    assert done.stderr.endswith("exists; a key is never overwritten, name another file\n")
    assert (home / present).read_text() == "mine"
    assert len(list(home.iterdir())) == 1


def test_keygen_under_a_file_exits_74(home):
    (home / "file").touch()
    done = process("keygen", "--output", home / "file" / "key")
    assert done.returncode == 74
    assert b"Traceback" not in done.stderr
    assert done.stderr.count(b"\n") == 1


def test_keygen_in_a_read_only_folder_exits_74(home):
    (home / "locked").mkdir(mode=0o500)
    if os.access(home / "locked", os.W_OK):
        pytest.skip("this user writes anywhere: permission was not tested")
    done = process("keygen", "--output", home / "locked" / "key")
    assert done.returncode == 74
    assert b"Permission denied" in done.stderr
    assert list((home / "locked").iterdir()) == []


def test_keygen_on_a_full_disk_exits_74_and_leaves_nothing(home):
    done = process(
        "keygen",
        "--output",
        home / "key",
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (16, 16)),
    )
    assert done.returncode == 74
    assert b"File too large" in done.stderr
    assert list(home.iterdir()) == []


def test_list_without_a_workspace_says_how_to_make_one(home):
    done = invoke("list")
    assert (done.exit_code, done.stdout) == (4, "")
    assert done.stderr == (
        f"receipts: no evidence.yaml here or above {home}; `ledger init` makes one\n"
    )


def test_list_of_nothing_says_what_makes_a_receipt(place):
    assert invoke("list").stdout == "no receipts yet; `engine run` makes one\n"
    assert json.loads(invoke("list", "--json").stdout) == []


def test_list_shows_each_receipt_and_calls_a_damaged_one_damaged(place, made, attached_run):
    other = receipt.make(
        workspace.person_key(), {"raw": Digest.of(b"x")}, attached_run(arm="new", repetition=2)
    )
    place.receipts.put(other.envelope.raw)
    spoil(place.receipts.path(other.digest), b"a", b"b")
    done = invoke("list")
    rows = {line.split()[0]: line.split()[1:] for line in done.stdout.splitlines()}
    assert rows[made.digest[:23]] == ["run", "attached", "decode-p16"]
    assert rows[other.digest[:23]] == ["damaged"]
    listed = {row["receipt"]: row for row in json.loads(invoke("list", "--json").stdout)}
    assert listed[made.digest]["cell"] == "decode-p16"
    assert "is damaged" in listed[other.digest]["fault"]


@pytest.mark.parametrize("form", ["file", "digest", "uri", "hex", "beginning"])
def test_show_finds_a_receipt_by_each_of_its_names(place, made, form):
    names = {
        "file": "receipt.json",
        "digest": made.digest,
        "uri": f"receipt://{made.digest}",
        "hex": made.digest.hex,
        "beginning": made.digest.hex[:6],
    }
    done = invoke("show", names[form], "--json")
    assert (done.exit_code, done.stderr) == (0, "")
    shown = json.loads(done.stdout)
    assert shown["receipt"] == made.digest
    assert shown["signed_by"] == workspace.person_key().public.fingerprint
    assert shown["statement"] == json.loads(made.envelope.payload)


def test_show_in_words_says_that_the_signature_was_not_checked(place, made):
    done = process("show", "receipt.json", cwd=place.root)
    text = done.stdout.decode()
    assert done.returncode == 0
    assert f"receipt   {made.digest}\n" in text
    assert "(not checked here; `receipts verify` does)" in text
    assert "figures: metric m, statistic mean, value 33.50, unit s, n 6\n" in text
    assert "  model: é\n" in text


@pytest.mark.parametrize(
    ("reference", "sentence"),
    [
        ("my-run", "'my-run' is no digest and no file; names are the ledger's: `ledger list"),
        ("receipt://my-run", "--kind RUN --json` shows the digest of each"),
        ("abc", "'abc' is too short; give six digits of a digest or more"),
        ("abcdef", "'abcdef' names nothing in "),
        ("sha256:" + "3f" * 32, "is not in the store"),
        ("x" * 64, "is not a digest"),
        ("absent/receipt.json", "is no digest and no file; names are the ledger's: `ledger list"),
    ],
)
def test_show_of_what_is_not_there_exits_4(place, reference, sentence):
    done = invoke("show", reference)
    assert (done.exit_code, done.stdout) == (4, "")
    assert sentence in done.stderr
    assert done.stderr.count("\n") == 1


def test_show_of_a_file_that_is_no_receipt_exits_4(place):
    for data in (b"", b"hello", b"\xff" * 100, b"{}"):
        (place.root / "file").write_bytes(data)
        done = invoke("show", "file")
        assert (done.exit_code, done.stdout) == (4, "")
        assert "not an envelope" in done.stderr


def test_an_ambiguous_beginning_is_said_to_be_ambiguous(place):
    made, number = {}, 0
    while True:
        digest = Digest.of(b"%d" % number)
        if digest.hex[:6] in made:
            break
        made[digest.hex[:6]] = number
        number += 1
    place.receipts.put(b"%d" % number)
    place.receipts.put(b"%d" % made[digest.hex[:6]])
    done = invoke("show", digest.hex[:6])
    assert done.exit_code == 4
    assert "is ambiguous (2 matches)" in done.stderr


def test_verify_of_a_whole_receipt_exits_0(place, made):
    done = process("verify", "receipt.json", made.digest, cwd=place.root)
    assert done.returncode == 0
    lines = done.stdout.decode().splitlines()
    assert lines == 2 * [
        f"{made.digest}: signature verifies",
        f"  raw {Digest.of(b'[1]')}: present, digest holds",
    ]


def test_verify_in_json_is_one_document(place, made):
    done = process("verify", "receipt.json", "--json", cwd=place.root)
    assert json.loads(done.stdout) == [
        {
            "reference": "receipt.json",
            "ok": True,
            "receipt": made.digest,
            "files": [
                {"name": "raw", "digest": Digest.of(b"[1]"), "outcome": "present, digest holds"}
            ],
        }
    ]
    assert done.stderr == b""


def test_verify_with_another_key_exits_1(place, made):
    keys.generate(place.root / "other", "")
    done = process("verify", "receipt.json", "--key", "other.pub", cwd=place.root)
    assert done.returncode == 1
    assert b"the receipt is signed by another key, SHA256:" in done.stdout
    assert b"signature verifies" not in done.stdout


def test_verify_of_an_altered_signature_exits_1(place, made):
    spoil(place.root / "receipt.json", b'"sig":"', b'"sig":"AAAA')
    data = (place.root / "receipt.json").read_bytes()
    at = data.index(b"AAAA") + 4
    (place.root / "receipt.json").write_bytes(data[:at] + data[at + 4 :])
    done = process("verify", "receipt.json", cwd=place.root)
    assert done.returncode == 1
    assert b"does not verify" in done.stdout


def test_verify_where_the_raw_file_is_damaged_exits_1(place, made):
    spoil(place.objects.path(Digest.of(b"[1]")), b"1", b"2")
    done = process("verify", "receipt.json", "--json", cwd=place.root)
    assert done.returncode == 1
    [report] = json.loads(done.stdout)
    assert report["ok"] is False
    assert "is damaged" in report["files"][0]["outcome"]


def test_verify_where_the_stored_receipt_is_damaged_exits_1(place, made):
    spoil(place.receipts.path(made.digest), b"a", b"b")
    done = invoke("verify", made.digest)
    assert done.exit_code == 1
    assert "is damaged" in done.stdout


def test_verify_where_the_raw_file_is_missing_exits_3(place, made):
    place.objects.path(Digest.of(b"[1]")).unlink()
    done = process("verify", "receipt.json", cwd=place.root)
    assert done.returncode == 3
    assert b"is not in the store" in done.stdout


def test_verify_where_the_raw_file_is_withheld_exits_3_and_says_why(place, made, clock):
    place.objects.withhold(Digest.of(b"[1]"), "a password stood in it", clock)
    done = invoke("verify", "receipt.json")
    assert done.exit_code == 3
    assert "a password stood in it" in done.stdout


def test_verify_without_a_workspace_cannot_check_the_files(place, made, monkeypatch, tmp_path):
    (tmp_path / "away").mkdir()
    monkeypatch.chdir(tmp_path / "away")
    done = invoke("verify", place.root / "receipt.json")
    assert done.exit_code == 3
    assert "signature verifies" in done.stdout
    assert "no evidence.yaml" in done.stdout


def test_verify_of_what_is_no_receipt_exits_4_before_anything_else(place, made):
    (place.root / "bad.json").write_bytes(b"{}")
    done = invoke("verify", "receipt.json", "bad.json", "abcdef")
    assert done.exit_code == 4
    assert "signature verifies" in done.stdout
    assert "bad.json: not an envelope" in done.stdout
    assert "abcdef: 'abcdef' names nothing" in done.stdout


def test_verify_without_a_key_says_which_file_it_wanted(home):
    done = invoke("verify", "x")
    assert done.exit_code == 4
    assert done.stderr.endswith("id_ed25519.pub does not exist; give --key PUBLIC.pub\n")


def test_verify_of_nothing_is_wrong_usage(place):
    assert invoke("verify").exit_code == 2


def test_cat_writes_the_bytes_and_nothing_else(place, made):
    data = bytes(range(256)) * 10_000
    digest = place.objects.put(data)
    done = process("cat", digest, cwd=place.root)
    assert (done.returncode, done.stdout, done.stderr) == (0, data, b"")
    assert process("cat", digest.hex[:8], cwd=place.root).stdout == data


@pytest.mark.parametrize("short", [False, True])
def test_cat_writes_a_receipt_as_it_is_stored(place, made, short):
    done = process("cat", made.digest.hex[:8] if short else made.digest, cwd=place.root)
    assert (done.returncode, done.stdout) == (0, made.envelope.raw)


def test_cat_of_a_damaged_object_exits_1_and_writes_nothing(place, made):
    spoil(place.objects.path(Digest.of(b"[1]")), b"1", b"2")
    done = process("cat", Digest.of(b"[1]"), cwd=place.root)
    assert (done.returncode, done.stdout) == (1, b"")
    assert b"is damaged" in done.stderr


def test_cat_of_what_is_withheld_or_not_there_exits_4(place, made, clock):
    place.objects.withhold(Digest.of(b"[1]"), "a password stood in it", clock)
    done = invoke("cat", Digest.of(b"[1]"))
    assert done.exit_code == 4
    assert "a password stood in it" in done.stderr
    done = invoke("cat", Digest.of(b"never"))
    assert done.exit_code == 4
    assert "is not in the store" in done.stderr


def test_cat_into_a_reader_that_goes_away_is_quiet(place):
    digest = place.objects.put(bytes(8 * 1024 * 1024))
    child = subprocess.Popen(
        [sys.executable, "-m", "receipts.cli", "cat", digest],
        env={**os.environ, "PYTHONPATH": str(REPOSITORY), "PYTHONDONTWRITEBYTECODE": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert child.stdout.read(10) == bytes(10)
    child.stdout.close()
    assert child.stderr.read() == b""
    child.stderr.close()
    assert child.wait(timeout=60) == 74


def test_a_named_pipe_or_a_folder_is_not_taken_for_a_receipt(place):
    os.mkfifo(place.root / "pipe-abcdef")
    for name in ("pipe-abcdef", "."):
        assert process("show", name, cwd=place.root).returncode == 4


def test_help_is_instant_because_nothing_heavy_is_imported():
    script = "import sys; from receipts import cli; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=REPOSITORY, capture_output=True, text=True, check=True
    )
    heavy = {"numpy", "pydantic", "jinja2", "cryptography", "ruamel.yaml"}
    assert heavy.isdisjoint(done.stdout.split())


@pytest.mark.parametrize("command", [[], ["keygen"], ["list"], ["show"], ["verify"], ["cat"]])
def test_every_command_explains_itself(command):
    done = invoke(*command, "--help")
    assert done.exit_code == 0
    assert done.stdout.startswith("Usage: ")


@pytest.mark.parametrize("command", ["show", "verify", "cat"])
def test_a_name_is_told_to_be_the_ledger_s(place, command):
    done = invoke(command, "my-run")
    assert done.exit_code == 4
    assert "'my-run' is no digest and no file; names are the ledger's" in done.output


def test_withhold_takes_the_bytes_and_leaves_digest_and_reason(place, made):
    raw = Digest.of(b"[1]")
    done = invoke("withhold", raw, "--reason", "a password stood in it")
    assert (done.exit_code, done.stdout) == (0, f"withheld {raw}: a password stood in it\n")
    assert raw not in place.objects
    assert "a password stood in it" in invoke("cat", raw).stderr
    again = invoke("withhold", raw, "--reason", "another")
    assert again.exit_code == 4
    assert "is withheld since" in again.stderr
    assert "a password stood in it" in again.stderr


def test_withhold_takes_a_receipt_as_well_and_speaks_json(place, made):
    done = process("withhold", made.uri, "--reason", "a name", "--json", cwd=place.root)
    assert json.loads(done.stdout) == {"withheld": made.digest, "reason": "a name"}
    assert made.digest not in place.receipts
    assert Digest.of(b"[1]") in place.objects


@pytest.mark.parametrize(
    ("words", "code", "sentence"),
    [
        (["sha256:" + "3f" * 32, "--reason", "x"], 4, "is not in the store"),
        ([Digest.of(b"[1]")[:20], "--reason", "x"], 4, "is not a digest of the form"),
        ([Digest.of(b"[1]"), "--reason", " "], 4, "the reason must be one line of 1 to 1000"),
        ([Digest.of(b"[1]"), "--reason", "a\nb"], 4, "the reason must be one line of 1 to 1000"),
        ([Digest.of(b"[1]"), "--reason", "x" * 1001], 4, "the reason must be one line"),
        ([Digest.of(b"[1]")], 2, "Missing option '--reason'"),
    ],
)
def test_withhold_refuses_and_takes_nothing(place, made, words, code, sentence):
    done = invoke("withhold", *words)
    assert done.exit_code == code
    assert sentence in done.stderr
    assert place.objects.get(Digest.of(b"[1]")) == b"[1]"
