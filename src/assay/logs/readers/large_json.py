"""Large JSON files that are one object with a long list: the list is read one object at a time."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import IO

from assay.system.json import JsonObject, RepeatedKeys, parse_json
from assay.system.limits import check_size

MIN_BYTES = 64 << 20  # smaller files are read as a whole
BLOCK_BYTES = 4 << 20
_TAIL_BYTES = 200  # before a list, in which its key is
_LIST_LEVEL, _OBJECT_LEVEL = 2, 3


def read_list_of(path: Path, key: str, repeated: RepeatedKeys) -> tuple[JsonObject, Iterator[JsonObject]]:
    """Return the object of a file without the objects of its list `key`, and these objects one at a time."""
    head, places = index_list(path, key)
    content = parse_json(head, path.name, repeated=repeated)
    return content, _read_places(path, places, repeated)


def index_list(path: Path, key: str) -> tuple[bytes, list[tuple[int, int]]]:
    """Return a JSON object without the content of one of its lists, and where the objects of the list begin and end."""
    head, places = bytearray(), []
    is_inside, begin, tail = False, 0, b""
    with path.open("rb") as file:
        for offset, block, marks in _iterate_blocks(file):
            kept = 0
            for place, level in marks:
                mark = block[place : place + 1]
                if is_inside and level == _OBJECT_LEVEL:
                    if mark == b"{":
                        begin = offset + place
                    elif mark == b"}":
                        places.append((begin, offset + place + 1))
                elif is_inside and mark == b"]":
                    is_inside, kept = False, place
                elif (
                    level == _LIST_LEVEL
                    and mark == b"["
                    and _has_key(tail + block[max(0, place - _TAIL_BYTES) : place], key)
                ):
                    is_inside = True
                    head += block[kept : place + 1]
            head += b"" if is_inside else block[kept:]
            check_size(16 * len(head), path.name)
            tail = (tail + block)[-_TAIL_BYTES:]
    return bytes(head), places


def _has_key(before: bytes, key: str) -> bool:
    text = before[-_TAIL_BYTES:].rstrip()
    return text.endswith(b":") and text[:-1].rstrip().endswith(f'"{key}"'.encode())


def _iterate_blocks(file: IO[bytes]) -> Iterator[tuple[int, bytes, list[tuple[int, int]]]]:
    """Yield blocks with their offset, and the places and levels of their brackets that are at most three deep."""
    import numpy as np

    offset, depth, n_quotes, rest = 0, 0, 0, b""
    while chunk := file.read(BLOCK_BYTES):
        block = rest + chunk
        n_escapes = len(block) - len(block.rstrip(b"\\"))
        rest = b"\\" if n_escapes % 2 else b""
        block = block[: len(block) - len(rest)]
        plain = block.replace(b"\\\\", b"  ").replace(b'\\"', b"  ")
        raw = np.frombuffer(plain, np.uint8)
        quotes = raw == ord('"')
        is_outside = (n_quotes + np.cumsum(quotes, dtype=np.int32)) % 2 == 0
        n_quotes = (n_quotes + int(quotes.sum())) % 2
        folded = raw | 0x20  # [ becomes {, and ] becomes }
        places = np.flatnonzero(is_outside & ((folded == ord("{")) | (folded == ord("}"))))
        is_open = folded[places] == ord("{")
        depths = depth + np.cumsum(np.where(is_open, 1, -1))
        levels = depths + ~is_open  # of a closing bracket, the level of what it closes
        depth = int(depths[-1]) if len(depths) else depth
        chosen = (levels >= _LIST_LEVEL) & (levels <= _OBJECT_LEVEL)
        yield offset, block, list(zip(places[chosen].tolist(), levels[chosen].tolist(), strict=True))
        offset += len(block)


def _read_places(path: Path, places: list[tuple[int, int]], repeated: RepeatedKeys) -> Iterator[JsonObject]:
    with path.open("rb") as file:
        for begin, end in places:
            file.seek(begin)
            yield parse_json(file.read(end - begin), f"{path.name}, byte {begin:,}", repeated=repeated)
