"""Parse JSON of unknown origin: bounded in memory and depth, and without overlooking repeated keys."""

from __future__ import annotations

import ast
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

from assay.base.errors import AssayError, MissingFileError, shorten
from assay.system.limits import VARIABLE, max_bytes
from assay.wording.characters import replace_halves

JsonObject: TypeAlias = dict[str, Any]  # an object of parsed JSON
MAX_DEPTH = 200  # of lists and objects inside each other
_LINE_END, _LONG_LINE = ord("\n"), 4_000
MAX_DIGITS = 4300  # of a whole number, which is the limit of Python
# The most that Python takes for the value that begins at a character, in addition to its text.
_VALUE_BYTES = {"{": 240, "[": 64, ",": 72, ":": 112}
_MAX_VALUE_BYTES = max(_VALUE_BYTES.values())
_TEXT_BYTES = 4  # of a character
_LITERAL_BYTES = 600  # of a value that Python's own parser reads, which builds a syntax tree first
_BLOCK_BYTES = 1 << 18
_QUOTE, _OPENER, _CLOSER = b'"{}'


class RepeatedKeys:
    """Collect the keys that objects have more than once; the last value of such a key counts."""

    def __init__(self) -> None:
        self.places: dict[str, object] = {}  # where each key is repeated first

    def add(self, key: str, place: object) -> None:
        """Note a repeated key."""
        self.places.setdefault(key, place)

    @property
    def notes(self) -> tuple[str, ...]:
        """Return a sentence on the repeated keys, if there are any.

        >>> keys = RepeatedKeys()
        >>> keys.add("label", "a.jsonl, line 3")
        >>> keys.notes
        ("a.jsonl, line 3: the key 'label' is repeated in one object; the last value is used.",)
        """
        if not self.places:
            return ()
        (key, place), *others = self.places.items()
        rest = f" So are {len(others):,} other keys." if len(others) > 1 else " So is another key." if others else ""
        return (f"{place}: the key '{shorten(key, 40)}' is repeated in one object; the last value is used.{rest}",)


class _RepeatedKeyError(Exception):
    """Raised for a key that an object has more than once."""


def _build_object(pairs: list[tuple[str, object]]) -> JsonObject:
    values = dict(pairs)
    if len(values) < len(pairs):
        raise _RepeatedKeyError
    return values


_DECODER = json.JSONDecoder(object_pairs_hook=_build_object)


def _make_builder(place: object, repeated: RepeatedKeys | None) -> Callable[[list[tuple[str, object]]], JsonObject]:
    def build_object(pairs: list[tuple[str, object]]) -> JsonObject:
        names: set[str] = set()
        for key, _ in pairs:
            if key in names:
                _handle_repeated(key, place, repeated)
            names.add(key)
        return dict(pairs)

    return build_object


def parse_json(
    content: str | bytes,
    place: object,
    *,
    limit: int | None = None,
    repeated: RepeatedKeys | None = None,
    hint: str = "",
) -> Any:
    """Parse a JSON document; every problem with it is an AssayError that names `place`.

    The Python objects may take at most `limit` bytes, by default as many as any file may (`max_bytes`). Keys that one
    object has twice are collected in `repeated`, or else are an error.

    >>> parse_json('{"a": [1, 2]}', "x.json")
    {'a': [1, 2]}
    """
    text = content if isinstance(content, str) else decode_json(content, place)
    check_json_size(text, place, limit)
    try:
        try:
            return _DECODER.decode(text)
        except _RepeatedKeyError:
            return json.loads(text, object_pairs_hook=_make_builder(place, repeated))
    except json.JSONDecodeError as error:
        raise AssayError(f"not JSON: {_describe_problem(error)}", place=place, hint=hint) from error
    except RecursionError as error:
        raise _too_deep(place) from error
    except AssayError:
        raise
    except ValueError as error:  # the only other one that Python raises
        fact = f"not JSON that can be read: a number has more than {MAX_DIGITS:,} digits"
        raise AssayError(fact, place=place) from error


def read_json(path: Path, place: object = None, *, repeated: RepeatedKeys | None = None, hint: str = "") -> Any:
    """Read a JSON file; `place` names it in messages, by default with its whole path."""
    place = path if place is None else place
    try:
        if path.stat().st_size * _TEXT_BYTES > max_bytes():
            raise _too_large(place, max_bytes())
        content = path.read_bytes()
    except FileNotFoundError as error:
        raise MissingFileError("there is no such file", place=place) from error
    except OSError as error:
        raise AssayError(f"cannot be read: {error.strerror}", place=place) from error
    return parse_json(content, place, repeated=repeated, hint=hint)


