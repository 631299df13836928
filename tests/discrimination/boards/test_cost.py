"""The Pareto front of score against cost."""

from __future__ import annotations

import json

import numpy as np
import polars as pl
import pytest

import assay
from assay.base.errors import AssayError, UsageError
from assay.discrimination import measure_cost_front
from assay.discrimination.boards.view import list_cost_facts, show_cost
from assay.report import render_page


def test_the_front_by_hand():
    names, scores, costs = list("abcde"), np.array([90.0, 80, 70, 80, 60]), np.array([5.0, 2, 3, 2, 1])
    front = measure_cost_front(names, scores, costs)
    assert [row.system for row in front.systems] == ["e", "b", "d", "c", "a"]
    assert [row.system for row in front.systems if not row.on_front] == ["c"]
    assert {row.place for row in front.systems} == {"cannot tell"}
    assert front.reason


def test_one_item_has_no_front():
    front = measure_cost_front(["a", "b"], np.array([[1.0], [0.0]]), np.array([[2.0], [3.0]]))
    assert (front.systems, front.n_left_out) == ((), 2)
    assert front.reason == "no system has two items with a score and a cost"
    assert list(front.blocks()) is not None


def test_a_clearly_better_and_cheaper_system_beats_the_others():
    generator = np.random.default_rng(0)
    scores = (generator.random((3, 300)) < [[0.9], [0.6], [0.6]]).astype(float)
    costs = generator.exponential([[1.0], [2.0], [0.2]], (3, 300))
    front = measure_cost_front(["best", "beaten", "cheap"], scores, costs)
    rows = {row.system: row for row in front.systems}
    assert {name: row.place for name, row in rows.items()} == {
        "best": "on the front",
        "beaten": "not on the front",
        "cheap": "on the front",
    }
    assert rows["beaten"].beaten_by in ("best", "cheap")
    assert rows["best"].front_share == 1
    assert rows["beaten"].score.low < rows["beaten"].score.value < rows["beaten"].score.high


def test_statements_about_equal_systems_are_wrong_for_at_most_one_in_twenty():
    generator = np.random.default_rng(1)
    wrong = 0
    for _ in range(60):
        scores = (generator.random((4, 200)) < 0.5).astype(float)
        costs = generator.exponential(1.0, (4, 200))
        front = measure_cost_front(list("abcd"), scores, costs)
        wrong += sum(row.place == "not on the front" for row in front.systems)
    assert wrong / 240 <= 0.05


def test_groups_are_resampled_whole():
    generator = np.random.default_rng(2)
    scores = np.repeat(generator.random((2, 20)) < 0.5, 10, axis=1).astype(float)
    costs = np.repeat(generator.exponential(1.0, (2, 20)), 10, axis=1)
    alone = measure_cost_front(["a", "b"], scores, costs).systems[0]
    grouped = measure_cost_front(["a", "b"], scores, costs, groups=np.repeat(np.arange(20), 10)).systems[0]
    assert grouped.cost.high - grouped.cost.low > 2 * (alone.cost.high - alone.cost.low)


def test_two_systems_of_25_are_on_the_front_of_swe_bench(shared, tmp_path):
    resolved, cost = shared("swebench_verified/resolved.tsv.gz"), shared("swebench_verified/cost_usd.tsv.gz")
    frame = pl.read_csv(resolved, separator="\t", quote_char=None).drop("repo")
    path = tmp_path / "resolved.tsv"
    frame.write_csv(path, separator="\t")
    audit = assay.audit(predictions=path, cost=cost, only=["leaderboard"])
    front = audit.evidence.leaderboard.cost
    assert front.unit == "cost_usd"
    certain = [row.system for row in front.systems if row.place == "on the front"]
    assert certain == ["DeepSeek V3.2 Reasoner", "Gemini 3 Pro Preview (2025-11-18)"]
    costs = pl.read_csv(cost, separator="\t", quote_char=None)
    for row in front.systems:
        assert row.score.value == pytest.approx(100 * frame[row.system].sum() / 500)
        assert row.cost.value == pytest.approx(costs[row.system].mean())
        rivals = [
            other
            for other in front.systems
            if other.score.value >= row.score.value and other.cost.value <= row.cost.value
        ]
        assert row.on_front == (rivals == [row])
    page = render_page(audit)
    assert "Score against cost" in page
    assert "What does a point of score cost?" in page


def test_the_command_takes_a_cost_and_measures(run, tmp_path):
    answers, costs = tmp_path / "answers.tsv", tmp_path / "usd.tsv"
    answers.write_text("id\ta\tb\n" + "".join(f"{n}\t{int(n % 3 > 0)}\t{int(n % 2)}\n" for n in range(60)))
    costs.write_text("id\ta\tb\n" + "".join(f"{n}\t{1 + n % 2}\t{3 + n % 2}\n" for n in range(60)))
    done = run("discriminate", "--predictions", answers, "--cost", costs, "--measures", "--json", tmp_path / "r.json")
    assert done.returncode == 0, done.stderr
    assert "Score against cost" in done.stdout
    assert "Limits:" in done.stdout
    result = json.loads((tmp_path / "r.json").read_text())["result"]
    assert [(row["system"], row["cost"]["value"], row["on_front"]) for row in result["cost"]["systems"]] == [
        ("a", 1.5, True),
        ("b", 3.5, False),
    ]
    assert result["measures"][0]["saturation"][0]["gap"]["value"] == pytest.approx(100 / 6)


def test_a_column_of_the_score_table_is_a_cost(shared):
    board = pl.read_csv(shared("swebench_verified/leaderboard.tsv.gz"), separator="\t", quote_char=None)
    board = board.filter(pl.col("split") == "bash-only").unique("system", keep="first", maintain_order=True)
    result = assay.discriminate(board.select("system", "resolved", "cost"), cost="cost")
    assert result.cost.unit == "cost"
    assert result.cost.systems[0].place == "cannot tell"
    assert sum(row.on_front for row in result.cost.systems) >= 2


def test_invalid_costs_are_an_error(tmp_path):
    scores = {"system": ["a", "b"], "x": [1, 2]}
    with pytest.raises(UsageError, match="no column 'price'"):
        assay.discriminate(scores, cost="price")
    with pytest.raises(AssayError, match="no column with costs"):
        assay.discriminate(scores, cost={"system": ["a", "b"], "words": ["x", "y"]})
    with pytest.raises(AssayError, match="no column 'id'"):
        assay.discriminate(predictions={"a": [1, 0, 1], "b": [0, 0, 1]}, cost={"a": [1, 2, 3]})


def test_one_item_gives_no_front_and_says_why():
    front = measure_cost_front(["a", "b"], np.array([[1.0], [0.0]]), np.array([[2.0], [1.0]]))
    assert (front.systems, front.n_left_out) == ((), 2)
    assert [block.text for block in show_cost(front)] == [
        "No front of score and cost: no system has two items with a score and a cost."
    ]
    assert not list(list_cost_facts(front))
