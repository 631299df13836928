"""Which items a finding is about."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

import polars as pl

from assay.audits.evidence.common import MAX_IDS
from assay.audits.findings import Finding
from assay.audits.items import MIN_SYSTEMS
from assay.suspects.results import LOW_SUSPICION, MIN_SUSPECTS, MIN_SUSPICION

WORD_RULES = ("A401",)


def _is_in_part(finding: Finding) -> pl.Expr:
    return pl.col("part") == finding.subject if finding.subject else pl.lit(value=True)


def _is_suspect(items: pl.DataFrame) -> pl.Expr:
    """Choose the suspects as the evidence does: where few are probably bad, those with a chance of one in four."""
    n_bad = int((items["suspicion"] >= MIN_SUSPICION).sum()) if "suspicion" in items.columns else 0
    return pl.col("suspicion") >= (MIN_SUSPICION if n_bad >= MIN_SUSPECTS else LOW_SUSPICION)


_ENOUGH = pl.col("n_systems") >= MIN_SYSTEMS
_CONDITIONS: dict[str, Callable[[Finding, pl.DataFrame], pl.Expr]] = {
    "A101": lambda finding, _: (pl.col("leak") == "exact") & _is_in_part(finding),
    "A102": lambda finding, _: (pl.col("leak") == "near") & _is_in_part(finding),
    "A103": lambda *_: pl.col("copy"),
    "A104": lambda *_: pl.col("conflicting"),
    "A105": lambda finding, _: pl.col("label") == finding.subject,
    "A108": lambda _, items: _is_suspect(items),
    "A301": lambda *_: pl.col("case") == "non-obvious",
    "A302": lambda *_: pl.col("case") == "obvious",
    "A406": lambda *_: pl.col("shortcut_solvable"),
    "A503": lambda *_: (
        _ENOUGH & ((pl.col("n_systems_right") == 0) | (pl.col("n_systems_right") == pl.col("n_systems")))
    ),
    "A504": lambda *_: pl.col("negative_discrimination"),
    "A801": lambda finding, _: (pl.col("contamination") > 0) & _is_in_part(finding),
    "A509": lambda _, items: _is_suspect(items),
}


def lists_all_items(finding: Finding) -> bool:
    """Tell whether `mark_items` marks every item of a finding, or only the first ones whose ids it keeps."""
    return finding.code in (*WORD_RULES, *_CONDITIONS) or len(finding.items) < MAX_IDS


def mark_items(finding: Finding, items: pl.DataFrame, texts: pl.Series | None = None) -> pl.Series:
    """Mark the items a finding is about, in the order of the item table.

    Findings about a word need the texts. For findings that keep only the ids of some items these are marked.

    >>> from assay.audits.findings.base import exact_number, make_finding
    >>> finding = make_finding("note", "A claim.", "An action.", exact_number(1), items=("b",))
    >>> mark_items(finding, pl.DataFrame({"id": ["a", "b"]})).to_list()
    [False, True]
    """
    finding = replace(
        finding, subject=_make_valid(finding.subject), items=tuple(_make_valid(name) for name in finding.items)
    )
    if finding.code in WORD_RULES:
        return _mark_word(finding.subject, texts, len(items))
    condition = _CONDITIONS.get(finding.code)
    # Ids with lone surrogates, which polars cannot hold, are in no table.
    ids = [name for name in finding.items if name.isascii() or name.encode("utf-8", "ignore").decode() == name]
    expression = pl.col("id").is_in(ids) if condition is None else condition(finding, items)
    return items.select(expression.fill_null(value=False).alias("flagged")).to_series()


def _make_valid(text: str) -> str:
    """Replace halves of surrogate pairs, which no frame can hold."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _mark_word(word: str, texts: pl.Series | None, n: int) -> pl.Series:
    if texts is None or not word:
        return pl.Series("flagged", [False] * n, dtype=pl.Boolean)
    return texts.str.contains(rf"(?i)(?:^|\W){re.escape(word)}(?:\W|$)").fill_null(value=False).alias("flagged")
