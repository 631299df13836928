"""Ways to damage JSON: types of values, keys, numbers, containers, nesting and the notation itself."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Any

from benchmarks.fuzz.mutant import Change, Mutant, choose_change
from benchmarks.fuzz.text_mutations import DEPTH, DIGITS, LONG, damage_lines

MARK = "replaced by raw text"
ODD_VALUES: tuple[Any, ...] = (
    *(None, [], {}, "", "x", 0, -1, 1.5, True, False, float("nan"), float("inf"), -0.0, 10**400, 2**63, 1e308),
    *([[1]], [None], {"a": {}}, [{}], {"": None}, ["x", 1], "\x00", "\x1b[2J", "1", "nan", "²", "a" * 3_000, [0] * 500),
)
# Text that `json.dumps` does not write.
RAW_VALUES = (
    *(DIGITS, f"-{DIGITS}", f"0.{DIGITS}", "1e999", "-1e999", "1e-999", "-0", "NaN", "-Infinity", '"\\ud800"'),
    *('"\\u0000"', "[" * DEPTH + "]" * DEPTH, '{"a":' * DEPTH + "1" + "}" * DEPTH, f'"{"a" * LONG}"', "01", "+1"),
    *("[" * depth + "]" * depth for depth in (300, 480, 900, 980)),
    *(
        "'x'",
        "undefined",
        "[1,]",
        "{a: 1}",
        "/* x */ 1",
        '"a\nb"',
        '"\\x"',
        "tru",
        "[[],[[],[]]]",
        "[" + "1," * 9_999 + "1]",
    ),
)
KEYS = ("id", "text", "label", "score", "samples", "results", "data", "metrics", "version", "name", "", "\x1b[2J", "2")


def damage_json(content: bytes, _path: PurePosixPath, generator: random.Random) -> Mutant:
    """Change a value of a JSON document, or of one line of several documents."""
    try:
        document = json.loads(content)
    except (ValueError, RecursionError):
        return _damage_line(content, generator)
    return _damage_document(document, generator)


def _damage_line(content: bytes, generator: random.Random) -> Mutant:
    lines = content.splitlines() or [b""]
    place = generator.randrange(len(lines))
    try:
        inner = _damage_document(json.loads(lines[place]), generator)
    except (ValueError, RecursionError):
        return damage_lines(content, PurePosixPath(), generator)
    if inner.kind == "wrong type" and generator.random() < 0.2:  # the same in every line
        lines = [inner.content] * len(lines)
    lines[place] = inner.content
    return Mutant(f"{inner.kind} in a line", b"\n".join(lines) + b"\n", inner.keeps_rows)


def _damage_document(document: Any, generator: random.Random) -> Mutant:
    places = list(_list_places(document))
    kinds = ["wrong type", "wrong type", "other type", "raw value", "raw value", "delete a value", "swap values"]
    kinds += ["rename a key", "repeat a key", "repeat an element", "empty container", "every value of a key"]
    kinds += ["wrap a value", "cut a list", "another document"]
    kind = generator.choice(kinds) if places else "another document"
    if kind == "another document":
        raw = generator.choice(["", *RAW_VALUES, *(json.dumps(value) for value in ODD_VALUES)])
        return Mutant(kind, raw.encode())
    container, key = generator.choice(places)
    raw = ""
    if kind == "wrong type":
        container[key] = generator.choice(ODD_VALUES)
    elif kind == "other type":
        container[key] = _convert(container[key], generator)
    elif kind == "raw value":
        container[key], raw = MARK, generator.choice(RAW_VALUES)
    elif kind == "delete a value":
        del container[key]
    elif kind == "swap values":
        other, other_key = generator.choice(places)
        if other is container:
            container[key], other[other_key] = other[other_key], container[key]
    elif kind == "wrap a value":
        container[key] = generator.choice([[container[key]], {"value": container[key]}, json.dumps(container[key])])
    elif kind == "every value of a key":
        value = generator.choice(ODD_VALUES)
        for each, each_key in places:
            if each_key == key and each_key in (each if isinstance(each, dict) else range(len(each))):
                each[each_key] = value
    else:
        raw = _change_container(kind, container, key, generator)
    text = json.dumps(document, ensure_ascii=generator.random() < 0.5)
    return Mutant(kind, text.replace(json.dumps(MARK), raw).encode("utf-8", "surrogatepass"))


def _change_container(kind: str, container: Any, key: Any, generator: random.Random) -> str:
    """Change a container in place; return what replaces the mark, if one was set."""
    if kind == "empty container":
        container.clear()
    elif kind == "cut a list" and isinstance(container, list):
        del container[key:]
    elif kind == "repeat an element" and isinstance(container, list):
        container.extend([container[key]] * generator.choice([1, 1, 300]))
    elif kind == "rename a key" and isinstance(container, dict):
        container[generator.choice(KEYS)] = container.pop(key)
    elif isinstance(container, dict):  # a key that occurs twice, with another value
        value = container[key]
        container[key] = MARK
        first, second = generator.sample([json.dumps(value), json.dumps(generator.choice(ODD_VALUES))], 2)
        return f"{first}, {json.dumps(key)}: {second}"
    return ""


def _convert(value: Any, generator: random.Random) -> Any:
    """Return the value as another type, as close as possible."""
    text = value if isinstance(value, str) else json.dumps(value)
    others: list[Any] = [text, len(text), float(len(text)), bool(value), None, [value], {"0": value}, list(text[:50])]
    if isinstance(value, dict):
        others += [list(value.values()), list(value), list(value.items())]
    if isinstance(value, list):
        others += [dict(enumerate(value)), value[0] if value else None, [value, value]]
    return generator.choice(others)


def _list_places(value: Any) -> Iterator[tuple[Any, Any]]:
    entries = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in list(entries):
        yield value, key
        yield from _list_places(item)


def damage_notation(content: bytes, _path: PurePosixPath, generator: random.Random) -> Mutant:
    """Break the notation of JSON, or write several documents where one is expected."""
    changes: dict[str, Change] = {
        "single quotes": lambda data, _rng: data.replace(b'"', b"'"),
        "trailing commas": lambda data, _rng: data.replace(b"}", b",}"),
        "comments": lambda data, _rng: b"// comment\n" + data,
        "wrapped in a list": lambda data, _rng: b"[" + data + b"]",
        "wrapped in an object": lambda data, _rng: b'{"data": ' + data + b"}",
        "two documents": lambda data, _rng: data + b"\n" + data,
        "one line": lambda data, _rng: b" ".join(data.splitlines()),
        "as text": lambda data, _rng: json.dumps(data.decode("utf-8", "replace")).encode(),
        "unclosed": lambda data, rng: data.rstrip()[: -rng.randrange(1, 4)],
        "NaN": lambda data, _rng: data.replace(b": 0", b": NaN").replace(b": 1", b": Infinity"),
        "long digits": lambda data, _rng: data.replace(b": 1", b": " + DIGITS.encode()),
    }
    return choose_change(content, generator, changes)
