"""How much memory the content of one file may take, checked before it is decoded."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

from assay.base.errors import AssayError

VARIABLE = "ASSAY_MAX_BYTES"
CELL_BYTES = 24  # of a cell in memory next to its text: an offset and a view
# Text shrinks to a tenth, tables of few values to a hundredth; only a file that was made for it unpacks to more.
MAX_UNPACKED_RATIO = 250
MIN_UNPACKED_BYTES = 64 << 20
_CGROUP_LIMITS = (Path("/sys/fs/cgroup/memory.max"), Path("/sys/fs/cgroup/memory/memory.limit_in_bytes"))
_DEFAULT_MEMORY = 16 << 30


def max_bytes() -> int:
    """Return how many bytes a file may decode to: ASSAY_MAX_BYTES, or half of the memory of machine or container."""
    setting = os.environ.get(VARIABLE, "")
    if not setting:
        return _read_memory() // 2
    try:
        return int(float(setting))
    except (ValueError, OverflowError):
        raise AssayError(f"{VARIABLE} is '{setting}', which is not a number of bytes") from None


def check_size(n_bytes: int, place: object) -> None:
    """Raise for content that decodes to more bytes than `max_bytes`."""
    limit = max_bytes()
    if n_bytes > limit:
        raise AssayError(
            f"the content decodes to more than {limit:,} bytes",
            place=place,
            hint=f"Set {VARIABLE} to a larger number to read it.",
        )


def check_unpacked_size(
    n_bytes: int, n_packed: int, place: object, ratio: int = MAX_UNPACKED_RATIO, minimum: int = MIN_UNPACKED_BYTES
) -> None:
    """Raise for compressed content that unpacks to more than `max_bytes`, or to far more than text ever does."""
    check_size(n_bytes, place)
    check_ratio(n_bytes, n_packed, place, ratio, minimum)


def check_ratio(
    n_bytes: int, n_packed: int, place: object, ratio: int = MAX_UNPACKED_RATIO, minimum: int = MIN_UNPACKED_BYTES
) -> None:
    """Raise for compressed content that unpacks to far more than text ever does, unless `ASSAY_MAX_BYTES` is set."""
    if n_bytes > max(minimum, ratio * n_packed) and not os.environ.get(VARIABLE):
        raise AssayError(
            f"the content unpacks to more than {ratio} times its size",
            place=place,
            hint=f"If it is yours, set {VARIABLE} to the number of bytes that may be read.",
        )


def check_cell_count(n_rows: int, n_columns: int, place: object) -> None:
    """Raise for a table whose cells alone, without their texts, take more than `max_bytes`."""
    check_size(n_rows * n_columns * CELL_BYTES, place)


@cache
def _read_memory() -> int:
    """Return the memory of the machine, or of the container if that is less."""
    try:
        sizes = [os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")]
    except (ValueError, OSError, AttributeError):  # a system without sysconf
        sizes = [_DEFAULT_MEMORY]
    for path in _CGROUP_LIMITS:
        try:
            sizes.append(int(path.read_text(encoding="ascii")))
        except (OSError, ValueError):  # no such group, or "max"
            continue
    return min(sizes)
