"""Explanations of findings: what they mean, how they are measured and when to ignore them.

The explanation is in docs/findings.md, or in the docstring of the rule: after the first line, paragraphs that begin with
`What:`, `When:`, `Do:` and `Limits:`.
"""

from __future__ import annotations

import inspect
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from assay.checks import FINDINGS, find_topic

_PACKAGED = Path(__file__).parent / "findings.md"  # in an installed package
_CHECKOUT = Path(__file__).parents[3] / "docs" / "findings.md"
_LINK = re.compile(r"\[([^\[\]]*)\]\([^()]*\)")
_PARAGRAPH = re.compile(r"^\*(\w+):\* (.+)$", re.M)
_DOCSTRING_PARAGRAPH = re.compile(r"(Why|What|When|Do|Limits): (.+)", re.S)


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
    parts = _read_pages().get(code) or _read_docstring(code)
    topic = find_topic(code)
    why = parts.get("Why") or ("The package with this rule is not installed." if topic is None else topic.why)
    return Explanation(why, parts.get("What", ""), parts.get("When", ""), parts.get("Limits", ""))


def _read_docstring(code: str) -> dict[str, str]:
    docstring = inspect.getdoc(FINDINGS[code].judge) if code in FINDINGS else None
    return {name: plain_text(text) for name, text in read_paragraphs(docstring or "").items()}


def read_paragraphs(docstring: str) -> dict[str, str]:
    r"""Return the named paragraphs of the docstring of a rule.

    >>> read_paragraphs("Report few items.\n\nWhat: Items of\nthe test part.\n\nWhen: A note below 100.")
    {'What': 'Items of the test part.', 'When': 'A note below 100.'}
    """
    matches = [_DOCSTRING_PARAGRAPH.fullmatch(paragraph.strip()) for paragraph in docstring.split("\n\n")]
    return {match[1]: " ".join(match[2].split()) for match in matches if match}


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
