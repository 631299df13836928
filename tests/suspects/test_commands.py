"""`assay suspects` on the command line: what was left out is said wherever the result goes."""

from __future__ import annotations

import json

import numpy as np
import polars as pl
import pytest

from assay.cli.main import status


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Sixty items with labels; probabilities of all but three, one of which has only zeros."""
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(0)
    labels, own = rng.choice(["a", "b"], 60), rng.uniform(0.6, 0.99, 60)
    items = pl.DataFrame({"id": [f"q{row:02d}" for row in range(60)], "label": labels.tolist()})
    items.write_csv("data.tsv", separator="\t")
    first = np.where(labels == "a", own, 1 - own)
    shares = items.select("id", a=pl.Series(first), b=pl.Series(1 - first)).head(58)
    is_last = pl.col("id") == "q57"
    shares.with_columns(
        pl.when(is_last).then(0.0).otherwise(pl.col(name)).alias(name) for name in ("a", "b")
    ).write_csv("shares.tsv", separator="\t")
    return tmp_path


LINE = "suspects data.tsv --probabilities shares.tsv -o suspects.tsv"


def test_the_written_table_says_which_items_were_not_judged(folder, capsys):
    assert status(LINE.split()) == 0
    table = pl.read_csv("suspects.tsv", separator="\t")
    assert table.filter(pl.col("suspicion").is_null())["reasons"].to_list() == ["not judged: no evidence"] * 3
    assert set(table["id"].tail(3)) == {"q57", "q58", "q59"}
    assert table["suspicion"].null_count() == 3
    captured = capsys.readouterr()
    assert "3 items were not judged: no evidence covers them." in " ".join(captured.out.split())
    assert "1 row has only zeros or an empty cell, and is no evidence" in " ".join(captured.err.split())


def test_json_on_standard_output_comes_with_the_summary_on_standard_error(folder, capsys):
    assert status([*LINE.split(), "--json", "-"]) == 0
    captured = capsys.readouterr()
    result = json.loads(captured.out)["result"]
    assert (result["n_items"], result["n_judged"]) == (60, 57)
    assert result["notes"] == ["Probabilities: 1 row has only zeros or an empty cell, and is no evidence."]
    assert not {item["id"] for item in result["items_top"]} & {"q57", "q58", "q59"}
    assert "3 items were not judged: no evidence covers them." in " ".join(captured.err.split())
