"""Names of shortcut sets for people."""

from __future__ import annotations

SHORT = {"P": "punctuation", "S": "stop words", "O": "overlap"}


def named(shortcuts: object) -> str:
    """Write a set of shortcuts.

    >>> named("P+S"), named(["P", "length"])
    ('punctuation + stop words', 'punctuation + length')
    """
    parts = shortcuts if isinstance(shortcuts, list) else str(shortcuts).split("+")
    return " + ".join(SHORT.get(str(part).strip(), str(part).strip()) for part in parts)
