"""Files are written whole or not at all, to if they were asked for."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest

from assay.base.errors import AssayError
from assay.system.files import (
    create_folder,
    make_temporary_folder,
    open_for_writing,
    open_temporary,
    remove_leftovers,
    write_bytes,
    write_together,
)


def test_a_failed_write_leaves_the_old_file_and_nothing_else(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("old")
    with pytest.raises(UnicodeEncodeError), open_for_writing(path) as file:
        file.write("new \ud800")
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


@contextmanager
def limit_file_size(n_bytes: int) -> Iterator[None]:
    """Let every write fail that makes a file larger, as on a full disk."""
    resource = pytest.importorskip("resource", reason="file sizes can be limited only on Unix")
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (n_bytes, limits[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)


def test_a_failed_write_names_its_file_and_leaves_nothing(tmp_path):
    with limit_file_size(1000):
        with pytest.raises(AssayError, match=r"figure.png: cannot be written: File too large. Free space on its disk"):
            write_bytes(tmp_path / "figure.png", b"\x89PNG" * 1000)
        with pytest.raises(AssayError, match=r"a.txt: cannot be written"), open_for_writing(tmp_path / "a.txt") as file:
            file.write("word " * 1000)
        with pytest.raises(AssayError, match=r"a.bin: cannot be written"), open_temporary(tmp_path / "a.bin") as path:
            np.zeros(1000).tofile(path)
    assert list(tmp_path.iterdir()) == []


def test_an_error_that_is_not_about_the_file_stays_as_it_is(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"other.txt"), open_for_writing(tmp_path / "a.txt"):
        (tmp_path / "other.txt").read_text()


def test_files_written_together_appear_together(tmp_path):
    with write_together():
        folder = create_folder(tmp_path / "new" / "folder")
        write_bytes(folder / "a", b"1")
        with open_for_writing(tmp_path / "now", at_once=True) as file:
            file.write("2")
        assert not (folder / "a").exists()
        assert (tmp_path / "now").exists()
    assert [path.name for path in folder.iterdir()] == ["a"]


def test_one_failed_file_takes_back_all_that_belong_to_it(tmp_path):
    def write_three() -> None:
        with write_together():
            write_bytes(tmp_path / "a", b"new")
            write_bytes(create_folder(tmp_path / "new" / "folder") / "c", b"new")
            write_bytes(tmp_path / "b", b"new" * 1000)

    (tmp_path / "a").write_text("old")
    with limit_file_size(1000), pytest.raises(AssayError, match=r"b: cannot be written"):
        write_three()
    assert (tmp_path / "a").read_text() == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["a"]


def test_a_long_name_can_be_written(tmp_path):
    write_bytes(tmp_path / ("n" * 250), b"1")
    assert (tmp_path / ("n" * 250)).read_bytes() == b"1"


KILLED = """
import os, sys
from pathlib import Path
from assay.system.files import make_temporary_folder, open_for_writing
with make_temporary_folder(sys.argv[1]) as folder, open_for_writing(Path(sys.argv[1]) / "a.txt") as file:
    (folder / "b.txt").write_text("half")
    file.write("half")
    os.kill(os.getpid(), 9)
"""


@pytest.mark.skipif(os.name != "posix", reason="whether a process runs is only asked on Unix")
def test_what_a_killed_process_left_is_removed_at_the_next_write(tmp_path):
    subprocess.run([sys.executable, "-c", KILLED, str(tmp_path)], check=False, timeout=60)
    assert len(list(tmp_path.iterdir())) == 2
    with open_for_writing(tmp_path / "c.txt") as file:
        kept = Path(file.name)
        assert remove_leftovers(tmp_path) == 0  # this process is still running
        assert kept.exists()
    assert [path.name for path in tmp_path.iterdir()] == ["c.txt"]


def test_files_of_others_are_never_removed(tmp_path):
    names = [".a.txt.part", "assay-data", ".a.assay-00000000-999999999-00000000.part", "notes.assay-1.part"]
    for name in names:
        (tmp_path / name).write_text("")
    assert remove_leftovers(tmp_path) == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(names)


def test_a_temporary_folder_that_cannot_be_made_is_one_line(tmp_path):
    says = r"A temporary folder cannot be created.*Set TMPDIR"
    with pytest.raises(AssayError, match=says), make_temporary_folder(tmp_path / "missing"):
        pass


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
