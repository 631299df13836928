"""Leaderboards as people keep them: which column names the system, which hold scores, and how cells are written."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import polars as pl

SYSTEM_NAMES = ("system", "model", "modelname", "systemname", "method", "submission", "name", "team", "fullname")
DATASET_NAMES = ("dataset", "benchmark", "task", "eval", "evaluation")
# Columns about a system that are no scores, by the words of their names.
RANK_NAMES = {"rank", "ranking", "position", "place", "no", "nr", "index", "unnamed"}
MEAN_NAMES = {"average", "avg", "mean", "overall", "total", "macroaverage", "microaverage"}
FACT_WORDS = {
    *("params", "param", "parameters", "size", "date", "year", "month", "day", "time", "timestamp", "license", "type"),
    *("url", "link", "paper", "code", "organization", "organisation", "org", "author", "authors", "revision", "sha"),
    *("likes", "downloads", "flagged", "precision", "architecture", "tokens", "cost", "price", "context", "window"),
    *("dimension", "dimensions", "memory", "votes", "co2", "arch", "weight", "submitted", "submission", "country"),
    *("fp32", "fp16", "bf16", "version", "id", "hash", "notes", "comment", "mode", "contaminated", "merged"),
}
_WORDS = re.compile(r"[a-z0-9]+")
_CELL = re.compile(
    r"^[*_†‡\s]*+(?P<number>[-−+]?[\d.,]+(?:e-?\d+)?)\s*+%?\s*+"
    r"(?:(?:±|\+/-|\+-)\s*+[\d.,]+\s*+%?|\([^)]*\))?[*_†‡\s]*+$"
)
_EMPHASIS = re.compile(r"\*\*|__|</?(?:b|i|u|strong|em)>|\\(?:textbf|underline|textit)\{|[{}$`]")
_LINK = re.compile(r"^(?:\[(?P<markdown>[^\]]+)\]\([^)]*\)|<a\b[^>]*>(?P<html>[^<]+)</a>)$")
_THOUSANDS = re.compile(r"^\d{1,3}(,\d{3})+(\.\d+)?$")


def find_system_column(columns: Sequence[str]) -> str | None:
    """Return the column that names the systems.

    >>> find_system_column(["Rank", "Model Name", "MMLU"])
    'Model Name'
    """
    plain = {"".join(_WORDS.findall(name.lower())): name for name in reversed(columns)}
    return next((plain[name] for name in SYSTEM_NAMES if name in plain), None)


def is_score_column(name: str, cells: pl.Series) -> bool:
    """Return whether a column holds scores: numbers, and not ranks, means of other columns or facts about systems."""
    words = _WORDS.findall(name.lower())
    joined = "".join(words)
    if joined in RANK_NAMES | MEAN_NAMES or not words or set(words) & FACT_WORDS:
        return False
    if words[0] in MEAN_NAMES or words[-1] in ("average", "avg"):
        return False
    if (words[0] == "n" and len(words) > 1) or any(word.endswith(("params", "stderr")) for word in words):
        return False
    if set(words) & {"std", "ci", "variance"} or {"standard", "error"} <= set(words):
        return False
    known = [cell for cell in cells.drop_nulls().to_list() if not is_missing_cell(cell)]
    numbers = sum(parse_cell(cell) is not None for cell in known)
    return 2 * numbers >= len(known)


def find_dataset_column(columns: Sequence[str]) -> str | None:
    """Return the column that names the datasets of a table with one column per system.

    >>> find_dataset_column(["Benchmark", "model-a", "model-b"])
    'Benchmark'
    """
    plain = {"".join(_WORDS.findall(name.lower())): name for name in reversed(columns)}
    return next((plain[name] for name in DATASET_NAMES if name in plain), None)


def strip_link(cell: str) -> str:
    """Return the text of a link in Markdown or HTML, and any other cell as it is.

    >>> strip_link("[qwen](https://example.org)"), strip_link('<a href="x">phi</a>'), strip_link("llama [7B]")
    ('qwen', 'phi', 'llama [7B]')
    """
    match = _LINK.match(cell.strip())
    return cell if match is None else (match["markdown"] or match["html"]).strip()


MISSING_CELLS = {"", "-", "–", "—", "nan", "na", "n/a", "n.a.", "null", "none", "tbd", "?", "x", "n/a*", "pending"}


def is_missing_cell(cell: str) -> bool:
    """Return whether a cell says that there is no score."""
    return cell.strip().lower() in MISSING_CELLS


def parse_cell(cell: str) -> float | None:
    """Read a score as it is written in leaderboards; None if it is no number.

    >>> [parse_cell(cell) for cell in ("90%", "90.1 ± 1.2", "90.1 (3)", "**77**", "1,234.5", "12.3.4")]
    [90.0, 90.1, 90.1, 77.0, 1234.5, None]
    >>> [parse_cell(cell) for cell in ("**96.4** ± 0.1", "<b>60</b>%")]
    [96.4, 60.0]
    """
    match = _CELL.match(_EMPHASIS.sub("", cell).strip())
    if match is None:
        return None
    text = match["number"].replace("−", "-")
    if _THOUSANDS.match(text.lstrip("+-")):
        text = text.replace(",", "")
    elif text.count(",") == 1 and "." not in text:
        text = text.replace(",", ".")
    try:
        return float(text)
    except ValueError:
        return None
