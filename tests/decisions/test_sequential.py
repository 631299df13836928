"""Confidence sequences and plans: valid at every look, whatever was drawn."""

from __future__ import annotations

import math

import numpy as np
import polars as pl
import pytest

import assay
from assay.decisions.pairs import ItemPair
from assay.decisions.planning import draw_items, score_probabilities
from assay.decisions.sequential import MIN_PROBABILITY, Draws, build_stream, follow_sequence, read_draws
from assay.statistics import confidence_sequence, log_capital

THRESHOLD = math.log(40)


def test_the_sequence_does_not_depend_on_the_order():
    values = np.random.default_rng(0).choice([1.0, 0.0, -1.0], 300)
    first, second = confidence_sequence(values, -1, 1), confidence_sequence(values[::-1], -1, 1)
    assert first == second
    assert first.low < values.mean() < first.high


def test_the_capital_is_the_mean_over_bets_counted_by_hand():
    from assay.statistics.betting import BETS, CAPITAL

    by_hand = CAPITAL @ [(1 + bet) ** 2 * (1 - bet) for bet in BETS]
    assert CAPITAL.sum() == pytest.approx(1)
    assert math.exp(float(log_capital([1.0, -1.0], 0.0, -1.0, [2, 1]))) == pytest.approx(by_hand)


def test_equal_systems_are_rarely_told_apart_at_any_look():
    generator = np.random.default_rng(0)
    values = generator.choice([1.0, 0.0, -1.0], (600, 600), p=[0.1, 0.8, 0.1])
    claims = 0
    for row in values:
        wins, losses = np.cumsum(row > 0)[24::25], np.cumsum(row < 0)[24::25]
        counts = np.stack([wins, np.arange(25, 601, 25) - wins - losses, losses], axis=1)
        above = log_capital([1.0, 0.0, -1.0], 0.0, -1.0, counts)
        below = log_capital([1.0, 0.0, -1.0], 0.0, -1.0, counts[:, ::-1])
        claims += bool((np.maximum(above, below) >= THRESHOLD).any())
    assert claims / len(values) <= 0.05


def test_draws_that_favour_items_keep_the_mean_and_the_error_rate():
    """Items on which the candidate wins are drawn more often; the weighted mean is still 0."""
    generator = np.random.default_rng(0)
    means, plain, claims = [], [], 0
    for _ in range(400):
        hard = generator.random(500) < 0.5
        differences = np.where(hard, 1.0, -1.0) * (generator.random(500) < 0.2)
        shares = np.where(hard, 1.0, MIN_PROBABILITY)
        run = generator.random(500) < shares
        ids = np.array([str(n) for n in range(500)], dtype=object)
        outcomes = np.where(run, differences, np.nan)[None]
        pair = ItemPair(np.zeros((1, 500)), outcomes, ids, None, 1.0)
        draws = Draws(dict(zip(ids, shares, strict=True)), dict(zip(ids, run.tolist(), strict=True)))
        stream = build_stream(pair, draws)
        assert (np.abs(stream.values) <= stream.bounds).all()
        interval = stream.estimate(0.95)
        means.append(interval.value)
        claims += interval.low > 0 or interval.high < 0
        plain.append(np.nanmean(outcomes))
    assert np.mean(means) == pytest.approx(0, abs=0.005)
    assert np.mean(plain) > 0.05  # the plain mean of the items that were run is wrong
    assert claims / 400 <= 0.05


def make_pair(differences: list[float], groups: list[int] | None = None) -> ItemPair:
    """Return a pair with these differences; nan is an item that was not run."""
    n = len(differences)
    ids = np.array([f"q{number}" for number in range(n)], dtype=object)
    codes = None if groups is None else np.array(groups)
    return ItemPair(np.zeros((1, n)), np.array(differences, dtype=float)[None], ids, codes, 1.0)


def test_items_that_were_run_before_a_plan_keep_their_bound():
    pair = make_pair([1.0, 1.0, 1.0, np.nan])
    draws = Draws({"q1": 0.5, "q2": 0.5, "q3": 0.5}, {"q3": False, "q1": False, "q2": True})
    stream = build_stream(pair, draws)
    assert stream.values.tolist() == [1.0, 0.0, 2.0, 0.0]
    assert stream.bounds.tolist() == [1.0, 2.0, 2.0, 2.0]
    assert stream.n_run == 2


