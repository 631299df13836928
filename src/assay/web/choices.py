"""What a user chose in a form, checked."""

from __future__ import annotations

import codecs
from collections.abc import Mapping, Sequence
from typing import Any

from assay.base.errors import UsageError
from assay.report.sections import SECTION_ORDER, SECTION_VIEWS
from assay.web.sources import ROLES

ENCODINGS = ("utf-8", "cp1252", "latin-1", "utf-16", "gb18030", "shift_jis", "euc_kr", "cp1251")
Form = Mapping[str, Sequence[str]]


def chosen_roles(form: Form, columns: Sequence[str]) -> dict[str, Any]:
    """Return the column of every role; forms name columns by their number, as names may hold anything.

    >>> chosen_roles({"text": ["1"], "text2": [""], "label": ["0"]}, ["y", "x"])["text"]
    ['x']
    """
    texts = [name for field in ("text", "text2") if (name := _column(form, field, columns)) is not None]
    if not texts:
        raise UsageError("No text column is chosen. Choose the column that holds the texts.")
    roles = {role: _column(form, role, columns) for role in ROLES}
    return {"text": texts, **roles}


def _column(form: Form, field: str, columns: Sequence[str]) -> str | None:
    given = form.get(field, [""])[0]
    if not given:
        return None
    if not (given.isascii() and given.isdigit()) or int(given) >= len(columns):
        raise UsageError(f"There is no column number '{given[:20]}'.")
    return columns[int(given)]


def chosen_encoding(form: Form) -> str:
    """Return the encoding of the data, if there is such a one.

    >>> chosen_encoding({"encoding": ["CP1252 "]})
    'cp1252'
    """
    given = form["encoding"][0].strip().lower() or "utf-8"
    try:
        return codecs.lookup(given).name
    except (LookupError, ValueError):
        raise UsageError(f"No encoding '{given[:40]}'. Usual ones: {', '.join(ENCODINGS)}.") from None


def chosen_options(form: Form) -> dict[str, Any]:
    """Return how to run the audit.

    >>> chosen_options({"seed": ["7"], "sections": ["profile"], "depth": ["full"]})
    {'quick': False, 'sections': ['profile'], 'seed': 7, 'private': False}
    """
    seed = form.get("seed", ["0"])[0].strip() or "0"
    if not (seed.isascii() and seed.isdigit()) or int(seed) >= 2**32:
        raise UsageError(f"The seed is '{seed[:20]}'; give a whole number from 0 to {2**32 - 1}.")
    sections = list(form.get("sections", []))
    for name in sections:
        SECTION_VIEWS[name]  # raises, with what exists
    if "depth" in form and not sections:
        raise UsageError("No section is chosen. Choose at least one.")
    everything = set(sections) == set(SECTION_ORDER)
    depth, private = form.get("depth", ["quick"])[0], bool(form.get("private"))
    return {
        "quick": depth != "full",
        "sections": [] if everything else sections,
        "seed": int(seed),
        "private": private,
    }
