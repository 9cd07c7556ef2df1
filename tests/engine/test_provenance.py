"""Provenance: the format's rules one by one, and that it is about the file beside it."""

import json
import re
from pathlib import Path

import pytest

from engine import provenance
from engine.provenance import Dependency, Provenance
from receipts import canonical
from receipts.digest import Digest
from receipts.errors import MalformedError, NotFoundError, VerificationError

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "formats" / "provenance.md"
BINARY = b"\x7fELF a binary"


def made(**changes):
    facts = {
        "name": "mk.so",
        "binary": Digest.of(BINARY),
        "build_type": "urn:evidence-ledger:build:compiler:v1",
        "parameters": {"flags": ["-O3"], "program": "cc"},
        "dependencies": (Dependency.of("cpu.c", b"int x;"),),
        "versions": {"compiler": "cc 12"},
    }
    return Provenance(**{**facts, **changes})


@pytest.fixture
def binary(tmp_path):
    path = tmp_path / "mk.so"
    path.write_bytes(BINARY)
    provenance.beside(path).write_bytes(provenance.encode(made()))
    return path


def changed(change):
    """Return the bytes of a good file with its value changed in place."""
    value = json.loads(provenance.encode(made()))
    change(value)
    return canonical.encode(value) + b"\n"


def refused(data, *words):
    with pytest.raises(MalformedError) as raised:
        provenance.decode(data)
    for word in words:
        assert word in str(raised.value)


def test_what_is_written_is_read_back():
    commit = Dependency("engine", "gitCommit", "0a" * 20, uri="git+https://example.org/engine.git")
    for one in (made(), made(dependencies=(commit, Dependency.of("flags", b"")))):
        assert provenance.decode(provenance.encode(one)) == one


def test_prov_1_one_line_of_canonical_json():
    good = provenance.encode(made())
    assert good.count(b"\n") == 1
    for data in (good[:-1], b" " + good, good + b"\n", b"[]\n", b"\xff\n", b""):
        refused(data)
    refused(b"x" * provenance.MAX_BYTES + b"\n", "bytes")


@pytest.mark.parametrize("where", ["statement", "predicate", "buildDefinition", "runDetails"])
def test_prov_2_no_field_more_and_none_less(where):
    def at(value):
        predicate = value["predicate"]
        return {"statement": value, "predicate": predicate}.get(where) or predicate[where]

    refused(changed(lambda value: at(value).update(metadata={})), where)
    refused(changed(lambda value: at(value).popitem()), where)


@pytest.mark.parametrize("name", ["_type", "predicateType"])
def test_prov_3_only_this_statement_and_this_predicate(name):
    refused(changed(lambda value: value.update({name: "https://slsa.dev/provenance/v2"})), name)


@pytest.mark.parametrize(
    "subject",
    [
        [],
        [{"name": "a", "digest": {"sha256": "0" * 64}}] * 2,
        [{"name": "", "digest": {"sha256": "0" * 64}}],
        [{"name": "a", "digest": {"sha256": "0" * 63}}],
        [{"name": "a", "digest": {"gitCommit": "0" * 40}}],
        [{"name": "a", "digest": {"sha256": "0" * 64, "sha512": "0" * 128}}],
        "a",
    ],
)
def test_prov_4_one_subject_with_its_sha256(subject):
    refused(changed(lambda value: value.update(subject=subject)), "subject")


def test_prov_5_the_file_beside_is_the_subject(binary, tmp_path):
    assert provenance.beside(binary).name == "mk.so.provenance.json"
    assert provenance.read(binary) == made()
    binary.write_bytes(BINARY + b"!")
    with pytest.raises(VerificationError, match="build it again"):
        provenance.read(binary)
    with pytest.raises(NotFoundError, match="provenance"):
        provenance.read(tmp_path / "another")


def test_prov_5_another_name_is_another_file(binary):
    other = binary.rename(binary.with_name("other.so"))
    provenance.beside(other).write_bytes(provenance.encode(made()))
    with pytest.raises(VerificationError):
        provenance.read(other)


@pytest.mark.parametrize("field", ["build_type", "builder"])
@pytest.mark.parametrize("text", ["", "no-scheme", "urn: with space", 7])
def test_prov_6_types_and_builders_are_uris(field, text):
    with pytest.raises(MalformedError):
        provenance.encode(made(**{field: text}))


@pytest.mark.parametrize("parameters", [{}, {"flags": 1.5}, {"flags": None}])
def test_prov_7_what_was_chosen_is_told(parameters):
    with pytest.raises(MalformedError):
        provenance.encode(made(parameters=parameters))


@pytest.mark.parametrize(
    "dependencies",
    [
        [],
        [{"name": "a"}],
        [{"name": "a", "digest": {}}],
        [{"name": "a", "digest": {"md5": "0" * 32}}],
        [{"name": "a", "digest": {"gitCommit": "0" * 64}}],
        [{"name": "a", "digest": {"sha256": "A" * 64}}],
        [{"name": "", "digest": {"sha256": "0" * 64}}],
        [{"name": "a", "digest": {"sha256": "0" * 64}, "uri": "nowhere"}],
        [
            {"name": "a", "digest": {"sha256": "0" * 64}},
            {"name": "a", "digest": {"sha256": "1" * 64}},
        ],
        [["a"]],
    ],
)
def test_prov_8_every_source_once_by_its_digest(dependencies):
    def change(value):
        value["predicate"]["buildDefinition"]["resolvedDependencies"] = dependencies

    refused(changed(change))


@pytest.mark.parametrize("versions", [{}, {"compiler": ""}, {"compiler": 12}])
def test_prov_9_the_tools_say_their_versions(versions):
    with pytest.raises(MalformedError):
        provenance.encode(made(versions=versions))


def test_prov_10_equal_builds_have_equal_bytes():
    one, other = (provenance.encode(made()) for _ in range(2))
    assert one == other
    refused(
        changed(lambda value: value["predicate"]["runDetails"].update(metadata={"startedOn": "x"}))
    )


def test_the_example_of_the_page_is_what_would_be_written():
    page = PAGE.read_text(encoding="utf-8")
    [example] = re.findall(r"^```json\n(.*?\n)```", page, re.MULTILINE | re.DOTALL)
    found = provenance.decode(example.encode())
    assert found.name == "mk.so"
    assert provenance.encode(found) == example.encode()
