import pytest

from claims.pages import reading
from receipts import workspace
from receipts.errors import MalformedError, NotFoundError

CONFIGURATION = "origin: o\n"


def test_a_page_is_read_as_it_is_on_disk(tmp_path):
    path = tmp_path / "page.md"
    path.write_bytes("\ufeffone\r\ntwö\r".encode())
    assert reading.text(path) == "\ufeffone\r\ntwö\r"


def test_a_page_that_is_not_utf8_is_refused_with_its_line(tmp_path):
    path = tmp_path / "page.md"
    path.write_bytes(b"one\ntwo\nthr\xe9e\n")
    with pytest.raises(MalformedError, match=r"page\.md:3: not UTF-8 text"):
        reading.text(path)


@pytest.mark.parametrize("name", ["missing.md", "."])
def test_a_page_that_is_no_file_is_refused(tmp_path, name):
    with pytest.raises(NotFoundError, match=r"does not exist|is not a regular file"):
        reading.text(tmp_path / name)


def test_a_page_over_the_limit_is_refused_before_it_is_decoded(tmp_path):
    path = tmp_path / "page.md"
    with path.open("wb") as stream:
        stream.truncate(reading.MAX_BYTES + 1)
    with pytest.raises(MalformedError, match="larger than"):
        reading.text(path)


def test_documents_are_told_from_where_the_person_stands(tmp_path, monkeypatch):
    (tmp_path / "evidence.yaml").write_text(CONFIGURATION + "documents: [README.md, docs/a.md]\n")
    place = workspace.read(tmp_path)
    (tmp_path / "docs").mkdir()
    monkeypatch.chdir(tmp_path)
    assert list(map(str, reading.documents(place))) == ["README.md", "docs/a.md"]
    monkeypatch.chdir(tmp_path / "docs")
    assert list(map(str, reading.documents(place))) == ["../README.md", "a.md"]


def test_no_documents_is_said(tmp_path):
    (tmp_path / "evidence.yaml").write_text(CONFIGURATION)
    with pytest.raises(NotFoundError, match=r"evidence\.yaml names no documents"):
        list(reading.documents(workspace.read(tmp_path)))
