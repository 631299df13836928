"""Ways to damage text: bytes, encodings, line ends, lines and the fields of tables."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from pathlib import PurePosixPath

from benchmarks.fuzz.mutant import Change, Mutant, choose_change

DEPTH = 3_000
LONG = 300_000
DIGITS = "9" * 5_000
ODD_CELLS = (
    *("", " ", "NaN", "nan", "inf", "-inf", "-1", "-0", "1e999", "1e400", "0x10", "1_000", "²", DIGITS, f"-{DIGITS}"),
    *("x", '"', "'", "\x00", "\x1b[2J", "\u202e", "\ufeff", "null", "None", "true", "[]", "{}", "[1, 2]", '{"a": 1}'),
    *("[" * DEPTH, '{"a":' * DEPTH, "a" * LONG, "=1+1", "1,5", "2024-13-45", "tie", "train", "::error::x"),
)
# Column names with a meaning somewhere in the package: a second one, or one with other content, must not end badly.
ROLE_NAMES = (
    *("id", "text", "label", "score", "gold", "predicted", "system", "dataset", "fold", "split", "part", "winner"),
    *("model_a", "model_b", "judge", "verdict", "metric", "value", "time", "group", "choices", "answer", "question"),
    *("context", "tokens", "tags", "query", "suspicion", "suggested", "cost", "n", "", " ", "Ünï", "\x1b[2J"),
)


def damage_bytes(content: bytes, _path: PurePosixPath, generator: random.Random) -> Mutant:
    """Change bytes anywhere."""
    changes: dict[str, Change] = {
        "truncate": lambda data, rng: data[: rng.randrange(len(data) + 1)],
        "flip bits": _flip_bits,
        "overwrite": lambda data, rng: _replace_span(data, rng, rng.randbytes),
        "delete bytes": lambda data, rng: _replace_span(data, rng, lambda _n: b""),
        "repeat bytes": _repeat_bytes,
        "zero bytes": lambda data, rng: _insert(data, rng, b"\x00" * rng.choice([1, 8, 4096])),
        "control characters": lambda data, rng: _insert(data, rng, rng.choice([b"\x1b[2J", b"\x07", b"\x0c", b"\x1a"])),
        "trailing garbage": lambda data, rng: data + rng.randbytes(rng.randrange(1, 200)),
        "leading garbage": lambda data, rng: rng.randbytes(rng.randrange(1, 20)) + data,
        "empty": lambda _data, rng: rng.choice([b"", b"\n", b" \t\r\n ", b"\x00"]),
        "twice": lambda data, _rng: data + data,
    }
    return choose_change(content, generator, changes)


def _flip_bits(content: bytes, generator: random.Random) -> bytes:
    damaged = bytearray(content or b" ")
    for _ in range(generator.randrange(1, 4)):
        damaged[generator.randrange(len(damaged))] ^= 1 << generator.randrange(8)
    return bytes(damaged)


def _replace_span(content: bytes, generator: random.Random, make: Callable[[int], bytes]) -> bytes:
    start = generator.randrange(len(content) + 1)
    stop = min(len(content), start + generator.randrange(1, 40))
    return content[:start] + make(stop - start) + content[stop:]


def _repeat_bytes(content: bytes, generator: random.Random) -> bytes:
    start = generator.randrange(len(content) + 1)
    stop = start + generator.randrange(1, 40)
    return content[:stop] + content[start:stop] + content[stop:]


def _insert(content: bytes, generator: random.Random, new: bytes) -> bytes:
    place = generator.randrange(len(content) + 1)
    return content[:place] + new + content[place:]


def damage_encoding(content: bytes, _path: PurePosixPath, generator: random.Random) -> Mutant:
    """Write the text in another encoding than UTF-8, or break UTF-8."""
    text = content.decode("utf-8", "replace")
    place = generator.randrange(len(text) + 1)
    accented = text[:place] + "naïve café" + text[place:]
    encoding = generator.choice(["latin-1", "cp1252", "cp037", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-7"])
    changes: dict[str, Change] = {
        f"encoded as {encoding}": lambda _data, _rng: accented.encode(encoding, "replace"),
        "byte order mark": lambda data, _rng: b"\xef\xbb\xbf" + data,
        "two byte order marks": lambda data, _rng: b"\xef\xbb\xbf" * 2 + data,
        "byte order mark inside": lambda data, rng: _insert(data, rng, b"\xef\xbb\xbf"),
        "foreign byte order mark": lambda data, rng: rng.choice([b"\xff\xfe", b"\xfe\xff", b"\xff\xfe\x00\x00"]) + data,
        "UTF-16 cut in a character": lambda _data, _rng: accented.encode("utf-16")[:-1],
        "cut in a character": lambda _data, _rng: text[:place].encode() + "é".encode()[:1],
        "part of a character": lambda data, rng: _insert(
            data, rng, rng.choice([b"\xc3", b"\xe2\x82", b"\xf0\x9f\x92"])
        ),
        "surrogate": lambda data, rng: _insert(data, rng, b"\xed\xa0\x80"),
        "overlong": lambda data, rng: _insert(data, rng, b"\xc0\xaf\xfe\xff"),
    }
    return choose_change(content, generator, changes)


def damage_line_ends(content: bytes, _path: PurePosixPath, generator: random.Random) -> Mutant:
    """Change line ends, or make lines very long."""
    changes: dict[str, Change] = {
        "CRLF": lambda data, _rng: data.replace(b"\n", b"\r\n"),
        "CR": lambda data, _rng: data.replace(b"\n", b"\r"),
        "mixed line ends": lambda data, rng: re.sub(
            rb"\n", lambda _match: rng.choice([b"\n", b"\r\n", b"\r", b"\n\n"]), data
        ),
        "Unicode line ends": lambda data, rng: data.replace(b"\n", rng.choice(["\u2028", "\x85", "\x0b"]).encode()),
        "no line ends": lambda data, _rng: data.replace(b"\n", b" "),
        "no last line end": lambda data, _rng: data.rstrip(b"\n"),
        "very long line": lambda data, rng: _insert(data, rng, rng.choice([b"a", b"a ", b"\t", b",", b'"']) * LONG),
        "many empty lines": lambda data, rng: _insert(data, rng, b"\n" * 20_000),
    }
    return choose_change(content, generator, changes, frozenset(["CRLF", "no last line end"]))


def damage_lines(content: bytes, _path: PurePosixPath, generator: random.Random) -> Mutant:
    """Remove, repeat or move lines."""
    lines = content.splitlines(keepends=True) or [b""]
    place, other = generator.randrange(len(lines)), generator.randrange(len(lines))
    kind = generator.choice(
        ["delete lines", "repeat a line", "swap lines", "empty line", "no first line", "only first line", "one line"]
    )
    if kind == "delete lines":
        del lines[place : place + generator.randrange(1, 4)]
    elif kind == "repeat a line":
        lines.insert(place, lines[place])
    elif kind == "swap lines":
        lines[place], lines[other] = lines[other], lines[place]
    elif kind == "empty line":
        lines.insert(place, generator.choice([b"\n", b" \n", b"\t\n"]))
    else:
        lines = {"no first line": lines[1:], "only first line": lines[:1], "one line": [lines[place]]}[kind]
    return Mutant(kind, b"".join(lines), keeps_rows=kind in ("repeat a line", "empty line"))


def damage_cells(content: bytes, _path: PurePosixPath, generator: random.Random) -> Mutant:
    """Change single cells of a table."""
    lines, separator = _split_lines(content)
    is_table = separator in lines[0]
    place = generator.randrange(max(1, len(lines) - 1))
    fields = lines[place].split(separator)
    column, other = generator.randrange(len(fields)), generator.randrange(len(fields))
    kind = generator.choice(["swap fields", "odd cell", "odd cell", "drop a field", "add a field", "open quote"])
    if kind == "swap fields":
        fields[column], fields[other] = fields[other], fields[column]
    elif kind == "odd cell":
        fields[column] = generator.choice(ODD_CELLS)
    elif kind == "drop a field":
        del fields[column]
    elif kind == "add a field":
        fields[column:column] = ["new"] * generator.choice([1, 1, 500])
    else:
        fields[column] = generator.choice(['"', '"a', 'a"b', '""a']) + fields[column]
    lines[place] = separator.join(fields)
    return Mutant(kind, "\n".join(lines).encode("utf-8", "surrogatepass"), keeps_rows=is_table and kind != "open quote")


def damage_columns(content: bytes, _path: PurePosixPath, generator: random.Random) -> Mutant:
    """Change whole columns of a table."""
    lines, separator = _split_lines(content)
    rows = [line.split(separator) for line in lines]
    column = generator.randrange(len(rows[0]))
    kind = generator.choice(
        "odd column,drop a column,repeat a column,rename a column,second column of a role,same name,repeat ids,"
        "other delimiter,empty column,move a column".split(",")
    )
    cell, name = generator.choice(ODD_CELLS), generator.choice(ROLE_NAMES)
    for number, row in enumerate(rows):
        if len(row) <= column:
            continue
        if kind == "drop a column":
            del row[column]
        elif kind in ("repeat a column", "second column of a role"):
            row.append(name if number == 0 and kind != "repeat a column" else row[column])
        elif kind == "rename a column":
            row[column] = name if number == 0 else row[column]
        elif kind == "same name":
            row[:] = [row[column]] * len(row) if number == 0 else row
        elif kind == "move a column":
            row.insert(0, row.pop(column))
        elif number > 0 and kind in ("odd column", "empty column"):
            row[column] = cell if kind == "odd column" else ""
        elif number > 1 and kind == "repeat ids":
            row[column] = rows[1][column] if len(rows[1]) > column else ""
    new = generator.choice([",", ";", "|", "\t", " ", "\x01"]) if kind == "other delimiter" else separator
    return Mutant(kind, "\n".join(new.join(row) for row in rows).encode("utf-8", "surrogatepass"))


def _split_lines(content: bytes) -> tuple[list[str], str]:
    lines = content.decode("utf-8", "replace").split("\n")
    return lines, next((mark for mark in ("\t", "|", "&", ",", " ") if mark in lines[0]), ",")


def damage_markup(content: bytes, _path: PurePosixPath, generator: random.Random) -> Mutant:
    """Change tags and attributes of XML."""
    text = content.decode("utf-8", "replace")
    tags = list(re.finditer(r"<[^<>]{1,300}>", text))
    kind = generator.choice("odd attribute,odd attribute,drop a tag,repeat a tag,odd tag,odd text,entity".split(","))
    if not tags:
        return damage_bytes(content, _path, generator)
    tag = generator.choice(tags)
    cell, end = generator.choice(ODD_CELLS), tag.end()
    if kind == "odd attribute":
        new = re.sub(r'"[^"]*"', lambda _match: f'"{generator.choice([cell, "99999999999", "XFD1"])}"', tag[0])
    elif kind == "entity":
        new = f'<!DOCTYPE x [<!ENTITY e "{"&e;" if generator.random() < 0.5 else "x" * 1_000}">]>{tag[0]}&e;'
    elif kind == "odd text":
        new = tag[0] + cell
    else:
        odd = generator.choice([f"</{tag[0][1:]}", "<", "<![CDATA[", "<!--", f"<{'a' * 3_000}>"])
        new = {"drop a tag": "", "repeat a tag": tag[0] * generator.choice([2, 500]), "odd tag": odd}[kind]
    return Mutant(kind, (text[: tag.start()] + new + text[end:]).encode("utf-8", "surrogatepass"))


def damage_settings(content: bytes, _path: PurePosixPath, generator: random.Random) -> Mutant:
    """Change a value or a name in TOML or YAML."""
    values = (
        *("", "x", '"x"', "1", "-1", "0", "true", "[]", "{}", "[[1]]", "nan", "inf", DIGITS, "1e999", "null", "~"),
        *(
            "2024-01-01",
            "2024-99-99",
            "12:60",
            "[" * DEPTH,
            "&a [*a]",
            "*b",
            "!!python/object:os.system x",
            '"\\ud800"',
        ),
        *("!!binary x", "0o77", "0x" + "f" * 5_000, "'a\tb'", '"""', "{a = 1, a = 2}", "<<: *b", "? x", "!!int x", "|"),
    )
    lines = content.decode("utf-8", "replace").split("\n")
    place = generator.choice([number for number, line in enumerate(lines) if re.search(r"[=:]", line)] or [0])
    kind = generator.choice(["odd value", "odd value", "odd value", "odd name", "repeat", "indent", "list bomb"])
    if kind == "odd value":
        lines[place] = re.sub(r"([=:]\s*).*", lambda match: match[1] + generator.choice(values), lines[place], count=1)
    elif kind == "odd name":
        name = generator.choice(["x", '""', "a.b.c", '"\\u001b[2J"', "data", "only", "json", "__class__", DIGITS])
        lines[place] = re.sub(r"^(\s*-?\s*)[\w\"-]+", lambda match: match[1] + name, lines[place], count=1)
    elif kind == "repeat":
        lines.insert(place, lines[place])
    elif kind == "indent":
        lines[place] = generator.choice([" ", "\t", "   ", "- ", "[", "]"]) + lines[place]
    else:
        bomb = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
        bomb += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 9)]
        lines[:0] = bomb
    return Mutant(kind, "\n".join(lines).encode("utf-8", "surrogatepass"))
