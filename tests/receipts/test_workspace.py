"""Finding `evidence.yaml`, and the folders around it."""

import pytest

from receipts import keys, workspace
from receipts.digest import Digest
from receipts.errors import MalformedError, NotFoundError

MINIMAL = "version: 1\norigin: perf.example.org/engine\n"


def write(folder, text):
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "evidence.yaml").write_text(text)


def test_it_is_found_upwards_from_a_folder_inside(home):
    write(home, MINIMAL)
    inner = home / "docs" / "deep"
    inner.mkdir(parents=True)
    assert workspace.find(inner) == workspace.find(home)
    assert workspace.find(inner).root == home


def test_the_nearest_one_wins(home):
    write(home, MINIMAL)
    write(home / "inner", MINIMAL.replace("engine", "inner"))
    assert workspace.find(home / "inner").configuration.origin == "perf.example.org/inner"


def test_where_there_is_none_the_remedy_is_named(home):
    with pytest.raises(NotFoundError, match=r"no evidence\.yaml here or above .*`ledger init`"):
        workspace.find(home)


def test_absent_fields_have_their_defaults(home):
    write(home, MINIMAL)
    found = workspace.find(home)
    assert found.ledger == home / "evidence/ledger.db"
    assert found.objects.root == home / "evidence/objects"
    assert found.receipts.root == home / "evidence/receipts"
    assert found.configuration.registers == ["claims.yaml"]
    assert found.log_key is None


def test_every_field_is_read(home, signing_key):
    write(
        home,
        MINIMAL
        + "ledger: a.db\nobjects: b\nreceipts: c\nregisters: [d.yaml]\ndocuments: [e.md]\n"
        + f"vocabulary: [f.yaml]\ngenesis: {'3f' * 32}\n"
        + f"log_key: {signing_key.public.openssh}\nanchor: checkpoint\n",
    )
    found = workspace.read(home)
    assert found.ledger == home / "a.db"
    assert found.log_key == signing_key.public
    assert found.configuration.genesis == "3f" * 32


@pytest.mark.parametrize(
    ("text", "place", "sentence"),
    [
        (MINIMAL + "orign: x\n", ":3:1", "orign: unknown field"),
        ("version: 1\n", ":1:1", "origin: is missing"),
        (MINIMAL + "genesis: 3f\n", ":3:1", "genesis: is not of the required form"),
        (MINIMAL + "registers: claims.yaml\n", ":3:1", "registers: must be a list"),
        (MINIMAL + "documents:\n", ":3:1", "the value is empty"),
        (MINIMAL.replace("1", "one"), ":1:1", "version: must be a whole number"),
        (MINIMAL.replace("1", "2"), "", "version 2 is not known"),
        ("- x\n", ":1:1", "value: "),
    ],
)
def test_a_fault_is_told_with_its_place(home, text, place, sentence):
    write(home, text)
    with pytest.raises(MalformedError) as caught:
        workspace.find(home)
    assert str(caught.value).startswith(f"{home / 'evidence.yaml'}{place}: {sentence}")


def test_a_pinned_key_that_is_none_is_refused(home):
    write(home, MINIMAL + "log_key: hello\n")
    with pytest.raises(MalformedError, match="is not a public key line"):
        _ = workspace.find(home).log_key


def test_keys_lie_in_the_persons_folders_and_not_beside_the_evidence(
    home, monkeypatch, signing_key
):
    config = home.parent / "home" / "config" / "evidence-ledger"
    assert workspace.config_dir() == config
    assert workspace.person_key_path() == config / "id_ed25519"
    assert workspace.log_key_path(signing_key.public).parent == config / "logs"
    assert workspace.state_dir() == home.parent / "home" / "state" / "evidence-ledger"
    monkeypatch.delenv("XDG_CONFIG_HOME")
    monkeypatch.setenv("XDG_STATE_HOME", "")
    assert workspace.config_dir() == home.parent / "home/.config/evidence-ledger"
    assert workspace.state_dir() == home.parent / "home/.local/state/evidence-ledger"


def test_the_persons_key_is_where_the_environment_says(home, monkeypatch):
    made = keys.generate(home.parent / "elsewhere" / "key", "")
    with pytest.raises(NotFoundError):
        workspace.person_key()
    monkeypatch.setenv("EVIDENCE_KEY", str(home.parent / "elsewhere" / "key"))
    assert workspace.person_key().public == made.public


def test_objects_and_receipts_are_two_stores(home):
    write(home, MINIMAL)
    found = workspace.find(home)
    digest = found.objects.put(b"x")
    assert digest == Digest.of(b"x")
    assert digest not in found.receipts
