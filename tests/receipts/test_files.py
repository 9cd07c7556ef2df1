"""Files at the rim: bounded when read, whole or not at all when written."""

import os
from pathlib import Path

import pytest

from receipts import files
from receipts.errors import ConflictError, MalformedError, NotFoundError


def test_a_file_is_read_up_to_its_limit_and_not_beyond(tmp_path):
    path = tmp_path / "page.md"
    path.write_bytes(b"12345")
    assert files.read(path, 5, "page") == b"12345"
    with pytest.raises(MalformedError, match=r"page\.md: larger than 4 bytes; no page is so long"):
        files.read(path, 4, "page")


def test_what_is_no_file_is_told_in_one_line_and_never_waited_for(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "file").touch()
    for name, sentence in (
        ("gone", "the page does not exist; check the path"),
        ("file/inside", "the page does not exist; check the path"),
        (".", "the page is not a regular file; name a file"),
        ("pipe", "the page is not a regular file; name a file"),
    ):
        with pytest.raises(NotFoundError) as caught:
            files.read(tmp_path / name, 10, "page")
        assert str(caught.value) == f"{tmp_path / name}: {sentence}"


def test_text_that_is_not_utf_8_is_told_with_its_line(tmp_path):
    path = tmp_path / "page.md"
    path.write_bytes(b"one\ntwo \xff\n")
    with pytest.raises(MalformedError, match=r"page\.md:2: not UTF-8 text"):
        files.text(path, 100, "page")


def test_a_new_file_never_takes_the_place_of_another(tmp_path):
    path = tmp_path / "page.md"
    files.write_new(path, b"first")
    with pytest.raises(ConflictError, match="exists and is not replaced"):
        files.write_new(path, b"second")
    assert path.read_bytes() == b"first"
    assert [child.name for child in tmp_path.iterdir()] == ["page.md"]


def test_a_file_is_replaced_whole(tmp_path):
    path = tmp_path / "page.md"
    path.write_bytes(b"old and longer")
    files.replace(path, b"new")
    assert path.read_bytes() == b"new"
    assert path.stat().st_mode & 0o777 == 0o644
    assert [child.name for child in tmp_path.iterdir()] == ["page.md"]


def test_a_folder_that_is_not_there_is_told(tmp_path):
    with pytest.raises(NotFoundError, match=r"folder .*nowhere does not exist; create it"):
        files.replace(tmp_path / "nowhere" / "page.md", b"new")


def test_a_private_folder_is_private_with_every_parent_it_made(tmp_path):
    made = files.private_folder(tmp_path / "a" / "b")
    assert [oct(one.stat().st_mode & 0o777) for one in (made, made.parent)] == ["0o700"] * 2


def test_a_folder_is_not_replaced_and_nothing_is_left_beside_it(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder").mkdir()
    for path in (Path(), Path("folder"), tmp_path / "folder"):
        with pytest.raises(MalformedError, match=r"is a folder and is not replaced; name a file$"):
            files.replace(path, b"data")
    assert [path.name for path in tmp_path.rglob("*")] == ["folder"]


def test_a_rename_that_fails_leaves_no_file_behind(tmp_path):
    path = tmp_path / "inside"
    with pytest.raises(OSError, match="File name too long"):
        files.replace(path.with_name("n" * 300), b"data")
    assert list(tmp_path.iterdir()) == []
