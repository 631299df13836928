"""Bytes of text files: UTF-8, or an error that names the byte and the likely encoding."""

from __future__ import annotations

import codecs
import unicodedata
from itertools import pairwise
from pathlib import Path

import pyarrow as pa

from assay.base.errors import AssayError, UsageError

_STEP = 1 << 20
_MARKS = {  # the longer marks first: UTF-32's begins with UTF-16's
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}


def as_utf8(content: pa.Buffer, encoding: str, path: Path) -> pa.Buffer:
    """Return the content as UTF-8 without byte-order mark, decoded where another encoding is asked for."""
    head = content[:4].to_pybytes()
    try:
        codec = codecs.lookup(encoding)
    except LookupError:
        raise UsageError(f"No encoding '{encoding}'. Usual ones: utf-8, cp1252, latin-1, utf-16, gb18030.") from None
    if codec.name not in ("utf-8", "utf-8-sig"):
        return _transcoded(content, codec.name, path)
    if head.startswith(codecs.BOM_UTF8):
        return content[3:]
    if any(head.startswith(mark) for mark in _MARKS):
        refuse_other_encoding(content, path)
    if every_other_is_nul(content[:8192].to_pybytes()):
        guess = likely_encoding(content, 0)
        raise AssayError(
            f"{path}, line 1: every other byte is 0x00; the file looks like {guess}. Read it with --encoding {guess}."
        )
    return content


def every_other_is_nul(head: bytes) -> bool:
    """Tell whether bytes look like UTF-16 of mostly Latin text."""
    even, odd = head[::2].count(0), head[1::2].count(0)
    return max(even, odd) > len(head) // 4 and min(even, odd) * 10 < max(even, odd)


def refuse_other_encoding(content: pa.Buffer, path: Path) -> None:
    """Raise for the first byte that is not UTF-8, with its position, its line and the likely encoding."""
    found = first_bad_byte(content)
    if found is None:
        return
    position, line = found
    byte = content[position : position + 1].to_pybytes()[0]
    guess = likely_encoding(content, position)
    by_mark = " by its byte-order mark" if guess in _MARKS.values() and position == 0 else ""
    raise AssayError(
        f"{path}, line {line}: byte 0x{byte:02x} at position {position:,} is not UTF-8; "
        f"the file looks like {guess}{by_mark}. Read it with --encoding {guess}."
    )


def first_bad_byte(content: pa.Buffer) -> tuple[int, int] | None:
    """Return position and line (from 1) of the first byte that is not UTF-8."""
    decoder, line = codecs.getincrementaldecoder("utf-8")(), 1
    for start in range(0, len(content), _STEP):
        piece = content[start : start + _STEP].to_pybytes()
        pending = len(decoder.getstate()[0])
        try:
            decoder.decode(piece, final=start + _STEP >= len(content))
        except UnicodeDecodeError as error:
            within = error.start - pending
            return start + within, line + piece[: max(within, 0)].count(b"\n")
        line += piece.count(b"\n")
    return None


def likely_encoding(content: pa.Buffer, position: int) -> str:
    """Guess the encoding of text that is not UTF-8, from the bytes around its first offending one."""
    head = content[:4].to_pybytes()
    for mark, name in _MARKS.items():
        if head.startswith(mark):
            return name
    start = max(0, position - 2000)
    sample = content[start : start + 20_000].to_pybytes()
    if sample.count(0) > len(sample) // 5:
        return "utf-16-le" if sum(sample[1::2]) < sum(sample[::2]) else "utf-16-be"
    return max(_CANDIDATES, key=lambda name: _plausibility(sample, name))


# In case of a tie the first wins: cp1252 is by far the commonest of files that are not UTF-8.
_CANDIDATES = ("cp1252", "gb18030", "shift_jis", "euc_kr", "big5", "euc_jp", "cp1251", "latin-1")
_SCRIPTS = {
    "cp1252": ("LATIN",),
    "latin-1": ("LATIN",),
    "gb18030": ("CJK",),
    "big5": ("CJK",),
    "shift_jis": ("HIRAGANA", "KATAKANA", "CJK"),
    "euc_jp": ("HIRAGANA", "KATAKANA", "CJK"),
    "euc_kr": ("HANGUL",),
    "cp1251": ("CYRILLIC",),
}
_COMMON = frozenset(
    "的一是不了人在有我他这这個们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年過发后作里用道行所然家種事成方多"
)


def _plausibility(sample: bytes, encoding: str) -> float:
    """Score how natural the non-ASCII characters look when read in an encoding; -1 where it cannot be."""
    try:
        text = codecs.getincrementaldecoder(encoding)().decode(sample, final=False)
    except UnicodeDecodeError:
        return -1.0
    letters = [character for character in text if ord(character) > 127]
    if not letters:
        return 0.0
    scores = [_naturalness(character, encoding) for character in letters]
    lone = sum(1 for before, after in pairwise(text) if _breaks_word(before, after))
    return sum(scores) / len(letters) - lone / len(letters)


def _naturalness(character: str, encoding: str) -> float:
    name = unicodedata.name(character, "")
    if not name.startswith(_SCRIPTS[encoding]):
        return 0.3 if unicodedata.category(character)[0] in "PSZ" else -0.5
    if name.startswith("HALFWIDTH") or (name.startswith("CJK") and character not in _COMMON):
        return 0.55
    return 1.0 if unicodedata.category(character) != "Lu" else 0.6


def _breaks_word(before: str, after: str) -> bool:
    """Tell whether an ideograph stands against a Latin letter, which misread Latin text is full of."""
    wide = [ord(character) > 0x2E80 for character in (before, after)]
    narrow = [character.isascii() and character.isalpha() for character in (before, after)]
    return (wide[0] and narrow[1]) or (narrow[0] and wide[1])


def _transcoded(content: pa.Buffer, encoding: str, path: Path) -> pa.Buffer:
    decoder, sink = codecs.getincrementaldecoder(encoding)(), pa.BufferOutputStream()
    for start in range(0, len(content), _STEP):
        piece = content[start : start + _STEP].to_pybytes()
        try:
            text = decoder.decode(piece, final=start + _STEP >= len(content))
        except UnicodeError as error:
            raise AssayError(f"{path} cannot be read as {encoding}, near byte {start:,}: {error}.") from error
        sink.write((text.removeprefix("\ufeff") if start == 0 else text).encode("utf-8", "replace"))
    return sink.getvalue()