def test_a_plan_that_was_run_in_part_is_not_pulled_to_zero():
    """Items that were passed over count only together with the item that was drawn after them."""
    generator = np.random.default_rng(0)
    means = []
    for _ in range(300):
        share = np.full(400, 0.5)
        run = generator.random(400) < share
        finished = generator.random(400) < 0.3  # the rest of the batch is still being run, or failed
        pair = make_pair(np.where(run & finished, 0.2, np.nan).tolist())
        ids = pair.ids.tolist()
        draws = Draws(dict(zip(ids, share, strict=True)), dict(zip(ids, run.tolist(), strict=True)))
        means.append(follow_sequence(pair, 0.95, draws).value)
    assert np.mean(means) == pytest.approx(0.2, abs=0.01)


def test_groups_of_different_sizes_are_weighted_by_their_items():
    pair = make_pair([1.0, 1.0, 1.0, 0.0, np.nan, np.nan, np.nan, np.nan], [0, 0, 0, 1, 2, 2, 2, 2])
    stream = build_stream(pair)
    assert stream.values.tolist() == [0.75, 0.0]  # of the largest group, which was not run yet
    assert stream.sizes.tolist() == [0.75, 0.25]
    assert stream.estimate(0.95).value == pytest.approx(0.75)


def test_equal_systems_are_rarely_told_apart_if_groups_agree_and_sizes_differ():
    generator = np.random.default_rng(0)
    claims = 0
    for _ in range(200):
        sizes = generator.integers(1, 9, 80)
        groups = np.repeat(np.arange(80), sizes)
        differences = generator.choice([1.0, 0.0, -1.0], 80, p=[0.3, 0.4, 0.3])[groups]
        for stop in (100, 200, len(groups)):
            seen = np.where(np.arange(len(groups)) < stop, differences, np.nan)
            interval = follow_sequence(make_pair(seen.tolist(), groups.tolist()), 0.95, None)
            if interval.low > 0 or interval.high < 0:
                claims += 1
                break
    assert claims / 200 <= 0.05


def test_very_many_observations_give_a_narrow_interval():
    interval = confidence_sequence([1.0, 0.0, -1.0], -1, 1, counts=[200_000, 600_000, 200_000])
    assert 0.001 < interval.high < 0.003


