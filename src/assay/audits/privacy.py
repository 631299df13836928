"""Take every word of the items out of an audit."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from assay.audits.finding import Finding
from assay.audits.section import Section
from assay.base.wording import quote
from assay.information.cues.word_kinds import is_function_word

WORD_LISTS = frozenset({"top_words", "top_words_by_label", "label_words", "typical_words", "words", "fold_words"})
WITHHELD = "(withheld)"


def withheld(sections: dict[str, Section], findings: list[Finding]) -> tuple[dict[str, Section], list[Finding]]:
    """Return sections without word lists, and cues and findings that name function words only."""
    kept = {name: replace(section, result=without_words(section.result)) for name, section in sections.items()}
    return kept, [without_token(found) for found in findings]


def without_words(value: Any) -> Any:
    """Return plain values with word lists emptied and the words of cues withheld."""
    if isinstance(value, list):
        return [without_words(item) for item in value]
    if not isinstance(value, dict):
        return value
    told = {name: _emptied(item) if name in WORD_LISTS else without_words(item) for name, item in value.items()}
    if isinstance(told.get("token"), str) and told.get("kind") != "number":
        told["token"] = shown(told["token"])
    return told


def without_token(found: Finding) -> Finding:
    """Return a finding whose words are withheld, in the claim and in the evidence, unless they are function words."""
    words = [found.evidence[name] for name in ("token",) if name in found.evidence] + found.evidence.get("tokens", [])
    claim = found.claim
    for word in words:
        claim = claim.replace(quote(word), quote(shown(word)))
    evidence = dict(found.evidence)
    if "token" in evidence:
        evidence["token"] = shown(evidence["token"])
    if "tokens" in evidence:
        evidence["tokens"] = [shown(word) for word in evidence["tokens"]]
    return replace(found, claim=claim, evidence=evidence)


def shown(word: str) -> str:
    """Return a function word as it is, any other withheld.

    >>> shown("not"), shown("excellent")
    ('not', '(withheld)')
    """
    return word if is_function_word(word) else WITHHELD


def _emptied(value: Any) -> Any:
    return {} if isinstance(value, dict) else []
