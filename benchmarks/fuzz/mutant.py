"""A damaged file, and the kind of function that makes one."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath


@dataclass(frozen=True)
class Mutant:
    """A damaged file.

    `keeps_rows` tells that no row was removed, so that none may disappear without a note. `name` is another name for
    the file, if the damage is in the name.
    """

    kind: str
    content: bytes
    keeps_rows: bool = False
    name: str = ""


# A way to damage a file takes its content, its path and the source of randomness.
Way = Callable[[bytes, PurePosixPath, random.Random], Mutant]
# A simple way changes bytes into bytes.
Change = Callable[[bytes, random.Random], bytes]


def choose_change(
    content: bytes, generator: random.Random, changes: Mapping[str, Change], keeping: frozenset[str] = frozenset()
) -> Mutant:
    """Apply one of several named changes; those in `keeping` remove no row."""
    kind = generator.choice(sorted(changes))
    return Mutant(kind, changes[kind](content, generator), keeps_rows=kind in keeping)