def test_groups_are_drawn_as_a_whole():
    ids = np.array([f"q{n}" for n in range(120)], dtype=object)
    groups = np.arange(120) // 4
    left = np.arange(120) > 1  # half of the first group has been run
    drawn = draw_items(ids, left, np.linspace(0.5, 1, 120), 60, seed=0, groups=groups)
    of_group: dict[int, set[tuple[float, bool]]] = {}
    for item in drawn.items:
        of_group.setdefault(int(item.id[1:]) // 4, set()).add((item.draw_probability, item.run))
    assert all(len(ways) == 1 for ways in of_group.values())
    assert of_group.get(0, {(1.0, True)}) == {(1.0, True)}
    assert {run for ways in of_group.values() for _, run in ways} == {True, False}


def test_all_intervals_of_a_sequence_hold_at_every_look():
    """Further metrics and slices are followed too, and corrected for their number."""
    generator = np.random.default_rng(0)
    gold = generator.choice(["a", "b"], 300)
    answers = {
        name: np.where(generator.random(300) < right, gold, "c").tolist()
        for name, right in (("old", 0.6), ("new", 0.7))
    }
    data = {"text": [f"text {n}" for n in range(300)], "label": gold.tolist()}
    names = ["accuracy", "macro-f1"]
    result = assay.decide(data, answers, baseline="old", candidate="new", metrics=names, sequential=True)
    assert [row.metric for row in result.metrics] == ["accuracy"]
    assert "macro-f1 is not a mean over items, which sequential intervals need. It is left out." in result.notes
    two = assay.decide(
        predictions=answers, data=data, baseline="old", candidate="new", metrics="accuracy", sequential=True
    )
    assert two.difference == result.difference
    assert two.items_needed > two.n_items or two.verdict != "undecided"


def test_draws_imply_a_sequence():
    table = {"id": ["q0", "q1", "q2"], "old": [0, 0, None], "new": [1, 1, None]}
    plan = pl.DataFrame({"id": ["q2", "q1"], "draw_probability": [0.5, 0.5], "run": ["no", "yes"]})
    result = assay.decide(predictions=pl.DataFrame(table), baseline="old", candidate="new", draws=plan)
    assert result.is_sequential
    assert result.difference.value == pytest.approx(100 * (1 + 2 + 0) / 3)


def test_items_on_which_others_disagree_are_drawn_more_often():
    others = np.array([[1.0, 1, 0, np.nan], [1, 0, 0, np.nan], [1, 1, 0, np.nan], [1, 0, 0, np.nan]])
    shares = score_probabilities(others)
    assert shares[1] > shares[0]
    assert shares[1] > shares[2]
    assert shares[3] == 1
    assert shares.min() >= MIN_PROBABILITY


def test_draws_have_their_probability_and_do_not_depend_on_the_order_of_rows():
    ids = np.array([f"q{n}" for n in range(4000)], dtype=object)
    drawn = draw_items(ids, np.ones(4000, dtype=bool), np.full(4000, 0.6), 4000, seed=0)
    assert np.mean([item.run for item in drawn.items]) == pytest.approx(0.6, abs=0.03)
    other = draw_items(ids[::-1], np.ones(4000, dtype=bool), np.full(4000, 0.6), 4000, seed=0)
    assert other.items == drawn.items


def test_a_plan_names_only_items_that_were_not_run():
    generator = np.random.default_rng(0)
    table = pl.DataFrame(
        {
            "id": [f"q{n}" for n in range(300)],
            "old": generator.integers(0, 2, 300),
            "new": [int(generator.integers(0, 2)) if n < 120 else None for n in range(300)],
            "other": generator.integers(0, 2, 300),
            "third": generator.integers(0, 2, 300),
        }
    )
    result = assay.decide(predictions=table, baseline="old", candidate="new", sequential=True, plan=True, batch=40)
    plan = result.plan
    assert (plan.n_items, plan.n_left, plan.n_repeats) == (40, 180, 1)
    assert all(int(item.id[1:]) >= 120 for item in plan.items)
    assert len({item.draw_probability for item in plan.items}) > 1
    assert plan.expected.high - plan.expected.low < result.difference.high - result.difference.low
    again = assay.decide(
        predictions=table, baseline="old", candidate="new", sequential=True, plan=True, batch=40,
        draws=pl.DataFrame([item.to_dict() for item in plan.items]),
    )  # fmt: skip
    assert not {item.id for item in again.plan.items} & {item.id for item in plan.items}


def test_repeats_are_planned_if_no_item_is_left():
    generator = np.random.default_rng(0)
    rows = [
        {"system": system, "id": str(item), "repeat": repeat, "score": int(generator.random() < 0.5 + lift)}
        for system, lift in (("old", 0.0), ("new", 0.1))
        for item in range(120)
        for repeat in range(2)
    ]
    result = assay.decide(predictions=rows, baseline="old", candidate="new", plan=True, margin=0)
    assert result.plan.n_left == 0
    assert "no item is left" in result.plan.reason or result.verdict != "undecided"


@pytest.mark.parametrize(
    ("table", "match"),
    [
        ({"id": ["a"], "run": ["yes"]}, "no column 'draw_probability'"),
        ({"id": ["a"], "run": ["yes"], "draw_probability": ["often"]}, "is not a number"),
        ({"id": ["a"], "run": ["yes"], "draw_probability": [0.0]}, "not between 0 and 1"),
    ],
)
def test_wrong_plans_are_refused(table, match):
    with pytest.raises(ValueError, match=match):
        read_draws(pl.DataFrame(table))


def test_a_plan_that_settles_nothing_names_no_tiny_probability():
    old = {f"i{number}": number % 2 for number in range(60)}
    new = {key: 1 - value if number < 20 else value for number, (key, value) in enumerate(old.items())}
    left = {f"j{number}": None for number in range(5)}
    rows = [{"id": key, "old": score, "new": new.get(key)} for key, score in (old | left).items()]
    result = assay.decide(predictions=pl.DataFrame(rows), baseline="old", candidate="new", sequential=True, plan=True)
    assert result.plan.power < 0.01
    assert "probability of a verdict below 1%" in result.to_markdown()
