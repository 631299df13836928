"""Bytes of text files: UTF-8, or an error that names the byte and the likely encoding."""

from __future__ import annotations

import codecs
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa

from assay.base.errors import AssayError, UsageError
from assay.system.limits import check_size

_BLOCK_BYTES = 1 << 20
_SAMPLE_BYTES = 20_000
_BYTE_ORDER_MARKS = {  # the longer marks first: that of UTF-32 begins with that of UTF-16
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
# Codecs of Python that read text from escapes.
_ESCAPES = ("idna", "punycode", "raw_unicode_escape", "undefined", "unicode_escape")
# The encodings to guess among; where several fit equally well the first is taken.
_USUAL_ENCODINGS = (
    *("cp1252", "gb18030", "shift_jis", "euc_kr", "big5", "euc_jp"),
    *("cp1251", "koi8_r", "cp1250", "cp1253", "cp1254", "cp1255", "cp1256"),
)


class EncodingError(AssayError):
    """Text that is not UTF-8; `guess` names the encoding it is likely to be in."""

    def __init__(self, fact: str, *, place: object, guess: str) -> None:
        super().__init__(fact, place=place, hint=f"Read it with {{encoding}} {guess}.")
        self.guess = guess

    def __reduce__(self) -> tuple[Callable[..., AssayError], tuple[object, ...]]:
        return _rebuild_error, (self.fact, self.place, self.guess)


def _rebuild_error(fact: str, place: str | None, guess: str) -> EncodingError:
    return EncodingError(fact, place=place, guess=guess)


def to_utf8(content: pa.Buffer, encoding: str, path: Path) -> pa.Buffer:
    """Return the content as UTF-8 without byte-order mark, transcoded if another encoding is named."""
    codec = find_text_codec(encoding)
    if codec.name not in ("utf-8", "utf-8-sig"):
        return _transcode(content, codec.name, path)
    head = content[:4].to_pybytes()
    if head.startswith(codecs.BOM_UTF8):
        return content[3:]
    marked = next((name for mark, name in _BYTE_ORDER_MARKS.items() if head.startswith(mark)), None)
    if marked is not None:
        return _transcode(content, marked, path)
    if looks_like_utf16(content[:8192].to_pybytes()):
        guess = guess_encoding(content, 0)
        fact = f"every other byte is 0x00; the file looks like {guess}"
        raise EncodingError(fact, place=f"{path}, line 1", guess=guess)
    return content


def find_text_codec(encoding: str) -> codecs.CodecInfo:
    """Return the codec of a text encoding; codecs that compress or escape are none.

    >>> find_text_codec("latin-1").name
    'iso8859-1'
    """
    try:
        codec = codecs.lookup(encoding)
    except (LookupError, ValueError):  # a ValueError if the name contains a null character
        codec = None
    if codec is None or not codec._is_text_encoding or codec.name.replace("-", "_") in _ESCAPES:  # noqa: SLF001
        fact = f"is '{encoding}', which is not a text encoding"
        raise UsageError(fact, option="encoding", hint="Usual ones: utf-8, cp1252, latin-1, utf-16, gb18030.")
    return codec


def decode_text(content: pa.Buffer, encoding: str, path: Path) -> str:
    """Return the content as text without byte-order mark."""
    utf8 = to_utf8(content, encoding, path)
    check_utf8(utf8, path)
    return utf8.to_pybytes().decode("utf-8")


def looks_like_utf16(head: bytes) -> bool:
    """Return whether bytes look like UTF-16 of mostly Latin text."""
    n_even, n_odd = head[::2].count(0), head[1::2].count(0)
    return max(n_even, n_odd) > len(head) // 4 and min(n_even, n_odd) * 10 < max(n_even, n_odd)


def check_utf8(content: pa.Buffer, path: Path) -> None:
    """Raise for the first byte that is not UTF-8, with its position, its line and the likely encoding."""
    invalid = find_invalid_byte(content)
    if invalid is None:
        return
    position, line = invalid
    byte = content[position : position + 1].to_pybytes()[0]
    guess = guess_encoding(content, position)
    by_mark = " by its byte-order mark" if guess in _BYTE_ORDER_MARKS.values() and position == 0 else ""
    fact = f"byte 0x{byte:02x} at position {position:,} is not UTF-8; the file looks like {guess}{by_mark}"
    raise EncodingError(fact, place=f"{path}, line {line}", guess=guess)


def find_invalid_byte(content: pa.Buffer) -> tuple[int, int] | None:
    """Return the position and line (from 1) of the first byte that is not UTF-8."""
    decoder, line = codecs.getincrementaldecoder("utf-8")(), 1
    for start in range(0, len(content), _BLOCK_BYTES):
        block = content[start : start + _BLOCK_BYTES].to_pybytes()
        n_pending = len(decoder.getstate()[0])
        try:
            decoder.decode(block, final=start + _BLOCK_BYTES >= len(content))
        except UnicodeDecodeError as error:
            offset = error.start - n_pending
            return start + offset, line + block[: max(offset, 0)].count(b"\n")
        line += block.count(b"\n")
    return None


def guess_encoding(content: pa.Buffer, position: int) -> str:
    """Guess the encoding of text that is not UTF-8, from the bytes around its first invalid one."""
    head = content[:4].to_pybytes()
    for mark, name in _BYTE_ORDER_MARKS.items():
        if head.startswith(mark):
            return name
    start = max(0, position - 2000)
    sample = content[start : start + _SAMPLE_BYTES].to_pybytes()
    if sample.count(0) > len(sample) // 5:
        return "utf-16-le" if sum(sample[1::2]) < sum(sample[::2]) else "utf-16-be"
    return _guess_from_text(sample)


def _guess_from_text(sample: bytes) -> str:
    from charset_normalizer import from_bytes

    matches = from_bytes(sample, cp_isolation=list(_USUAL_ENCODINGS))
    best = matches.best()
    if best is None:
        return "latin-1"  # reads any bytes
    equal = [match for match in matches if (match.chaos, match.coherence) == (best.chaos, best.coherence)]
    names = {name for match in equal for name in (match.encoding, *match.could_be_from_charset)}
    return next((name for name in _USUAL_ENCODINGS if name in names), best.encoding)


def _transcode(content: pa.Buffer, encoding: str, path: Path) -> pa.Buffer:
    decoder, utf8 = codecs.getincrementaldecoder(encoding)(), bytearray()
    for start in range(0, len(content), _BLOCK_BYTES):
        block = content[start : start + _BLOCK_BYTES].to_pybytes()
        try:
            text = decoder.decode(block, final=start + _BLOCK_BYTES >= len(content))
        except UnicodeError as error:
            fact = f"the file cannot be read as {encoding}, near byte {start:,}: {error}"
            raise AssayError(fact, place=path) from error
        utf8 += (text.removeprefix("\ufeff") if start == 0 else text).encode("utf-8", "replace")
        check_size(len(utf8), path)
    return pa.py_buffer(utf8)
