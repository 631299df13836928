"""Biases of judges: position, length, and their own family."""

from __future__ import annotations

import math

import polars as pl

from assay.judges.systems import average_verdicts
from assay.judges.verdicts import Verdicts
from assay.statistics import Interval, wilson

FAMILIES = {
    "OpenAI": ("gpt", "chatgpt", "text-davinci", "text_davinci", "davinci", "o1", "o3", "o4"),
    "Anthropic": ("claude",),
    "Google": ("gemini", "gemma", "palm", "bard", "t5", "flan"),
    "Meta": ("llama", "opt"),
    "Mistral": ("mistral", "mixtral", "ministral", "magistral"),
    "Alibaba": ("qwen", "qwq"),
    "DeepSeek": ("deepseek",),
    "Cohere": ("command", "cohere", "aya"),
    "xAI": ("grok",),
    "Microsoft": ("phi", "orca", "wizardlm"),
}


def measure_flips(rows: pl.DataFrame, confidence: float) -> tuple[Interval, int]:
    """Return the share of items whose verdict changes with the order of the answers, and the number of items."""
    both = rows.filter(pl.col("swapped").is_not_null())
    pairs = both.filter(~pl.col("swapped")).join(both.filter(pl.col("swapped")), on="unit", suffix="_swapped")
    flips = int((pairs["verdict"] != pairs["verdict_swapped"]).sum())
    return wilson(flips, pairs.height, confidence), pairs.height


def measure_first_share(rows: pl.DataFrame, confidence: float) -> Interval:
    """Return how often the answer shown first wins, of decided verdicts; without an order, a is the first."""
    decided = rows.filter(pl.col("verdict").is_in(["a", "b"]))
    first = (decided["verdict"] == "a") ^ decided["swapped"].fill_null(False)
    return _measure_share(first, decided, confidence)


def measure_longer_share(rows: pl.DataFrame, confidence: float, column: str = "verdict") -> Interval:
    """Return how often the longer answer wins, of decided verdicts on answers of different length."""
    decided = rows.filter(pl.col(column).is_in(["a", "b"]) & (pl.col("length_a") != pl.col("length_b")))
    longer = (decided[column] == "b") == (decided["length_b"] > decided["length_a"])
    return _measure_share(longer, decided, confidence)


def _measure_share(flags: pl.Series, rows: pl.DataFrame, confidence: float) -> Interval:
    """Return the share of flags; if an item was shown in both orders, the interval is over items."""
    if not rows.height or rows["unit"].n_unique() == rows.height:
        return wilson(int(flags.sum()), rows.height, confidence)
    return average_verdicts(flags.to_numpy().astype(float), rows["unit"].to_numpy(), confidence, is_share=True)


def name_family(name: str) -> str | None:
    """Return the maker of a model, by the first word of its name; None if it is unknown.

    >>> name_family("openai/gpt-4o"), name_family("Llama-3-8B"), name_family("vote_1")
    ('OpenAI', 'Meta', None)
    """
    words = [name.lower(), name.lower().rpartition("/")[2]]
    return next((maker for word in words for maker, starts in FAMILIES.items() if word.startswith(starts)), None)


def measure_family_share(verdicts: Verdicts, judge: str, confidence: float) -> tuple[Interval, float]:
    """Return how often a judge prefers an answer of its own family to another, and how often other judges do.

    Only items with exactly one answer of the family count; for the others, the same items.
    """
    undefined = Interval(math.nan, math.nan, math.nan, confidence)
    family = name_family(judge)
    if family is None or not {"system_a", "system_b"} <= set(verdicts.frame.columns):
        return undefined, math.nan
    names = pl.concat([verdicts.frame[role].unique() for role in ("system_a", "system_b")]).drop_nulls().unique()
    own = [name for name in names if name_family(name) == family]
    decided = verdicts.frame.filter(pl.col("verdict").is_in(["a", "b"])).with_columns(
        pl.col("system_a").is_in(own).alias("own_a"), pl.col("system_b").is_in(own).alias("own_b")
    )
    mixed = decided.filter(pl.col("own_a") != pl.col("own_b"))
    mixed = mixed.with_columns(((pl.col("verdict") == "a") == pl.col("own_a")).alias("won"))
    mine = mixed.filter(pl.col("judge") == judge)
    if not mine.height:
        return undefined, math.nan
    rivals = mixed.filter((pl.col("judge") != judge) & pl.col("unit").is_in(mine["unit"].unique()))
    foreign = rivals.filter(pl.col("judge").map_elements(lambda name: name_family(name) != family, pl.Boolean))
    others = foreign["won"].mean()
    share = float(others) if isinstance(others, float) else math.nan
    return wilson(int(mine["won"].sum()), mine.height, confidence), share
