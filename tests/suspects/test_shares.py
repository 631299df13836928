"""The share of wrong labels: next to hard items, shared errors and weak models."""

import numpy as np
import polars as pl
import pytest
from sklearn.isotonic import isotonic_regression

from assay.evaluation import Predictions
from assay.suspects import Suspects, find_suspects
from assay.suspects.judgements import ModelTable, judge_by_models
from assay.suspects.shares.estimation import SHARES, estimate_share, weigh_shares
from assay.suspects.shares.levels import compare_levels, smooth_ratios
from assay.suspects.shares.votes import _follow_agreement, replace_labels, weigh_vote_shares
from assay.suspects.votes import count_votes

LETTERS = np.array(list("ABCD"))


def draw_systems(
    seed: int, share: float, n: int = 1000, n_systems: int = 8, ability: float = 3.0
) -> tuple[Predictions, int]:
    """Return systems that share the difficulty of items and their most frequent wrong answer, and wrong keys."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 4, n)
    distractor = (truth + rng.integers(1, 4, n)) % 4
    skill = rng.normal(ability, 0.6, (n_systems, 1))
    right = rng.random((n_systems, n)) < 1 / (1 + np.exp(rng.normal(0, 1.8, n) - skill))
    other = np.where(rng.random((n_systems, n)) < 0.8, distractor, (truth + rng.integers(1, 4, (n_systems, n))) % 4)
    wrong = rng.permutation(n) < round(share * n)
    gold = np.where(wrong, (truth + rng.integers(1, 4, n)) % 4, truth)
    answers = {f"s{number}": LETTERS[row] for number, row in enumerate(np.where(right, truth, other))}
    return Predictions.from_arrays(LETTERS[gold], answers), int(wrong.sum())


def test_the_curves_of_all_shares_are_fitted_together():
    calls = []

    def curve(parameters):
        calls.append(parameters.shape)
        chance = 0.5 / (1 + np.exp(np.arange(1, 9) - parameters))
        return np.concatenate([chance, 1 - chance], axis=-1) / 8

    hard = curve(np.array([0.5]))
    wrong = np.repeat([1 / 8, 0], 8)
    log = weigh_shares(1e5 * (0.96 * hard + 0.04 * wrong), wrong, curve, 1)
    assert SHARES[log.argmax()] == pytest.approx(0.04, abs=0.001)
    assert len(calls) < 100


def test_shared_errors_on_right_labels_are_not_suspects():
    results = [find_suspects(predictions=draw_systems(seed, 0.0)[0]) for seed in range(10)]
    assert all(result.order_only or result.expected_bad.low == 0 for result in results)
    assert sum(result.suspected.count > 0 for result in results) <= 1


@pytest.mark.parametrize("seed", range(4))
def test_the_interval_holds_the_number_of_wrong_labels(seed):
    predictions, n_wrong = draw_systems(seed, 0.06)
    result = find_suspects(predictions=predictions)
    assert not result.order_only
    assert result.expected_bad.low <= n_wrong <= result.expected_bad.high


def test_systems_that_agree_little_only_order_the_items():
    result = find_suspects(predictions=draw_systems(0, 0.06, ability=0.5)[0])
    assert result.order_only
    assert result.suspected.count == 0


@pytest.mark.parametrize("common", [0.7, 0.85])
def test_agreement_of_wrong_systems_is_continued_to_items_that_all_get_wrong(common):
    """Three quarters of 8 are 6, and of 7 are 6 too: the curve has to follow the numbers of systems."""
    rng = np.random.default_rng(0)
    n_wrong = np.arange(9)[::-1]
    table = np.zeros((9, 2))
    for row, n in enumerate(n_wrong):
        answers = rng.multinomial(n, [common, (1 - common) / 2, (1 - common) / 2], 500).max(axis=1)
        table[row] = np.bincount((answers >= 0.75 * n) & (n > 0), minlength=2)
    truth = table[0, 1] / table[0].sum()
    table[0] = 0  # not seen by the fit
    assert _follow_agreement(table)[0] == pytest.approx(truth, abs=0.08)


def test_more_wrong_labels_give_a_larger_share():
    shares = []
    for share in (0.0, 0.03, 0.06, 0.12):
        votes = count_votes(draw_systems(1, share, 2000, 16)[0])
        log_likelihood = weigh_vote_shares(votes, list(replace_labels(votes)))
        assert log_likelihood is not None
        shares.append(estimate_share([log_likelihood]).share.value)
    assert shares == sorted(shares)
    assert shares[-1] == pytest.approx(0.12, abs=0.04)


def draw_model(n: int, strength: float, share: float) -> tuple[np.ndarray, np.ndarray]:
    """Return labels of two classes, some flipped, and the probabilities of a model that knows the classes so well."""
    rng = np.random.default_rng(0)
    truth = np.arange(n) % 2
    logit = np.where(truth == 1, 1, -1) * strength + rng.normal(0, 1.5, n)
    codes = np.where(rng.random(n) < share, 1 - truth, truth)
    return codes, np.stack([1 / (1 + np.exp(logit)), 1 / (1 + np.exp(-logit))], axis=1)


def test_a_weak_model_only_orders_the_items():
    codes, table = draw_model(800, 0.4, 0.04)
    judged = judge_by_models([ModelTable("given", np.arange(800), table)], codes, ["a", "b"])
    assert judged is not None
    assert not judged.estimate.is_known
    assert np.isnan(judged.evidence.wrong_share.value)


def test_a_strong_model_measures_wrong_labels():
    estimates = []
    for share in (0.0, 0.04, 0.12):
        codes, table = draw_model(4000, 3.0, share)
        judged = judge_by_models([ModelTable("given", np.arange(4000), table)], codes, ["a", "b"])
        assert judged is not None
        assert judged.estimate.share.low <= share <= judged.estimate.share.high
        estimates.append(judged.estimate.share.value)
    assert estimates == sorted(estimates)


def judge_strong_model(seed: int, share: float, n: int = 1000) -> tuple[Suspects, int]:
    """Return suspects by a model that is right about 19 of 20 items, and the number of wrong labels."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 4, n)
    logits = rng.normal(size=(n, 4)) + 4 * np.eye(4)[truth]
    wrong = rng.permutation(n) < round(share * n)
    codes = np.where(wrong, (truth + rng.integers(1, 4, n)) % 4, truth)
    table = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
    data = pl.DataFrame({"id": [str(row) for row in range(n)], "label": LETTERS[codes].tolist()})
    return find_suspects(data, probabilities=table, text="none"), int(wrong.sum())


