"""Damage a file in a way that its format allows."""

from __future__ import annotations

import random
from functools import partial
from pathlib import PurePosixPath

from benchmarks.fuzz import binary_mutations as binary
from benchmarks.fuzz import text_mutations as text
from benchmarks.fuzz.json_mutations import damage_json, damage_notation
from benchmarks.fuzz.mutant import Mutant, Way

TWICE = 0.15  # share of mutants that are damaged once more
ANYWHERE: tuple[Way, ...] = (text.damage_bytes, binary.compress, binary.rename)
TEXT: tuple[Way, ...] = (text.damage_bytes, text.damage_encoding, text.damage_line_ends, text.damage_lines)
JSON: tuple[Way, ...] = (*[damage_json] * 5, damage_notation)
TABLE: tuple[Way, ...] = (*[text.damage_cells] * 3, *[text.damage_columns] * 3)
BINARY_TABLE: tuple[Way, ...] = (*[binary.damage_table] * 3, binary.damage_footer, binary.damage_footer)
SETTINGS: tuple[Way, ...] = (text.damage_settings,) * 4
WAYS: dict[str, tuple[Way, ...]] = {
    **dict.fromkeys((".parquet", ".pq", ".arrow", ".ipc", ".feather"), (*BINARY_TABLE, *ANYWHERE)),
    **dict.fromkeys((".json", ".jsonl", ".ndjson", ".jsonld"), (*JSON, *TEXT, binary.compress, binary.rename)),
    **dict.fromkeys((".toml", ".yaml", ".yml"), (*SETTINGS, *TEXT)),
    ".xml": (*[text.damage_markup] * 4, *TEXT, binary.compress, binary.rename),
    ".npz": (text.damage_bytes,),
    ".npy": (text.damage_bytes,),
}


def mutate(path: PurePosixPath, content: bytes, generator: random.Random) -> Mutant:
    """Damage a file once, sometimes twice; compressed files and archives are damaged inside or outside."""
    mutant = _mutate_once(content, path, generator)
    if generator.random() >= TWICE or mutant.name or not mutant.content:
        return mutant
    try:
        second = _mutate_once(mutant.content, path, generator)
    except Exception:  # what is damaged already may not be taken apart any more
        return mutant
    kind = f"{mutant.kind}, {second.kind}"
    return Mutant(kind, second.content, mutant.keeps_rows and second.keeps_rows, second.name)


def _mutate_once(content: bytes, path: PurePosixPath, generator: random.Random) -> Mutant:
    if path.suffix in binary.COMPRESSED:
        if generator.random() < 0.5:
            return binary.damage_compression(content, path, generator)
        inner = _mutate_once(binary.unpack(content, path.suffix), path.with_suffix(""), generator)
        packed = binary.pack(inner.content, path.suffix)
        return Mutant(f"{inner.kind} inside", packed, inner.keeps_rows)
    if path.suffix in (".eval", ".xlsx"):
        ways: tuple[Way, ...] = (*[partial(binary.damage_zip, damage_member=_mutate_once)] * 5, *ANYWHERE)
    else:
        ways = WAYS.get(path.suffix, (*TABLE, *TEXT, binary.compress, binary.rename))
    return generator.choice(ways)(content, path, generator)
