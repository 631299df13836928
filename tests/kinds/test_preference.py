"""Preferences: chosen and rejected, or two responses and a winner; length and position as shortcuts; agreement."""

from __future__ import annotations

import numpy as np
import pytest

import assay
from assay.base.errors import AssayError
from assay.kinds import kind_of, read

RESPONSES = {"prompt": ["p", "q", "r"], "response_a": ["x", "long text", "z"], "response_b": ["y y", "w", "zz zz"]}


@pytest.mark.parametrize(
    "winners",
    [["a", "b", "tie"], ["1", "2", "0"], ["first", "second", "tie"], ["response_a", "response_b", "tie"],
     ["model_a", "model_b", "tie (bothbad)"]],
)  # fmt: skip
def test_winners_are_written_in_many_ways(winners):
    data = read({**RESPONSES, "winner": winners})
    assert data.notes[0] == "task: preference (prompt, response_a, response_b, winner)"
    assert data.labels.to_list() == ["first", "second", "tie"]
    assert kind_of(data).gold.get_chances(data).tolist() == pytest.approx([1 / 3] * 3)


def test_zero_and_one_are_sides_too():
    assert read({**RESPONSES, "preference": ["0", "1", "1"]}).labels.to_list() == ["first", "second", "second"]


def test_chosen_and_rejected():
    data = read({"prompt": ["p", "q"], "chosen": ["good one", "fine"], "rejected": ["bad", "poor thing"]})
    assert data.labels.to_list() == ["first", "first"]
    assert "the chosen response counts as the first; which was shown first is not known" in data.notes
    result = assay.evaluate(data, {"x": ["chosen", "rejected"]}, compare=False)
    assert result.systems[0].value == 0.5
    kinds = {row.baseline: row.value for row in result.baselines if row.n}
    assert kinds["longer-response"] == 0.5
    assert "first-response" not in kinds


def test_a_winner_that_names_no_side_is_refused():
    with pytest.raises(AssayError, match="names no side"):
        read({**RESPONSES, "winner": ["a", "b", "maybe"]})


def test_ties_count_half():
    data = read({**RESPONSES, "winner": ["a", "b", "tie"]})
    (system,) = assay.evaluate(data, {"x": ["a", "tie", "b"]}, compare=False).systems
    assert system.metrics["accuracy"].value == pytest.approx(1 / 3)
    assert system.metrics["tie-aware-accuracy"].value == pytest.approx(2 / 3)


def make_pairs(longer=0.5, first=0.5, n=200, seed=0):
    rng = np.random.default_rng(seed)
    rows = {"prompt": [], "response_a": [], "response_b": [], "winner": []}
    for number in range(n):
        wins_first = rng.random() < first
        wins_longer = rng.random() < longer
        texts = [" ".join(f"w{rng.integers(200)}" for _ in range(size)) for size in (4, 8)]
        better, worse = (texts[1], texts[0]) if wins_longer else (texts[0], texts[1])
        rows["prompt"].append(f"prompt {number}")
        rows["response_a"].append(better if wins_first else worse)
        rows["response_b"].append(worse if wins_first else better)
        rows["winner"].append("a" if wins_first else "b")
    return rows


@pytest.mark.parametrize(
    ("planted", "baseline"), [({"longer": 0.8}, "longer-response"), ({"first": 0.8}, "first-response")]
)
def test_a_planted_shortcut_is_found(planted, baseline):
    def score(rows):
        data = read(rows)
        return {row.baseline: row for row in assay.evaluate(data, {"x": data.labels.to_list()}).baselines if row.n}

    assert score(make_pairs(**planted))[baseline].low > 0.65
    assert score(make_pairs())[baseline].low < 0.55


def test_equal_responses_are_a_defect():
    data = read({**RESPONSES, "response_b": ["x", "w", "z"], "winner": ["a", "b", "tie"]})
    assert [(defect.name, defect.items.ids) for defect in assay.profile(data).kind.defects] == [
        ("equal responses", ("0",))
    ]


def test_pandalm(shared):
    data = read(shared("pandalm_votes/votes.tsv.gz"))
    assert data.task == "preference"
    figures = {figure.name: figure.value for figure in kind_of(data).texts.describe_items(data).figures}
    assert figures["agreement of two votes"] == pytest.approx(np.mean([0.9129, 0.9289, 0.9179]), abs=1e-4)
    assert figures["Fleiss' kappa of votes"] == pytest.approx(0.8642, abs=1e-4)
    judges = {"gpt": data.column("gpt-3.5-turbo").to_list(), "pandalm": data.column("pandalm-7b").to_list()}
    judges["ties wrong"] = ["none" if cell == "Tie" else cell for cell in judges["gpt"]]
    result = assay.evaluate(data, judges, compare=False)
    assert {system.system: round(system.value, 4) for system in result.systems} == {
        "gpt": 0.6977,  # published 0.6927, where "Tie" is not the tie that annotators write as 0
        "ties wrong": 0.6927,
        "pandalm": 0.6677,
    }


def test_llmbar(shared):
    """The mean accuracy of a judge over both orders, as its authors report it."""
    data = read(shared("llmbar/items.tsv.gz"))
    assert (data.task, len(data)) == ("preference", 319)
    published = {"GPTInst": 86.4, "GPTOut": 77.7, "Manual": 80.4, "Neighbor": 78.7}
    for subset, score in published.items():
        items = data.take(data.column("subset") == f"Adversarial/{subset}")
        values = [
            assay.evaluate(
                items, shared(f"llmbar/verdicts_order_{order}.tsv.gz"), systems=["GPT-4/Vanilla"], compare=False
            )
            for order in ("12", "21")
        ]
        assert round(50 * sum(result.systems[0].value for result in values), 1) == score


def test_a_response_on_the_other_side_is_not_a_copy():
    """An empty response and the same text on either side are two pairs, not one with two winners."""
    rows = {"prompt": ["Say hello."] * 3, "response_a": ["", "Hello!", ""], "response_b": ["Hello!", "", "Hello!"]}
    audit = assay.audit(read(rows | {"winner": ["b", "a", "b"]}), only=["profile"])
    assert audit.items["copy"].to_list() == [False, False, True]
    assert not audit.items["conflicting"].any()
