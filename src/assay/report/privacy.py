"""An audit without any text of its items, for pages that leave the house."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any


def without_texts(told: dict[str, Any]) -> dict[str, Any]:
    """Return an audit's plain values without item texts and word lists; of single words only function words stay."""
    from assay.audits.privacy import shown, without_words
    from assay.base.wording import quote

    said = {quote(word): quote(shown(word)) for one in told.get("findings") or [] for word in _words(one)}
    findings = [_withheld(one, said) for one in without_words(told.get("findings") or [])]
    rows = [{name: value for name, value in row.items() if name != "text"} for row in told.get("items_top") or []]
    sections = without_words(told.get("sections") or {})
    parts = {"findings": findings, "sections": sections, "items_top": rows, "verdict": _replaced(told["verdict"], said)}
    return {**told, **parts}


def _words(finding: dict[str, Any]) -> Iterator[str]:
    evidence = finding.get("evidence") or {}
    yield from (word for word in [evidence.get("token"), *(evidence.get("tokens") or [])] if isinstance(word, str))


def _withheld(finding: dict[str, Any], said: dict[str, str]) -> dict[str, Any]:
    from assay.audits.privacy import shown

    evidence = dict(finding.get("evidence") or {})
    if "tokens" in evidence:
        evidence["tokens"] = [shown(str(word)) for word in evidence["tokens"]]
    if isinstance(evidence.get("token"), str):
        evidence["token"] = shown(evidence["token"])
    return {**finding, "evidence": evidence, "claim": _replaced(str(finding.get("claim")), said)}


def _replaced(text: str, said: dict[str, str]) -> str:
    for word, instead in said.items():
        text = text.replace(word, instead)
    return text