def replace_surrogates(value: object) -> object:
    r"""Return a JSON value in which a question mark replaces each half of a surrogate pair, which UTF-8 cannot hold.

    >>> replace_surrogates({"id": ["a\ud800"]})
    {'id': ['a?']}
    """
    if isinstance(value, dict):
        return {replace_surrogates(key): replace_surrogates(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [replace_surrogates(inner) for inner in value]
    return replace_halves(value) if isinstance(value, str) else value


def decode_json(content: bytes, place: object) -> str:
    """Return the text of a JSON document, which is UTF-8."""
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise AssayError(f"not JSON: byte {error.start:,} is not UTF-8", place=place) from error


def parse_literal(text: str) -> Any:
    """Return the value that a text shows as Python prints it, of types that JSON has too; else raise a ValueError.

    >>> parse_literal("['a', None]")
    ['a', None]
    """
    check_json_size(text, "a cell")
    n_values = text.count(",") + text.count("[") + text.count("{") + text.count("(")
    if n_values * _LITERAL_BYTES > max_bytes():
        raise AssayError("a list is too long to be read", place="a cell")
    try:
        value = ast.literal_eval(text)
        json.dumps(value)  # refuses sets, bytes, `...` and such keys
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError) as error:
        raise ValueError("not a value as Python prints it") from error
    return value


def check_json_size(text: str | bytes, place: object, limit: int | None = None) -> None:
    """Raise for JSON that would take more than `limit` bytes as Python objects, or is nested too deep.

    A first count takes every mark for a value; marks inside of texts are left out only if that matters.
    """
    limit = max_bytes() if limit is None else limit
    n_text = _TEXT_BYTES * len(text)
    if n_text > limit:
        raise _too_large(place, limit)
    may_be_large = len(text) * _MAX_VALUE_BYTES > limit - n_text
    if may_be_large:
        may_be_large = _measure_values({mark: _count(text, mark) for mark in _VALUE_BYTES}) > limit - n_text
    may_be_deep = len(text) > MAX_DEPTH and _count(text, "{") + _count(text, "[") > MAX_DEPTH
    if not may_be_large and not may_be_deep:
        return
    depth, counts = _scan_marks(text)
    if n_text + _measure_values(counts) > limit:
        raise _too_large(place, limit)
    if depth > MAX_DEPTH:
        raise _too_deep(place)


def check_line_depth(raw: bytes, place: object) -> None:
    """Raise for JSON lines nested too deep, before a parser that recurses without a limit reads them.

    Only long lines are looked at: polars 1 ends the process for lists nested more than about 5,000 deep.
    """
    import numpy as np

    ends = np.flatnonzero(np.frombuffer(raw, np.uint8) == _LINE_END)
    starts = np.concatenate(([0], ends + 1))
    lengths = np.append(ends, len(raw)) - starts
    for row in np.flatnonzero(lengths > _LONG_LINE):
        line = raw[starts[row] : starts[row] + lengths[row]]
        if _count(line, "{") + _count(line, "[") > MAX_DEPTH and _scan_marks(line)[0] > MAX_DEPTH:
            raise _too_deep(f"{place}, line {row + 1}")


def _count(text: str | bytes, mark: str) -> int:
    return text.count(mark) if isinstance(text, str) else text.count(mark.encode())


def _measure_values(counts: dict[str, int]) -> int:
    return sum(size * counts[mark] for mark, size in _VALUE_BYTES.items())


def _scan_marks(text: str | bytes) -> tuple[int, dict[str, int]]:
    """Return the depth of a document, and how often each mark is outside of texts."""
    import numpy as np

    raw = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
    raw = raw.replace(b"\\\\", b"").replace(b'\\"', b"") if b"\\" in raw else raw
    depth = deepest = n_quotes = 0
    counts = dict.fromkeys(_VALUE_BYTES, 0)
    for start in range(0, len(raw), _BLOCK_BYTES):
        block = np.frombuffer(raw, np.uint8, min(_BLOCK_BYTES, len(raw) - start), start)
        quotes = np.cumsum(block == _QUOTE, dtype=np.int32)
        block = block[(quotes + n_quotes) % 2 == 0]
        n_quotes += int(quotes[-1])
        for mark in counts:
            counts[mark] += int(np.count_nonzero(block == ord(mark)))
        folded = block | 0x20  # [ becomes {, and ] becomes }
        steps = folded[(folded == _OPENER) | (folded == _CLOSER)]
        if len(steps):
            depths = depth + np.cumsum(np.where(steps == _OPENER, 1, -1))
            depth, deepest = int(depths[-1]), max(deepest, int(depths.max()))
    return deepest, counts


def _handle_repeated(key: str, place: object, repeated: RepeatedKeys | None) -> None:
    if repeated is None:
        fact = f"not JSON that can be read: an object has the key '{shorten(key, 40)}' twice"
        raise AssayError(fact, place=place, hint="Remove one of them.")
    repeated.add(key, place)


def _describe_problem(error: json.JSONDecodeError) -> str:
    problem = error.msg.removesuffix(" starting at")
    line = f"line {error.lineno:,}, " if error.lineno > 1 else ""
    return f"{problem} at {line}column {error.colno:,}"


def _too_large(place: object, limit: int) -> AssayError:
    hint = f"Set {VARIABLE} to a larger number to read it." if limit == max_bytes() else ""
    return AssayError(f"the content decodes to more than {limit:,} bytes", place=place, hint=hint)


def _too_deep(place: object) -> AssayError:
    return AssayError(f"lists and objects are nested more than {MAX_DEPTH} deep", place=place)
