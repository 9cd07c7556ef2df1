"""The folder of a site: what is ours is replaced whole, what is not is left as it is."""

import os
import subprocess
from hashlib import sha256

import pytest

from claims.site import folder
from receipts import files
from receipts.errors import ConflictError, MalformedError, NotFoundError

PAGES = {"index.html": b"the register", "a.html": b"a", "b.html": b"b"}


def content(place):
    return {path.name: path.read_bytes() for path in place.iterdir()}


def marked(pages):
    lines = (f"{sha256(data).hexdigest()}  {name}\n" for name, data in sorted(pages.items()))
    return "".join(lines).encode()


def test_a_new_folder_holds_the_pages_and_their_list(tmp_path):
    done = folder.write(tmp_path / "site", PAGES)
    assert content(tmp_path / "site") == {**PAGES, "site.sha256": marked(PAGES)}
    assert (done.files, done.written, done.removed, done.left) == (3, 3, (), ())
    check = ["sha256sum", "--check", "--quiet", "--strict", "site.sha256"]
    assert subprocess.run(check, cwd=tmp_path / "site", check=False).returncode == 0


def test_pages_can_be_read_by_a_server(tmp_path):
    folder.write(tmp_path / "site", PAGES)
    assert {path.stat().st_mode & 0o777 for path in (tmp_path / "site").iterdir()} == {0o644}


def test_an_empty_folder_is_taken(tmp_path):
    folder.write(tmp_path, PAGES)
    assert content(tmp_path) == {**PAGES, "site.sha256": marked(PAGES)}


def test_what_did_not_change_is_not_written_again(tmp_path):
    folder.write(tmp_path, PAGES)
    before = (tmp_path / "a.html").stat()
    done = folder.write(tmp_path, {**PAGES, "b.html": b"other"})
    assert done.written == 1
    assert (tmp_path / "a.html").stat().st_ino == before.st_ino
    assert (tmp_path / "b.html").read_bytes() == b"other"


def test_a_page_of_ours_without_a_claim_is_removed_and_files_of_others_stay(tmp_path):
    folder.write(tmp_path, PAGES)
    (tmp_path / "CNAME").write_text("claims.example.org")
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "config").write_text("")
    done = folder.write(tmp_path, {"index.html": b"less"})
    assert done.removed == ("a.html", "b.html")
    names = {path.name for path in tmp_path.iterdir()}
    assert names == {"index.html", "site.sha256", "CNAME", ".git"}


def test_a_page_without_a_claim_that_somebody_changed_is_left_and_told(tmp_path):
    folder.write(tmp_path, PAGES)
    (tmp_path / "a.html").write_text("by hand")
    done = folder.write(tmp_path, {"index.html": b"less"})
    assert (done.removed, done.left) == (("b.html",), ("a.html",))
    assert (tmp_path / "a.html").read_text() == "by hand"


def test_a_folder_that_is_not_ours_is_refused_and_left_as_it_was(tmp_path):
    (tmp_path / "thesis.html").write_text("mine")
    with pytest.raises(ConflictError, match="it is no site of ours"):
        folder.write(tmp_path, PAGES)
    assert content(tmp_path) == {"thesis.html": b"mine"}


def test_a_page_of_somebody_else_in_our_folder_is_not_replaced(tmp_path):
    folder.write(tmp_path, {"index.html": b"the register"})
    (tmp_path / "a.html").write_text("mine")
    before = content(tmp_path)
    with pytest.raises(ConflictError, match=r"a\.html is not ours and is not replaced"):
        folder.write(tmp_path, PAGES)
    assert content(tmp_path) == before


def test_names_that_one_file_system_takes_for_one_are_refused(tmp_path):
    with pytest.raises(ConflictError, match=r"a\.html and A\.html would be one file"):
        folder.write(tmp_path / "site", {**PAGES, "A.html": b""})
    assert not (tmp_path / "site").exists()


@pytest.mark.parametrize("kind", ["file", "dangling link", "pipe"])
def test_what_is_no_folder_is_refused(tmp_path, kind):
    place = tmp_path / "site"
    if kind == "file":
        place.write_text("")
    elif kind == "pipe":
        os.mkfifo(place)
    else:
        place.symlink_to(tmp_path / "nowhere")
    with pytest.raises(MalformedError, match="is no folder"):
        folder.write(place, PAGES)


def test_a_link_to_a_folder_is_followed_and_a_link_inside_is_replaced(tmp_path):
    (tmp_path / "real").mkdir()
    (tmp_path / "site").symlink_to(tmp_path / "real")
    folder.write(tmp_path / "site", PAGES)
    (tmp_path / "victim").write_text("keep")
    (tmp_path / "real" / "a.html").unlink()
    (tmp_path / "real" / "a.html").symlink_to(tmp_path / "victim")
    folder.write(tmp_path / "site", PAGES)
    assert (tmp_path / "victim").read_text() == "keep"
    assert (tmp_path / "real" / "a.html").read_bytes() == b"a"
    assert not (tmp_path / "real" / "a.html").is_symlink()


def test_a_missing_parent_is_named(tmp_path):
    with pytest.raises(NotFoundError, match="does not exist; create it"):
        folder.write(tmp_path / "no" / "site", PAGES)


@pytest.mark.parametrize(
    "line", ["nonsense", "0" * 64 + "  ../escape.html", "0" * 64 + "  ", "g" * 64 + "  a.html"]
)
def test_a_list_that_is_not_ours_is_refused(tmp_path, line):
    (tmp_path / "site.sha256").write_text(f"{line}\n")
    with pytest.raises(MalformedError, match="is no line of ours"):
        folder.write(tmp_path, PAGES)
    assert sorted(content(tmp_path)) == ["site.sha256"]


@pytest.mark.parametrize("survived", range(5))
def test_a_crash_leaves_whole_pages_and_the_next_run_puts_all_right(
    tmp_path, monkeypatch, survived
):
    old = {**PAGES, "gone.html": b"gone"}
    new = {"index.html": b"a new register", "a.html": b"a new a", "c.html": b"c"}
    folder.write(tmp_path, old)
    real, left = files.replace, [survived]

    def failing(path, data, mode=0o644):
        if not left[0]:
            raise OSError(28, "No space left on device")
        left[0] -= 1
        real(path, data, mode)

    monkeypatch.setattr(files, "replace", failing)
    with pytest.raises(OSError, match="No space left"):
        folder.write(tmp_path, new)
    found = content(tmp_path)
    del found["site.sha256"]
    assert all(data in (old.get(name), new.get(name)) for name, data in found.items())
    if found["index.html"] == new["index.html"]:
        assert {name: found.get(name) for name in new} == new
    monkeypatch.setattr(files, "replace", real)
    folder.write(tmp_path, new)
    assert content(tmp_path) == {**new, "site.sha256": marked(new)}
