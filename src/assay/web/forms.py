"""Values of submitted forms, validated."""

from __future__ import annotations

import codecs
from collections.abc import Mapping, Sequence

from assay.base.errors import UsageError
from assay.checks import CHECKS
from assay.system.json import JsonObject
from assay.web.work.sources import ROLES

ENCODINGS = ("utf-8", "cp1252", "latin-1", "utf-16", "gb18030", "shift_jis", "euc_kr", "cp1251")
MAX_DIGITS = 20
MAX_IGNORED = 100
Form = Mapping[str, Sequence[str]]


def read_roles(form: Form, columns: Sequence[str]) -> JsonObject:
    """Return the column of every role; forms give the number of a column, as its name can contain anything.

    >>> read_roles({"text": ["1"], "text2": [""], "label": ["0"]}, ["y", "x"])["text"]
    ['x']
    """
    texts = [name for field in ("text", "text2") if (name := _find_column(form, field, columns)) is not None]
    if not texts:
        raise UsageError("No text column is chosen.", hint="Choose the column that contains the texts.")
    roles = {role: _find_column(form, role, columns) for role in ROLES}
    return {"text": texts, **roles}


def _find_column(form: Form, field: str, columns: Sequence[str]) -> str | None:
    number = form.get(field, [""])[0]
    if not number:
        return None
    if not _is_number(number) or int(number) >= len(columns):
        raise UsageError(f"There is no column number '{number[:20]}'.")
    return columns[int(number)]


def _is_number(text: str) -> bool:
    """Return whether a field is a whole number; Python refuses to read one of thousands of digits."""
    return text.isascii() and text.isdigit() and len(text) <= MAX_DIGITS


def read_encoding(form: Form) -> str:
    """Return the encoding of the data under its standard name.

    >>> read_encoding({"encoding": ["CP1252 "]})
    'cp1252'
    """
    name = form["encoding"][0].strip().lower() or "utf-8"
    try:
        return codecs.lookup(name).name
    except (LookupError, ValueError):
        raise UsageError(f"No encoding '{name[:40]}'.", hint=f"Common ones: {', '.join(ENCODINGS)}.") from None


def read_options(form: Form) -> JsonObject:
    """Return the options of the audit.

    >>> read_options({"seed": ["7"], "sections": ["profile"], "depth": ["full"]})
    {'quick': False, 'sections': ['profile'], 'seed': 7, 'private': False, 'ignore': []}
    """
    seed = form.get("seed", ["0"])[0].strip() or "0"
    if not _is_number(seed) or int(seed) >= 2**32:
        raise UsageError(f"The seed is '{seed[:20]}'; it must be a whole number from 0 to {2**32 - 1}.")
    sections = list(form.get("sections", []))
    for name in sections:
        CHECKS[name]  # raises an error that lists what exists
    if "depth" in form and not sections:
        raise UsageError("No section is chosen.", hint="Choose at least one.")
    return {
        "quick": form.get("depth", ["quick"])[0] != "full",
        "sections": [] if set(sections) >= set(form.get("offered", CHECKS)) else sections,
        "seed": int(seed),
        "private": bool(form.get("private")),
        "ignore": read_ignored(form),
    }


def read_ignored(form: Form) -> list[str]:
    r"""Return the findings to ignore, one on each line of the field.

    >>> read_ignored({"ignore": ["A401:not=negation\n\nA105"]})
    ['A401:not=negation', 'A105']
    """
    from assay.audits.ignore import read_ignore

    lines = [line.strip() for line in form.get("ignore", [""])[0].splitlines() if line.strip()]
    if len(lines) > MAX_IGNORED:
        raise UsageError(f"{len(lines):,} findings are to be ignored; at most {MAX_IGNORED} can be.")
    read_ignore(lines)  # raises an error for a code that does not exist
    return lines
