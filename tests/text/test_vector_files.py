"""Files of word vectors are read, and errors name the file and the line."""

from __future__ import annotations

import gzip

import numpy as np
import pytest

from assay.base.errors import AssayError, MissingFileError
from assay.text import make_encoder
from assay.text.encoders.vector_files import read_vectors

BINARY = b"2 3\ncat " + np.array([1, 2, 3], "<f4").tobytes() + b"\nna\xc3\xafve " + np.array([4, 5, 6], "<f4").tobytes()
TEXT = "cat 1 2 3\nnaïve 4 5 6\n".encode()


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("v.bin", BINARY),
        ("v.bin.gz", gzip.compress(BINARY, mtime=0)),
        ("v.txt", TEXT),
        ("v.vec", b"2 3\n" + TEXT),
        ("v.txt.gz", gzip.compress(TEXT, mtime=0)),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_all_formats_give_the_same_vectors(tmp_path, name, content):
    (tmp_path / name).write_bytes(content)
    words, vectors = read_vectors(tmp_path / name)
    assert words == ["cat", "naïve"]
    assert vectors.tolist() == [[1, 2, 3], [4, 5, 6]]


def test_means_skip_unknown_words_and_use_capitalised_entries(tmp_path):
    (tmp_path / "v.txt").write_text("Paris 2 0\nin 0 4\nIn 9 9\n")
    vectors = make_encoder("word-vectors", vectors=tmp_path / "v.txt").fit_transform(["in PARIS today", "today"])
    assert vectors.tolist() == [[1, 2], [0, 0]]


def test_words_with_spaces_are_read_as_in_glove_files(tmp_path):
    (tmp_path / "v.txt").write_text("a 1 2\n. . 3 4\n")
    assert read_vectors(tmp_path / "v.txt").words == ["a", ". ."]


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("v.txt", b"", "v.txt: there are no word vectors in it"),
        ("v.txt", b"a 1 2\nb 1\n", r"v.txt, line 2: 1 numbers; the first vector has 2"),
        ("v.txt", b"a 1 2\nb 1 x\n", "v.txt, line 2: this is not a word and 2 numbers"),
        ("v.txt", b"hello\n", "v.txt, line 1: 0 numbers; at least one is expected"),
        ("v.bin", b"hello\n", "begins with its number of words and dimensions"),
        ("v.bin", BINARY[:-3], "v.bin: ends after 1 of 2 vectors. Was it cut off"),
        ("v.txt.gz", gzip.compress(TEXT, mtime=0)[:-9], "v.txt.gz: it cannot be read"),
        ("v.txt.gz", gzip.compress(TEXT, mtime=0)[:12] + b"\xff" * 20, "v.txt.gz: it cannot be read"),
        ("v.bin", b"2 99999999999999999999999\na ", "v.bin: 99999999999999999999999 dimensions; 1 to 100,000"),
        ("v.bin", b"99999999999 0\na b ", "v.bin: 0 dimensions; 1 to 100,000"),
        ("v.txt.gz", gzip.compress(bytes(5_000_000)), "v.txt.gz: a line has more than 4,000,000 bytes"),
        ("v.txt.gz", gzip.compress(b"\n" * (1 << 21)) * 40, "v.txt.gz: the content unpacks to more than 250 times"),
        ("v.txt.gz", b"plain", "v.txt.gz: it cannot be read: Not a gzipped file"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_damaged_file_is_an_error_that_names_the_place(tmp_path, name, content, message):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(AssayError, match=message):
        read_vectors(tmp_path / name)


def test_a_missing_file_is_an_error(tmp_path):
    with pytest.raises(MissingFileError, match=r"none\.txt: there is no such file"):
        read_vectors(tmp_path / "none.txt")
