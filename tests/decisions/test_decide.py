"""Decisions from predictions, data, logs and tables."""

from __future__ import annotations

import math

import numpy as np
import polars as pl
import pytest

import assay
from assay.base.errors import AssayError
from assay.decisions import Decision


def draw_outcomes(n: int = 400, seed: int = 0) -> dict[str, np.ndarray]:
    generator = np.random.default_rng(seed)
    old = (generator.random(n) < 0.6).astype(int)
    return {
        "old": old,
        "better": np.where(generator.random(n) < 0.4, 1, old),
        "worse": np.where(generator.random(n) < 0.3, 0, old),
        "alike": np.where(generator.random(n) < 0.06, 1 - old, old),
        "equal": old,
    }


@pytest.mark.parametrize(
    ("candidate", "margin", "verdict"),
    [
        ("better", 1, "better"),
        ("worse", 1, "worse"),
        ("alike", 1, "undecided"),
        ("alike", 8, "not-worse"),
        ("equal", 1, "not-worse"),
    ],
)
@pytest.mark.parametrize("sequential", [False, True])
def test_planted_cases_get_their_verdict(candidate, margin, verdict, sequential):
    outcomes = draw_outcomes()
    result = assay.decide(
        predictions=outcomes, baseline="old", candidate=candidate, margin=margin, sequential=sequential
    )
    expected = 100 * (outcomes[candidate].mean() - outcomes["old"].mean())
    assert result.difference.value == pytest.approx(expected)
    if not (sequential and candidate == "equal"):  # an interval for every look is wider than one point
        assert result.verdict == verdict
    assert (result.wins, result.losses, result.ties) == (
        int((outcomes[candidate] > outcomes["old"]).sum()),
        int((outcomes[candidate] < outcomes["old"]).sum()),
        int((outcomes[candidate] == outcomes["old"]).sum()),
    )


def test_a_small_real_loss_within_the_margin_is_not_worse():
    old = np.ones(4000, dtype=int)
    new = old.copy()
    new[:20] = 0
    result = assay.decide(predictions={"old": old, "new": new}, baseline="old", candidate="new", margin=1)
    assert result.difference.high < 0
    assert result.verdict == "not-worse"
    assert "The loss is real, but smaller than the margin." in result.summary
    assert result.check("not-worse").exit_code == 0
    assert result.check("better").exit_code == 1


def test_items_that_were_not_run_are_not_losses():
    rows = [{"system": "old", "id": str(n), "score": n % 2} for n in range(100)]
    rows += [{"system": "new", "id": str(n), "score": n % 2} for n in range(60)]
    result = assay.decide(predictions=rows, baseline="old", candidate="new")
    assert (result.n_items, result.losses, result.difference.value) == (60, 0, 0.0)
    assert result.not_run == {"new": 40}
    assert "on the 60 items that both answered" in result.notes[-1]


def test_repeats_are_averaged_and_separated_from_items():
    generator = np.random.default_rng(0)
    ability = generator.uniform(0.2, 0.8, 200)
    rows = [
        {"system": system, "id": str(item), "repeat": repeat, "score": int(generator.random() < ability[item] + lift)}
        for system, lift in (("old", 0.0), ("new", 0.05))
        for item in range(200)
        for repeat in range(4)
    ]
    result = assay.decide(predictions=rows, baseline="old", candidate="new", margin=0)
    assert (result.n_items, result.n_repeats) == (200, 4)
    assert result.components.sd_repeats == pytest.approx(100 * math.sqrt(2 * 0.21), abs=6)
    assert result.components.sd_items < 25
    first = [row for row in rows if row["repeat"] == 0]
    once = assay.decide(predictions=first, baseline="old", candidate="new", margin=0)
    assert once.difference.high - once.difference.low > 1.5 * (result.difference.high - result.difference.low)
    assert once.repeats_needed is None


