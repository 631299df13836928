"""Stream the documents of a corpus in blocks: text by paragraph, JSON lines, CSV, TSV and Parquet by row."""

from __future__ import annotations

import csv
import functools
import glob
import io
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from assay.base.errors import AssayError, MissingFileError
from assay.data.readers.compression import check_regular_file, open_stream
from assay.data.readers.files import missing_file
from assay.data.readers.formats import get_format_suffix
from assay.system.json import RepeatedKeys, parse_json
from assay.system.links import check_links, get_fixed_folder
from assay.text.columns import to_block

BLOCK_BYTES = 1 << 20  # stays in the second-level cache while it is searched
MAX_DOCUMENT_BYTES = 1 << 26
BATCH_ROWS = 1024
TEXT_SUFFIXES = frozenset([".txt", ".text", ".md", ".rst", ".tex", ".html", ".htm", ".xml", ".py"])


class DocumentBlock(NamedTuple):
    """Some documents: the bytes of document d go from `starts[d]` to `ends[d]`."""

    data: NDArray[np.uint8]
    starts: NDArray[np.int64]
    ends: NDArray[np.int64]


def list_files(sources: Iterable[str | Path]) -> list[Path]:
    """Return the files of a corpus in order: files as named, folders and globs sorted by name."""
    files = [file for source in sources for file in _expand_source(source)]
    return list(dict.fromkeys(files))


def _expand_source(source: str | Path) -> list[Path]:
    path = Path(source)
    if path.is_dir():
        children = sorted(child for child in path.rglob("*") if child.is_file())
        files = [child for child in children if not _is_hidden(child.relative_to(path)) and _is_corpus_file(child)]
        if not files:
            endings = ", ".join(sorted(READERS.keys() | TEXT_SUFFIXES))
            raise AssayError("the folder holds no corpus files", place=path, hint=f"Their names end in {endings}.")
        check_links(files, path)
        return files
    if path.exists():
        return [path]
    if not glob.has_magic(str(source)):
        raise missing_file(path)
    matches = sorted(Path(name) for name in glob.glob(str(source), recursive=True))  # noqa: PTH207, absolute patterns
    files = [match for match in matches if match.is_file()]
    if not files:
        raise MissingFileError("no file matches", place=source)
    check_links(files, get_fixed_folder(path))
    return files


def _is_hidden(path: Path) -> bool:
    return any(part.startswith((".", "_")) for part in path.parts)


def _is_corpus_file(path: Path) -> bool:
    return get_format_suffix(path) in READERS.keys() | TEXT_SUFFIXES


def read_blocks(path: Path) -> Iterator[DocumentBlock]:
    """Read a file block by block, in memory that does not grow with the file."""
    check_regular_file(path)
    reader = READERS.get(get_format_suffix(path), _read_paragraphs)
    try:
        yield from reader(path)
    except AssayError:
        raise
    except OSError as error:
        raise AssayError(f"the file is damaged or cannot be read ({error})", place=path) from error


def pack_texts(texts: Iterable[str]) -> Iterator[DocumentBlock]:
    """Put texts into blocks."""
    pieces: list[bytes] = []
    n_bytes = 0
    for text in texts:
        pieces.append(text.encode("utf-8", "replace"))
        n_bytes += len(pieces[-1])
        if n_bytes >= BLOCK_BYTES:
            yield _pack(pieces)
            pieces, n_bytes = [], 0
    if pieces:
        yield _pack(pieces)


def _pack(pieces: list[bytes]) -> DocumentBlock:
    ends = np.cumsum([len(piece) for piece in pieces], dtype=np.int64)
    data = np.frombuffer(b"".join(pieces), np.uint8)
    return DocumentBlock(data, np.concatenate([[0], ends[:-1]]), ends)


def _read_chunks(path: Path) -> Iterator[bytes]:
    with open_stream(path) as stream:
        while chunk := stream.read(BLOCK_BYTES):
            yield chunk


def _read_paragraphs(path: Path) -> Iterator[DocumentBlock]:
    """Cut text at blank lines: a question that is split over lines stays in one document."""
    from assay.contamination.scanning import split_paragraphs

    rest = b""
    for chunk in _read_chunks(path):
        if b"\0" in chunk[:8192]:
            raise AssayError("this is a binary file", place=path, hint="A corpus is text, JSON lines, CSV or Parquet.")
        content = rest + chunk if rest else chunk
        data = np.frombuffer(content, np.uint8)
        is_last = len(content) > MAX_DOCUMENT_BYTES
        starts, ends, complete = split_paragraphs(data, len(content), is_last)
        rest = content[complete:]
        if len(starts):
            yield DocumentBlock(data, starts, ends)
    data = np.frombuffer(rest, np.uint8)
    starts, ends, _ = split_paragraphs(data, len(rest), True)
    if len(starts):
        yield DocumentBlock(data, starts, ends)


