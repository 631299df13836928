"""What answers cost, where logs say it: tokens, money and time."""

from __future__ import annotations

import json
import shutil

import polars as pl
import pytest

import assay


@pytest.fixture
def arc(shared, tmp_path):
    for name in ("data_arc_qwen.json", "data_arc_sonnet.json"):
        shutil.copy(shared(f"eval_logs/inspect/{name}"), tmp_path)
    return tmp_path


def test_tokens_and_time_of_inspect_are_those_of_the_samples(arc):
    costs = assay.read(arc).costs
    for file in arc.glob("*.json"):
        log = json.loads(file.read_text())
        system = log["eval"]["model"]
        own = costs.filter(pl.col("system").str.contains(system.rpartition("/")[2], literal=True))
        tokens = [sum(use["total_tokens"] for use in row["model_usage"].values()) for row in log["samples"]]
        assert sorted(own["tokens"].to_list()) == sorted(tokens)
        assert sorted(own["seconds"].to_list()) == pytest.approx(sorted(row["total_time"] for row in log["samples"]))


def test_an_audit_of_logs_has_the_front_of_score_against_cost(arc):
    front = assay.audit(arc, only=["leaderboard"]).evidence.leaderboard.cost
    assert front.unit == "tokens"
    assert len(front.systems) == 2


def test_converted_logs_keep_the_costs(arc, tmp_path):
    assay.convert(arc, tmp_path / "out")
    stored = pl.read_parquet(tmp_path / "out" / "costs.parquet")
    assert stored.equals(assay.read(arc).costs)


def test_tokens_of_every_eval_ever(shared):
    costs = assay.read(shared("eval_logs/every_eval_ever/f3a1c0de-4b2e-4c1a-9f6d-1b7e5a2c8d40_samples.jsonl")).costs
    line = (
        shared("eval_logs/every_eval_ever/f3a1c0de-4b2e-4c1a-9f6d-1b7e5a2c8d40_samples.jsonl")
        .read_text()
        .splitlines()[0]
    )
    assert costs["tokens"].to_list() == [json.loads(line)["token_usage"]["total_tokens"]]