@pytest.mark.parametrize("share", [0.0, 0.03, 0.08])
def test_the_interval_of_a_strong_model_holds_the_number_of_wrong_labels(share):
    held = 0
    for seed in range(20):
        result, n_wrong = judge_strong_model(seed, share)
        assert result.expected_bad.high > result.expected_bad.value
        held += result.expected_bad.low <= n_wrong <= result.expected_bad.high
    assert held >= 19


def test_the_interval_of_a_strong_model_covers_what_differs_between_reviewed_benchmarks():
    """Of 1,000 items, 162 / 2.9 are bad on MMLU-Redux and 120 / 1.319 on GSM8K, most of them not contradicted."""
    result, _ = judge_strong_model(0, 0.0, 20_000)
    assert result.expected_bad.high >= 120 / 1319 * 20_000
    assert result.expected_bad.low == 0


def test_without_evidence_the_prior_is_not_an_estimate():
    assert not estimate_share([]).is_known
    assert not estimate_share([np.zeros(len(SHARES))]).is_known


@pytest.mark.parametrize("seed", [*range(5), 8, 20, 33])
def test_more_systems_against_the_label_never_lower_suspicion(seed):
    rng = np.random.default_rng(seed)
    predictions, _ = draw_systems(seed, 0.03, 400, 6)
    before = find_suspects(predictions=predictions).items.sort("id")["suspicion"]
    ids = sorted(predictions.ids.tolist())
    answers = {name: system.predicted.copy() for name, system in predictions.systems.items()}
    gold = predictions.gold
    changed = []
    for row in rng.choice(400, 20, replace=False).tolist():
        votes = [answers[name][row] for name in answers]
        agreeing = [name for name in answers if answers[name][row] == gold[row]]
        rivals = [vote for vote in votes if vote != gold[row]]
        if not agreeing or not rivals:
            continue
        rival = max(sorted(set(rivals)), key=rivals.count)
        trial = {name: column.copy() for name, column in answers.items()}
        trial[agreeing[0]][row] = rival
        after = find_suspects(predictions=Predictions.from_arrays(gold, trial)).items.sort("id")["suspicion"]
        place = ids.index(str(predictions.ids[row]))
        changed.append(after[place] - before[place])
        if len(changed) == 5:
            break
    assert min(changed) > -5e-4  # the vote counts for the skill of its system, and so a little for all items


def test_suspicion_never_falls_as_votes_move_away_from_the_label():
    predictions, _ = draw_systems(0, 0.05)
    doubt = dict(zip(predictions.ids.tolist(), count_votes(predictions).doubt.tolist(), strict=True))
    items = find_suspects(predictions=predictions).items
    ranked = [doubt[name] for name in items["id"].to_list()]
    assert ranked == sorted(ranked, reverse=True)
    levels = {}
    for value, suspicion in zip(ranked, items["suspicion"].to_list(), strict=True):
        levels.setdefault(value, set()).add(round(suspicion, 12))
    assert all(len(values) == 1 for values in levels.values())
    assert len({next(iter(values)) for values in levels.values()}) == len(levels)


@pytest.mark.parametrize("seed", range(20))
def test_an_item_that_moves_up_never_gets_a_lower_ratio_by_its_own_move(seed):
    rng = np.random.default_rng(seed)
    doubt, of_wrong = rng.normal(0, 1, 300).round(1), rng.normal(1, 1, 500).round(1)
    before = compare_levels(doubt, of_wrong)
    for row in range(0, 300, 7):
        moved = doubt.copy()
        moved[row] = rng.choice(doubt[doubt >= doubt[row]])
        assert compare_levels(moved, of_wrong)[row] >= before[row] - 1e-12


def test_ratios_without_pseudo_items_are_isotonic_regression():
    rng = np.random.default_rng(0)
    counts = rng.integers(5, 30, 40).astype(float)
    expected = counts * rng.random(40)
    ratios = isotonic_regression(expected / counts, sample_weight=counts, increasing=False)
    np.testing.assert_allclose(smooth_ratios(expected, counts, 0.0, 0.0), ratios)
