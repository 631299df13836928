"""Scores that people or judges gave to answers, read as item scores: the published means."""

from __future__ import annotations

import polars as pl
import pytest

import assay


def read_table(path):
    return pl.read_csv(path, separator="\t", quote_char=None, infer_schema_length=0)


def test_newstest2020(shared):
    published = {
        "Human-B.0": -0.746,
        "Human-A.0": -0.911,
        "Human-P.0": -1.410,
        "Tohoku-AIP-NTT.890": -2.018,
        "OPPO.1535": -2.248,
        "eTranslation.737": -2.332,
        "Tencent_Translation.1520": -2.353,
        "Huoshan_Translate.832": -2.445,
        "Online-B.1590": -2.475,
        "Online-A.1574": -2.987,
    }
    table = read_table(shared("wmt_mqm_ted_ende/newstest2020_ende_mqm.tsv.gz"))
    systems = {name: table[name].cast(pl.Float64).to_list() for name in published}
    result = assay.evaluate(None, assay.evaluation.Predictions.from_arrays(None, systems), compare=False)
    assert {system.system: round(system.value, 3) for system in result.systems} == published
    assert result.metric == "mean-score"


def test_summeval(shared):
    """The mean ratings of three systems on four dimensions, and their ranks by coherence."""
    frame = read_table(shared("summeval/summaries.tsv.gz"))
    wide = {
        name: frame.pivot("system", index="doc", values=name).rename({"doc": "id"})
        for name in ("coherence", "consistency", "fluency", "relevance")
    }
    published = {
        "M22": (4.180, 4.943, 4.897, 4.250),
        "M23": (4.163, 4.910, 4.880, 4.260),
        "M0": (4.157, 4.983, 4.937, 4.137),
    }
    values: dict[str, list[float]] = {name: [] for name in published}
    for table in wide.values():
        for system in assay.evaluate(None, table, compare=False).systems:
            if system.system in values:
                values[system.system].append(system.value)
    for name, expected in published.items():
        assert values[name] == pytest.approx(expected, abs=6e-4)


def test_alpaca_eval(shared):
    """100 × (mean preference − 1) is the published win rate."""
    preferences = read_table(shared("alpaca_eval/preferences.tsv.gz"))
    board = read_table(shared("alpaca_eval/leaderboard.tsv.gz"))
    published = dict(zip(board[board.columns[0]].to_list(), board["win_rate"].cast(pl.Float64).to_list(), strict=True))
    names = ["id", "NullModel", "claude-2", "alpaca-7b", "gpt4_1106_preview"]
    result = assay.evaluate(None, preferences.select(names), compare=False)
    for system in result.systems:
        assert 100 * (system.value - 1) == pytest.approx(published[system.system], abs=6e-3)
