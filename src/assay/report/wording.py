"""Names of shortcut sets, splits and severities for people."""

from __future__ import annotations

_SHORTCUTS = {"P": "punctuation", "S": "stop words", "O": "overlap"}
SEVERITY_PLURALS = {"error": "errors", "warning": "warnings", "note": "notes"}


def name_shortcuts(shortcuts: str) -> str:
    """Write a set of shortcuts in words.

    >>> name_shortcuts("P+S")
    'punctuation + stop words'
    """
    parts = [part.strip() for part in shortcuts.split("+")]
    return " + ".join(_SHORTCUTS.get(part, part) for part in parts)


def name_split(split: str) -> str:
    """Name a split: the parts of the data itself are "given" in every chart and table."""
    return "given" if split == "standard" else split