def _read_lines(path: Path) -> Iterator[bytes]:
    rest = b""
    for chunk in _read_chunks(path):
        lines = (rest + chunk).split(b"\n")
        rest = lines.pop()
        if len(rest) > MAX_DOCUMENT_BYTES:
            raise AssayError(f"a line has more than {MAX_DOCUMENT_BYTES:,} bytes", place=path)
        yield from lines
    if rest:
        yield rest


def _read_json(path: Path) -> Iterator[DocumentBlock]:
    """Take all texts of every record: a JSON object on each line, or an array of them."""
    first = next(_read_chunks(path), b"").lstrip(b"\xef\xbb\xbf \t\r\n")[:1]
    return pack_texts(_read_array(path) if first == b"[" else _read_records(path))


def _read_records(path: Path) -> Iterator[str]:
    for number, line in enumerate(_read_lines(path)):
        content = line.removeprefix(b"\xef\xbb\xbf") if number == 0 else line
        if content.strip():
            yield _join_texts(parse_json(content, f"{path}, line {number + 1}", repeated=RepeatedKeys()))


def _read_array(path: Path) -> Iterator[str]:
    from assay.data.readers.compression import read_content

    content = read_content(path).to_pybytes()
    for record in parse_json(content, path, repeated=RepeatedKeys()):
        yield _join_texts(record)


def _join_texts(value: Any) -> str:
    r"""Join all strings inside a record by line breaks.

    >>> _join_texts({"id": 3, "text": "One.", "turns": [{"say": "Two."}]})
    'One.\nTwo.'
    """
    return "\n".join(_iterate_texts(value))


def _iterate_texts(value: Any) -> Iterator[str]:
    """Yield all strings in order; without recursion, as records may be nested deeply."""
    stack = [value]
    while stack:
        each = stack.pop()
        if isinstance(each, str):
            yield each
        elif isinstance(each, dict):
            stack.extend(reversed(each.values()))
        elif isinstance(each, list | tuple):
            stack.extend(reversed(each))


def _read_tsv(path: Path) -> Iterator[DocumentBlock]:
    return pack_texts(line.decode("utf-8", "replace") for line in _read_lines(path) if line.strip())


def _read_csv(path: Path) -> Iterator[DocumentBlock]:
    csv.field_size_limit(MAX_DOCUMENT_BYTES)
    try:
        with io.TextIOWrapper(open_stream(path), "utf-8", "replace", newline="") as text:
            yield from pack_texts("\n".join(row) for row in csv.reader(text) if row)
    except csv.Error as error:
        raise AssayError(f"the rows cannot be read ({error})", place=path) from error


def _read_parquet(path: Path) -> Iterator[DocumentBlock]:
    from assay.data.readers.parquet import iterate_parquet, read_parquet_fields

    fields = [field for field in read_parquet_fields(path) if _may_hold_text(field.type)]
    batches = iterate_parquet(path, [field.name for field in fields], BATCH_ROWS)
    if fields and all(_is_text(field.type) for field in fields):
        yield from map(_join_columns, batches)
    else:
        yield from pack_texts(_join_texts(record) for batch in batches for record in batch.to_pylist())


def _join_columns(batch: Any) -> DocumentBlock:
    """Join the texts of every row by line breaks, without making Python strings."""
    import pyarrow as pa
    import pyarrow.compute as pc

    columns = [column.cast(pa.large_string()) for column in batch.columns]
    missing = functools.reduce(pc.and_, (column.is_null() for column in columns))
    columns[0] = pc.if_else(missing, "", columns[0])  # the join leaves out rows without any text
    texts = pc.binary_join_element_wise(*columns, pa.scalar("\n", pa.large_string()), null_handling="skip")
    data, bounds = to_block(texts)
    return DocumentBlock(data, bounds[:-1].copy(), bounds[1:].copy())


def _is_text(dtype: Any) -> bool:
    import pyarrow as pa

    return bool(pa.types.is_string(dtype) or pa.types.is_large_string(dtype) or pa.types.is_string_view(dtype))


def _may_hold_text(dtype: Any) -> bool:
    import pyarrow as pa

    return bool(_is_text(dtype) or pa.types.is_nested(dtype) or pa.types.is_dictionary(dtype))


READERS: dict[str, Callable[[Path], Iterator[DocumentBlock]]] = {
    ".jsonl": _read_json,
    ".ndjson": _read_json,
    ".json": _read_json,
    ".csv": _read_csv,
    ".tsv": _read_tsv,
    ".parquet": _read_parquet,
}
