"""Word vectors from files: word2vec binary, word2vec or GloVe text, plain or gzip."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, NamedTuple

import numpy as np
from numpy.typing import NDArray

from assay.base.errors import AssayError, MissingFileError
from assay.system.limits import check_unpacked_size

MAX_DIMENSIONS = 100_000
_MAX_LINE_BYTES = 40 * MAX_DIMENSIONS
_BLOCK_BYTES = 1 << 20
_MAX_WORD_BYTES = 10_000  # more before a space means that this is not a file of vectors


class WordVectors(NamedTuple):
    """Words and their vectors, row by row."""

    words: list[str]
    vectors: NDArray[np.float32]


def read_vectors(path: str | Path) -> WordVectors:
    """Read a file of word vectors; `.bin` (or `.bin.gz`) is word2vec's binary format, everything else text.

    A line of text is a word and its numbers; a first line of two whole numbers (word2vec's header) is skipped.
    """
    path = Path(path)
    try:
        with _open(path) as file:
            vectors = _read_binary(file, path) if ".bin" in path.suffixes[-2:] else _read_text(file, path)
    except FileNotFoundError as error:
        raise MissingFileError("there is no such file.", place=path) from error
    except (OSError, EOFError, zlib.error) as error:
        raise AssayError(f"it cannot be read: {getattr(error, 'strerror', None) or error}.", place=path) from error
    if not vectors.words:
        raise AssayError("there are no word vectors in it.", place=path)
    return vectors


def _open(path: Path) -> IO[bytes]:
    return gzip.open(path, "rb") if path.suffix == ".gz" else path.open("rb")  # type: ignore[return-value]


def _read_lines(file: IO[bytes], path: Path) -> Iterator[tuple[int, bytes]]:
    """Yield the lines that are not empty, with their numbers; none is longer than a bound."""
    n_packed, number, rest = path.stat().st_size, 0, b""
    while block := file.read(_BLOCK_BYTES):
        check_unpacked_size(file.tell(), n_packed, path)
        *lines, rest = (rest + block).split(b"\n")
        if len(rest) > _MAX_LINE_BYTES:
            fact = f"a line has more than {_MAX_LINE_BYTES:,} bytes."
            raise AssayError(fact, place=path, hint="Is it a file of word vectors?")
        yield from [(at, line) for at, line in enumerate(lines, number + 1) if line]
        number += len(lines)
    yield number + 1, rest


def _read_text(file: IO[bytes], path: Path) -> WordVectors:
    words: list[str] = []
    rows: list[NDArray[np.float32]] = []
    for number, line in _read_lines(file, path):
        fields = line.rstrip().split(b" ")
        if not line.strip() or (number == 1 and len(fields) == 2 and all(field.isdigit() for field in fields)):
            continue
        # GloVe has words with spaces in them: the last fields are the numbers, as many as in the first line.
        size = len(rows[0]) if rows else len(fields) - 1
        words.append(b" ".join(fields[: max(1, len(fields) - size)]).decode("utf-8", "replace"))
        rows.append(_parse_numbers(fields[-size:] if size else [], len(fields) - 1, size, f"{path}, line {number}"))
    return WordVectors(words, np.array(rows, np.float32))


def _parse_numbers(fields: list[bytes], n_fields: int, size: int, place: str) -> NDArray[np.float32]:
    if n_fields < size or not fields:
        expected = f"the first vector has {size}" if size else "at least one is expected"
        raise AssayError(f"{n_fields} numbers; {expected}.", place=place)
    try:
        return np.array(fields, dtype=np.float32)
    except ValueError as error:
        raise AssayError(
            f"this is not a word and {size} numbers.", place=place, hint="Is it a file of word vectors?"
        ) from error


def _read_binary(file: IO[bytes], path: Path) -> WordVectors:
    header = file.readline(100).split()
    if len(header) != 2 or not all(field.isdigit() for field in header):
        raise AssayError("a word2vec binary begins with its number of words and dimensions; this does not.", place=path)
    n_words, size = map(int, header)
    if not 1 <= size <= MAX_DIMENSIONS:
        raise AssayError(f"{size} dimensions; 1 to {MAX_DIMENSIONS:,} are read.", place=path)
    n_packed = path.stat().st_size
    words: list[str] = []
    rows: list[NDArray[np.float32]] = []
    for word, values in _read_records(file, n_words, 4 * size):
        if len(values) < 4 * size:
            raise AssayError(f"ends after {len(words)} of {n_words} vectors.", place=path, hint="Was it cut off?")
        check_unpacked_size(file.tell(), n_packed, path)
        words.append(word.decode("utf-8", "replace"))
        rows.append(np.frombuffer(values, "<f4"))
    return WordVectors(words, np.array(rows, np.float32).reshape(len(words), size))


def _read_records(file: IO[bytes], n_words: int, n_bytes: int) -> Iterator[tuple[bytes, bytes]]:
    for _ in range(n_words):
        word = bytearray()
        while (byte := file.read(1)) not in (b" ", b"") and len(word) < _MAX_WORD_BYTES:
            word += byte
        yield bytes(word).lstrip(b"\n"), file.read(n_bytes)