def test_groups_are_the_units():
    outcomes = draw_outcomes(300)
    data = {
        "text": [f"text {n}" for n in range(300)],
        "label": ["1"] * 300,
        "topic": [str(n // 30) for n in range(300)],
    }
    answers = {name: [str(value) for value in values] for name, values in outcomes.items()}
    alone = assay.decide(data, answers, baseline="old", candidate="better", metrics="accuracy")
    grouped = assay.decide(data, answers, baseline="old", candidate="better", metrics="accuracy", group="topic")
    assert grouped.n_groups == 10
    assert grouped.difference.method == "t over groups"
    assert alone.difference.method == "tango"


def test_slices_that_go_the_other_way_are_listed():
    generator = np.random.default_rng(0)
    kind = np.repeat(["easy", "hard"], [900, 100])
    old = (generator.random(1000) < 0.5).astype(int)
    new = np.where(
        kind == "easy", np.where(generator.random(1000) < 0.3, 1, old), np.where(generator.random(1000) < 0.6, 0, old)
    )
    data = {"text": [f"word {n}" for n in range(1000)], "label": ["1"] * 1000, "kind": kind.tolist()}
    answers = {"old": old.astype(str).tolist(), "new": new.astype(str).tolist()}
    result = assay.decide(data, answers, baseline="old", candidate="new", metrics="accuracy")
    assert result.verdict == "better"
    assert [(row.by, row.slice) for row in result.slices] == [("kind", "hard")]
    assert result.slices[0].difference.high < 0
    assert "the difference goes the other way" in result.to_markdown()


def test_metrics_that_are_not_means_have_a_jackknife_interval_close_to_the_bootstrap():
    generator = np.random.default_rng(0)
    gold = generator.choice(["a", "b", "c"], 600, p=[0.6, 0.3, 0.1])
    answers = {
        name: np.where(generator.random(600) < right, gold, generator.choice(["a", "b", "c"], 600)).tolist()
        for name, right in (("old", 0.6), ("new", 0.7))
    }
    data = {"text": [f"text {n}" for n in range(600)], "label": gold.tolist()}
    result = assay.decide(data, answers, baseline="old", candidate="new")
    pair = assay.evaluate(data, answers).comparisons[0]
    assert result.metric == pair.metric == "macro-f1"
    assert result.difference.value == pytest.approx(-100 * pair.difference.value)
    assert result.difference.low == pytest.approx(-100 * pair.difference.high, abs=0.8)
    assert result.difference.high == pytest.approx(-100 * pair.difference.low, abs=0.8)


def test_several_metrics_are_corrected():
    generator = np.random.default_rng(0)
    gold = generator.choice(["a", "b"], 200)
    answers = {name: generator.choice(["a", "b"], 200).tolist() for name in ("old", "new")}
    data = {"text": [f"text {n}" for n in range(200)], "label": gold.tolist()}
    one = assay.decide(data, answers, baseline="old", candidate="new", metrics="accuracy")
    two = assay.decide(data, answers, baseline="old", candidate="new", metrics=["accuracy", "macro-f1"])
    assert [row.metric for row in two.metrics] == ["accuracy", "macro-f1"]
    assert two.difference.confidence == 0.975
    assert two.difference.high - two.difference.low > one.difference.high - one.difference.low


def test_rouge_is_a_mean_over_items_and_a_corpus_score_says_what_wins_are():
    generator = np.random.default_rng(0)
    words = np.array("the cat sat on a mat near big old red house".split())
    golds = [generator.choice(words, 8) for _ in range(60)]
    answers = {
        name: [" ".join(np.where(generator.random(8) < right, gold, "dog")) for gold in golds]
        for name, right in (("old", 0.4), ("new", 0.7))
    }
    data = {"question": [f"Say {n}" for n in range(60)], "reference": [" ".join(gold) for gold in golds]}
    options = {"baseline": "old", "candidate": "new", "sequential": True}
    rouge = assay.decide(data, answers, metrics="rouge-l", **options)
    assert (rouge.metric, rouge.verdict) == ("rouge-l", "better")
    assert rouge.wins > 30
    assert not any("no mean over items" in note for note in rouge.notes)
    chrf = assay.decide(data, answers, metrics="chrf", baseline="old", candidate="new")
    assert "Wins, losses, ties and slices are by exact-match; chrf has no score of one item." in chrf.notes


def test_lower_is_better_turns_the_sign():
    generator = np.random.default_rng(0)
    gold = generator.normal(3, 1, 80)
    answers = {"old": gold + generator.normal(0, 1, 80), "new": gold + generator.normal(0, 0.1, 80)}
    data = {"text": [f"text {n}" for n in range(80)], "score": gold.tolist()}
    result = assay.decide(data, answers, baseline="old", candidate="new", metrics="rmse", task="graded", label="score")
    assert result.lower_is_better
    assert result.difference.value > 0
    assert result.verdict == "better"
    assert result.unit == "rmse"


@pytest.mark.parametrize(
    "table",
    [
        {"system": ["a", "b"], "score": ["70.0", "72.0"], "stderr": ["0.5", "0.5"]},
        {"model": ["a", "b"], "MMLU": ["70.0 ± 0.5", "72.0 ± 0.5"]},
        {"model": ["a", "b"], "MMLU": ["0.70", "0.72"], "MMLU_stderr": ["0.005", "0.005"]},
    ],
)
def test_scores_with_standard_errors_are_unpaired(table):
    result = assay.decide(pl.DataFrame(table), baseline="a", candidate="b")
    assert not result.is_paired
    assert "unpaired" in result.notes[0]
    half = 1.959964 * math.hypot(0.5, 0.5)
    assert (result.difference.low, result.difference.high) == pytest.approx((2 - half, 2 + half), abs=1e-6)
    assert result.verdict == "better"
    assert result.wins is None


def test_scores_with_counts_are_shares():
    table = pl.DataFrame({"system": ["a", "b"], "score": [0.70, 0.72], "n_items": [1000, 1000]})
    result = assay.decide(table, baseline="a", candidate="b")
    assert (result.verdict, result.n_items) == ("undecided", 1000)
    with pytest.raises(AssayError, match="no standard error"):
        assay.decide(table.drop("n_items"), baseline="a", candidate="b")


@pytest.mark.parametrize("sequential", [False, True])
def test_an_open_verdict_needs_more_items_than_there_are(sequential):
    ties = assay.decide(
        predictions={"old": [1] * 10, "new": [1] * 10}, baseline="old", candidate="new", sequential=sequential
    )
    assert (ties.verdict, ties.difference.value) == ("undecided", 0)
    assert ties.items_needed > 300
    alike = {name: draw_outcomes()[name] for name in ("old", "alike")}
    result = assay.decide(predictions=alike, baseline="old", candidate="alike", sequential=sequential)
    assert result.items_needed > 400


def test_needs_that_are_unknown_have_a_reason():
    one = assay.decide(predictions={"old": [1], "new": [0]}, baseline="old", candidate="new")
    assert one.items_needed is None
    assert "one item does not show how much items differ" in one.to_markdown()
    equal = assay.decide(predictions={"old": [1, 0] * 9, "new": [0, 1] * 9}, baseline="old", candidate="new", margin=0)
    assert equal.items_needed is None
    assert "No number of items settles a difference of 0 without a margin." in equal.to_markdown()


def test_a_metric_that_is_not_in_points_is_named_once_and_a_wide_margin_is_said():
    generator = np.random.default_rng(0)
    scores = {name: generator.normal(mean, 1, 100) for name, mean in (("old", 3.0), ("new", 3.1))}
    result = assay.decide(predictions=scores, baseline="old", candidate="new", sequential=True)
    assert result.unit == "mean-score"
    assert "mean−score" not in result.summary
    assert "by more than 1 in mean-score" in result.summary or result.verdict == "undecided"
    assert any("a margin of 1 is" in note for note in result.notes)
    assert any("no known limits" in note for note in result.notes)


def test_scores_of_different_items_are_rarely_called_different():
    """Shares of few items: the deviation counts as estimated, so that equal systems are not called different."""
    generator = np.random.default_rng(0)
    claims = 0
    for right in generator.binomial(20, 0.5, (400, 2)) / 20:
        table = pl.DataFrame({"system": ["a", "b"], "score": right, "n_items": [20, 20]})
        interval = assay.decide(table, baseline="a", candidate="b").difference
        claims += interval.low > 0 or interval.high < 0
    assert claims / 400 <= 0.05


def test_results_are_read_back_and_rows_may_be_shuffled():
    outcomes = draw_outcomes(120)
    rows = pl.DataFrame({"id": [f"q{n}" for n in range(120)], "old": outcomes["old"], "new": outcomes["better"]})
    result = assay.decide(predictions=rows, baseline="old", candidate="new", sequential=True)
    again = assay.decide(
        predictions=rows.sample(fraction=1.0, shuffle=True, seed=1), baseline="old", candidate="new", sequential=True
    )
    assert Decision.from_dict(result.to_dict()) == result
    assert again.to_dict() == result.to_dict()


@pytest.mark.parametrize(
    ("options", "match"),
    [
        ({"baseline": "old"}, "The candidate is not named"),
        ({"baseline": "old", "candidate": "none"}, "No candidate 'none'"),
        ({"baseline": "old", "candidate": "old"}, "both 'old'"),
        ({"baseline": "old", "candidate": "worse", "margin": -1}, "margin"),
        ({"baseline": "old", "candidate": "worse", "alpha": 0.7}, "alpha"),
        ({"baseline": "old", "candidate": "worse", "gold": "label"}, "has no effect without a judge"),
    ],
)
def test_errors_name_what_to_do(options, match):
    with pytest.raises(AssayError, match=match):
        assay.decide(predictions=draw_outcomes(40), **options)


def test_scores_may_be_true_and_false():
    answers = {"old": [False, False, True, False] * 10, "new": [True, True, True, False] * 10}
    result = assay.decide(predictions=answers, baseline="old", candidate="new")
    assert (result.verdict, result.wins, result.losses) == ("better", 20, 0)


def test_no_items_are_an_error():
    with pytest.raises(AssayError, match="No item is left"):
        assay.decide(predictions={"old": [], "new": []}, baseline="old", candidate="new")


def test_a_margin_that_allows_any_loss_is_said():
    answers = {"old": [1] * 20, "new": [0] * 20}
    notes = assay.decide(predictions=answers, baseline="old", candidate="new", margin=100).notes
    assert any("says nothing" in note for note in notes)
    assert not any(
        "says nothing" in note for note in assay.decide(predictions=answers, baseline="old", candidate="new").notes
    )
