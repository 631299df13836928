"""Which items a finding is about."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

import polars as pl

from assay.audits.items import MIN_SYSTEMS
from assay.checks.findings import Finding
from assay.information.cues.places import FIRST, ONE_OF_BOTH, ONLY_FIRST, ONLY_SECOND, SECOND, TEXT
from assay.suspects.results import LOW_SUSPICION, MIN_SUSPECTS, MIN_SUSPICION
from assay.text.characters import is_unspaced
from assay.views.values import MAX_IDS
from assay.wording.characters import replace_halves

WORD_RULES = ("A401",)


def _is_in_part(finding: Finding) -> pl.Expr:
    return pl.col("part") == finding.subject if finding.subject else pl.lit(value=True)


def _is_suspect(items: pl.DataFrame) -> pl.Expr:
    """Choose the suspects as the evidence does: if few are probably bad, those with a chance of one in four."""
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
    """Return whether `mark_items` marks every item of a finding, or only the first ones whose ids it keeps."""
    return finding.code in (*WORD_RULES, *_CONDITIONS) or len(finding.items) < MAX_IDS


def mark_items(
    finding: Finding,
    items: pl.DataFrame,
    texts: pl.Series | None = None,
    sides: tuple[pl.Series, ...] | None = None,
) -> pl.Series:
    """Mark the items a finding is about, in the order of the item table.

    Findings about a word need the texts, and for words of one text of a pair its `sides`; without these the first line
    break of a text separates them. For findings that keep only the ids of some items these are marked.

    >>> from assay.checks.findings import exact_number, make_finding
    >>> finding = make_finding("note", "A claim.", "An action.", exact_number(1), items=("b",))
    >>> mark_items(finding, pl.DataFrame({"id": ["a", "b"]})).to_list()
    [False, True]
    """
    finding = replace(
        finding,
        subject=replace_halves(finding.subject),
        items=tuple(map(replace_halves, finding.items)),
        words=tuple(map(replace_halves, finding.words)),
    )
    if finding.code in WORD_RULES:
        if texts is None:
            return pl.Series("flagged", [False] * len(items), dtype=pl.Boolean)
        return _mark_words(finding, sides or _split_pairs(texts))
    condition = _CONDITIONS.get(finding.code)
    # Ids with lone surrogates, which polars cannot hold, are in no table.
    ids = [name for name in finding.items if name.isascii() or name.encode("utf-8", "ignore").decode() == name]
    expression = pl.col("id").is_in(ids) if condition is None else condition(finding, items)
    return items.select(expression.fill_null(value=False).alias("flagged")).to_series()


def _split_pairs(texts: pl.Series) -> tuple[pl.Series, ...]:
    """Return what is before and after the first line break of each text."""
    parts = texts.str.splitn("\n", 2).struct
    return parts.field("field_0"), parts.field("field_1")


def _mark_words(finding: Finding, sides: tuple[pl.Series, ...]) -> pl.Series:
    """Mark the items that contain any of the words of a finding, or of its sequences of words, at their places."""
    words = finding.words or (finding.subject,)
    marked = pl.Series("flagged", [False] * len(sides[0]), dtype=pl.Boolean)
    for word, place in zip(words, finding.places or (TEXT,) * len(words), strict=True):
        if word.split():
            pattern = f"(?i){_match_words(word.split())}"
            first, *rest = (side.str.contains(pattern).fill_null(value=False) for side in sides)
            marked |= _match_place(place, first, rest[0] if rest else first & False)
    return marked


def _match_place(place: str, first: pl.Series, second: pl.Series) -> pl.Series:
    """Return which items have a word at a place, from those that have it in the first and in the second text."""
    conditions = {
        FIRST: first,
        SECOND: second,
        ONLY_FIRST: first & ~second,
        ONLY_SECOND: second & ~first,
        ONE_OF_BOTH: first ^ second,
    }
    return conditions.get(place, first | second)


def _match_words(words: Sequence[str]) -> str:
    """Return the pattern of a sequence of words, which begin and end anywhere in scripts without spaces."""
    pieces = [re.escape(word) for word in words]
    if all(is_unspaced(word[0]) for word in words):
        return r"\W*".join(pieces)
    return r"(?:^|\W)" + r"\W+".join(pieces) + r"(?:\W|$)"
