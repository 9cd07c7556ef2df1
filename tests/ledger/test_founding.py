"""`ledger init`: once, twice, interrupted, and where something is there already."""

import shutil

import pytest

from ledger import founding, log
from ledger.cli import ledger as command
from ledger.heads import Heads
from receipts import keys, workspace
from receipts.errors import ConflictError, MalformedError, NotFoundError


@pytest.fixture
def place(home):
    """The working directory of a fresh home, as `home` makes it."""
    return home


def init(*words):
    from click.testing import CliRunner

    return CliRunner().invoke(command, ["init", *words], catch_exceptions=False)


def run(*words):
    from click.testing import CliRunner

    return CliRunner().invoke(command, list(words), catch_exceptions=False)


def files(*folders):
    return {
        path: path.read_bytes()
        for folder in folders
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def test_init_makes_key_ledger_and_configuration(place):
    result = init("--origin", "perf.example.org/engine")
    assert result.exit_code == 0
    assert [line.split()[:2] for line in result.stdout.splitlines()] == [
        ["made", "key"],
        ["made", "ledger"],
        ["made", "entry"],
        ["made", "entry"],
        ["made", "configuration"],
    ]
    assert run("verify").exit_code == 0
    shown = run("key", "list").stdout
    assert "engineer, operator, runner" in shown
    person = workspace.person_key_path()
    assert person.stat().st_mode & 0o777 == 0o600
    found = workspace.find(place)
    log_key = workspace.log_key_path(found.log_key)
    assert log_key.stat().st_mode & 0o777 == 0o600
    assert keys.load(log_key).public == found.log_key


def test_init_twice_changes_nothing(place):
    assert init("--origin", "o").exit_code == 0
    before = files(place, place.parent)
    result = init("--origin", "o")
    assert result.exit_code == 0
    assert all(line.startswith("found ") for line in result.stdout.splitlines())
    assert files(place, place.parent) == before
    assert init().exit_code == 0
    assert files(place, place.parent) == before


def test_an_origin_never_changes(place):
    init("--origin", "one")
    before = files(place)
    for missing in (False, True):
        if missing:
            (place / "evidence.yaml").unlink()
            before = files(place)
        result = init("--origin", "two")
        assert result.exit_code == 4
        assert "is the ledger one; an origin never changes" in result.stderr
        assert files(place) == before


def test_without_an_origin_the_folder_names_the_ledger(place):
    init()
    assert workspace.find(place).configuration.origin == f"local/{place.name}"


@pytest.mark.parametrize("origin", ["with space", "plus+sign", "x" * 201, "é", "a\nb"])
def test_an_origin_that_cannot_name_a_checkpoint_is_refused(place, origin):
    result = init("--origin", origin)
    assert result.exit_code == 4
    assert not (place / "evidence" / "ledger.db").exists()
    assert not (place / "evidence.yaml").exists()


def step(place, name):
    """Undo what init does from the step called `name` on."""
    if name == "configuration":
        (place / "evidence.yaml").unlink()
    if name == "ledger":
        (place / "evidence.yaml").unlink()
        shutil.rmtree(place / "evidence")
    if name == "all but the person's key":
        step(place, "ledger")
        shutil.rmtree(workspace.config_dir() / "logs")


@pytest.mark.parametrize("name", ["configuration", "ledger", "all but the person's key"])
def test_an_interrupted_init_is_completed_by_the_next(place, name):
    init("--origin", "perf.example.org/engine")
    step(place, name)
    result = init("--origin", "perf.example.org/engine")
    assert result.exit_code == 0
    assert run("verify").exit_code == 0
    assert len(run("list").stdout.splitlines()) == 3


def test_an_init_interrupted_before_the_configuration_keeps_the_origin_of_genesis(place):
    init("--origin", "perf.example.org/engine")
    (place / "evidence.yaml").unlink()
    assert init().exit_code == 0
    assert workspace.find(place).configuration.origin == "perf.example.org/engine"
    assert run("verify").exit_code == 0


def test_an_init_interrupted_between_genesis_and_the_founders_roles_is_completed(place, clock):
    person = keys.generate(workspace.person_key_path(), "x")
    signer = keys.generate(place / "log", "x")
    (workspace.config_dir() / "logs").mkdir(parents=True)
    (place / "log").rename(workspace.log_key_path(signer.public))
    file = place / "evidence" / "ledger.db"
    log.create(file, {"title": "genesis", "origin": "o"}, person, signer, clock)
    result = init()
    assert result.exit_code == 0
    assert "made  entry 1 KEY" in result.stdout
    assert run("verify").exit_code == 0


def test_a_ledger_that_is_pinned_but_gone_is_never_made_anew(place):
    init()
    shutil.rmtree(place / "evidence")
    result = init()
    assert result.exit_code == 4
    assert "restore it from a backup (a fresh one would be a silent fork)" in result.stderr
    assert not (place / "evidence").exists()


def test_a_ledger_is_never_replaced_and_a_failed_one_leaves_no_file(
    place, signing_key, other_key, clock
):
    file = place / "ledger.db"
    fields = {"title": "genesis", "origin": "o"}
    log.create(file, fields, signing_key, other_key, clock)
    before = file.read_bytes()
    with pytest.raises(ConflictError, match="exists; a ledger is never replaced"):
        log.create(file, fields, signing_key, other_key, clock)
    assert file.read_bytes() == before
    with pytest.raises(MalformedError, match="origin"):
        log.create(place / "bad.db", fields | {"origin": ""}, signing_key, other_key, clock)
    assert [path.name for path in place.iterdir()] == ["ledger.db"]


def test_ent_7_one_key_as_log_key_and_operator_is_refused_and_leaves_no_file(
    place, signing_key, clock
):
    fields = {"title": "genesis", "origin": "o"}
    with pytest.raises(MalformedError, match="the log key signs checkpoints and nothing else"):
        log.create(place / "ledger.db", fields, signing_key, signing_key, clock)
    assert list(place.iterdir()) == []


def test_somebody_elses_ledger_is_found_and_not_written(founded, tmp_path, monkeypatch):
    """A person without a role in it opens the workspace on a fresh machine."""
    monkeypatch.setenv("HOME", str(tmp_path / "fresh"))
    before = founded.path.read_bytes()
    known = Heads(tmp_path / "heads")
    done = founding.found(founded.root, None, known, founded.clock, lambda _: b"")
    assert founded.path.read_bytes() == before
    assert [what.split()[0] for what in done.made] == ["key"]
    with pytest.raises(NotFoundError):
        workspace.find(tmp_path)
