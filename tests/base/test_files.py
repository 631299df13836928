"""Files are written whole or not at all, to where they were asked for."""

from __future__ import annotations

import os

import pytest

from assay.base.errors import AssayError
from assay.base.files import open_for_writing, write_bytes


def test_a_failed_write_leaves_the_old_file_and_nothing_else(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("old")
    with pytest.raises(UnicodeEncodeError), open_for_writing(path) as file:
        file.write("new \ud800")
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_failed_write_of_bytes_leaves_nothing(tmp_path, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("assay.base.files.Path.chmod", full)
    with pytest.raises(AssayError, match=r"figure.png: cannot be written: No space left on device"):
        write_bytes(tmp_path / "figure.png", b"\x89PNG" * 100)
    assert list(tmp_path.iterdir()) == []


def test_a_link_stays_a_link(tmp_path):
    (tmp_path / "far").mkdir()
    target, link = tmp_path / "far" / "a.txt", tmp_path / "link.txt"
    target.write_text("old")
    link.symlink_to(target)
    with open_for_writing(link) as file:
        file.write("new")
    assert link.is_symlink()
    assert target.read_text() == "new"


def test_a_device_stays_a_device(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    with open_for_writing(pipe) as file:
        file.write("new")
    assert os.read(reader, 10) == b"new"
    os.close(reader)
    assert pipe.is_fifo()


@pytest.mark.parametrize("name", ["", "none/a.txt"])
def test_what_cannot_be_written_is_one_line(tmp_path, name):
    with pytest.raises(AssayError, match="cannot be written"), open_for_writing(tmp_path / name):
        pass
