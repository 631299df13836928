"""What a kind of finding means, how it is measured and when to ignore it: the page of docs/findings.md about it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from assay.checks import find_topic

_PACKAGED = Path(__file__).parent / "findings.md"  # in an installed package
_CHECKOUT = Path(__file__).parents[3] / "docs" / "findings.md"
_LINK = re.compile(r"\[([^\[\]]*)\]\([^()]*\)")
_PARAGRAPH = re.compile(r"^\*(\w+):\* (.+)$", re.M)


@dataclass(frozen=True)
class Explanation:
    """Why a kind of finding matters, how it is measured, when it is raised, and when it may be ignored."""

    why: str
    measured: str
    raised: str
    limits: str


def explain_rule(code: str) -> Explanation:
    """Return the explanation of a rule; parts that are not documented are empty.

    >>> explain_rule("A103").limits
    'Copies with different labels are also A104.'
    """
    parts = _read_pages().get(code, {})
    why = parts.get("Why") or find_topic(code).why
    return Explanation(why, parts.get("What", ""), parts.get("When", ""), parts.get("Limits", ""))


@cache
def _read_pages() -> dict[str, dict[str, str]]:
    path = _PACKAGED if _PACKAGED.exists() else _CHECKOUT
    if not path.exists():
        return {}
    pages: dict[str, dict[str, str]] = {}
    for page in path.read_text(encoding="utf-8").split("\n## ")[1:]:
        code, _, body = page.partition("\n")
        paragraphs = _PARAGRAPH.findall(body)
        pages[code.strip()] = {name: plain_text(text) for name, text in paragraphs}
    return pages


def plain_text(markdown: str) -> str:
    """Remove links and marks of code from a line of Markdown.

    >>> plain_text("Run `assay suspects` ([how](suspects.md)).")
    'Run assay suspects (how).'
    """
    return _LINK.sub(r"\1", markdown).replace("`", "")
