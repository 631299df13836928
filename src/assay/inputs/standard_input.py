"""Standard input as a file, so that every reader can take it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from assay.base.errors import AssayError
from assay.system.files import make_temporary_folder, open_for_writing
from assay.system.limits import check_size

NAME = "standard-input"
BLOCK_BYTES = 1 << 20
MAX_LINES = 100
_RULE_MARKS = b"|:- \t\r"  # of the line below the header of a table in Markdown
_MAGIC = {b"\x1f\x8b": ".gz", b"\x28\xb5\x2f\xfd": ".zst", b"PAR1": ".parquet", b"PK\x03\x04": ".eval"}


@contextmanager
def spool_standard_input() -> Iterator[Path]:
    """Copy standard input to a temporary file, whose name ends as its content asks for, and remove it afterwards."""
    with make_temporary_folder() as folder:
        first = sys.stdin.buffer.read(BLOCK_BYTES)
        if not first:
            raise AssayError("it is empty", place="standard input", hint="Send the file to it, or name the file.")
        path = folder / f"{NAME}{choose_suffix(first)}"
        n_bytes, block = 0, first
        with open_for_writing(path, "wb", at_once=True) as file:
            while block:
                n_bytes += len(block)
                check_size(n_bytes, "standard input")
                file.write(block)
                block = sys.stdin.buffer.read(BLOCK_BYTES)
        yield path


def choose_suffix(content: bytes) -> str:
    r"""Return the ending of a file name for content, by its first bytes.

    >>> [choose_suffix(content) for content in (b'{"text": "a"}', b"text\tlabel\n", b"text,label\n", b"PAR1...")]
    ['.json', '.tsv', '.csv', '.parquet']
    >>> choose_suffix(b"| model | MMLU |\n|---|---|\n| a | 70 |\n")
    '.md'
    """
    if content.startswith(b"PK\x03\x04") and b"[Content_Types].xml" in content[:BLOCK_BYTES]:
        return ".xlsx"
    packed = next((suffix for magic, suffix in _MAGIC.items() if content.startswith(magic)), None)
    if packed is not None:
        return packed
    if content.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] in (b"{", b"["):
        return ".json"
    if b"\\begin{" in content:
        return ".tex"
    lines = content.splitlines()[:MAX_LINES]
    if any(b"-" in line and b"|" in line and not line.strip(_RULE_MARKS) for line in lines):
        return ".md"
    return ".tsv" if b"\t" in content.partition(b"\n")[0] else ".csv"
