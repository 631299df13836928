"""Votes of systems on gold labels."""

import numpy as np
import pytest
from sklearn.metrics import average_precision_score

from assay.evaluation import Predictions
from assay.suspects.votes import count_votes, encode_answers, tally, weigh_systems

GOLD = list("aaaaaaaaaa")


def make(*systems: str, gold: list[str] = GOLD) -> Predictions:
    return Predictions.from_arrays(gold, {f"s{number}": list(answers) for number, answers in enumerate(systems)})


def test_unanimous_answers_lead_by_all_votes():
    votes = count_votes(make("aaaaaaaaab", "aaaaaaaaab"))
    assert votes.lead.tolist() == [-1.0] * 9 + [1.0]
    assert votes.doubt.tolist() == pytest.approx([-1.0] * 9 + [1.0])
    assert (votes.n_gold[-1], votes.n_other[-1], votes.answers[votes.other[-1]]) == (0, 2, "b")


def test_the_better_system_outweighs_two_that_err_together():
    votes = count_votes(make("aaaaaaaaab", "bbbaaaaaaa", "bbbaaaaaaa"))
    assert votes.lead[0] < 0  # two weak systems that make the same errors against a better one
    assert votes.lead[-1] > 0


def test_scattered_answers_raise_doubt_but_not_the_lead():
    scattered, common = count_votes(make(*(["aaaaaaaaa" + x for x in "bcde"]))), count_votes(make(*["aaaaaaaaab"] * 4))
    assert scattered.lead[-1] == pytest.approx(0.25)
    assert scattered.lead[-1] < scattered.doubt[-1] < common.doubt[-1]
    assert (scattered.n_distinct[-1], common.n_distinct[-1]) == (4, 1)


def test_a_missing_answer_is_not_a_vote():
    predictions = Predictions.from_arrays(list("aab"), {"x": ["a", None, "a"], "y": ["a", None, "NA"]})
    votes = count_votes(predictions)
    assert votes.n_answered.tolist() == [2, 0, 1]
    assert np.isnan(votes.lead[1])


def test_numbers_are_equal_by_value():
    codes, gold, answers = encode_answers(Predictions.from_arrays(["18", "1000"], {"x": ["18.0", "1,000"]}))
    assert codes[0].tolist() == gold.tolist()
    assert answers == ["1000", "18"]


def test_words_are_compared_as_they_are_and_numbers_by_value():
    codes, gold, _ = encode_answers(Predictions.from_arrays(["A", "1", "a"], {"x": ["A ", "1.0", "A"]}))
    assert (codes[0] == gold).tolist() == [True, True, False]


def test_item_scores_vote_for_or_against_the_gold_label():
    votes = count_votes(Predictions.from_arrays(None, {"x": [1.0, 0.0, np.nan], "y": [1.0, 0.0, 1.0]}))
    assert votes.lead.tolist() == [-1.0, 1.0, -1.0]


def test_copies_of_a_system_share_its_weight():
    generator = np.random.default_rng(0)
    right = generator.random((3, 2000)) < 0.8
    alone = weigh_systems(right, np.ones_like(right))
    copied = weigh_systems(np.concatenate([right, right[2:]]), np.ones((4, 2000), bool))
    assert copied[2] + copied[3] == pytest.approx(alone[2], rel=0.15)


def test_the_order_of_systems_does_not_matter():
    generator = np.random.default_rng(1)
    systems = ["".join(generator.choice(list("aaab"), 50)) for _ in range(5)]
    forward, backward = (count_votes(make(*order, gold=["a"] * 50)).doubt for order in (systems, systems[::-1]))
    assert forward == pytest.approx(backward)


def test_a_system_without_any_answer_is_not_a_voter():
    votes = count_votes(Predictions.from_arrays(["a", "b"], {"x": ["a", "b"], "y": [None, None]}))
    assert votes.n_answered.tolist() == [1, 1]


def test_more_systems_that_say_the_same_are_stronger_evidence():
    # The first item has one answer, the second four, the third one for the gold label; the others have all.
    table = ["b" + "b" + "a" + "a" * 7, "-b-" + "a" * 7, "-b-" + "a" * 7, "-b-" + "a" * 7]
    votes = count_votes(make(*[[None if cell == "-" else cell for cell in row] for row in table]))
    assert votes.lead[:3].tolist() == [1, 1, -1]
    assert 1 == votes.doubt[1] > votes.doubt[0] > 0 > votes.doubt[2] > votes.doubt[3] == -1


@pytest.mark.parametrize("seed", range(5))
def test_no_vote_against_the_label_lowers_doubt_and_none_for_it_raises_it(seed):
    rng = np.random.default_rng(seed)
    codes, gold = rng.integers(-1, 3, (6, 40)), rng.integers(0, 3, 40)
    weights = dict(enumerate(rng.random(6).tolist()))
    before = tally(codes, gold, list("abc"), weights)
    for system, row in zip(*np.nonzero(codes < 0), strict=True):
        if before.n_answered[row] == 0 or before.other[row] < 0:
            continue
        against, confirmed = codes.copy(), codes.copy()
        against[system, row], confirmed[system, row] = before.other[row], gold[row]
        doubts = [tally(each, gold, list("abc"), weights).doubt[row] for each in (confirmed, codes, against)]
        assert doubts == sorted(doubts)


def draw_families(seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return answers of ten families of two systems, each drawn to an error of its own, and most frequent errors as keys."""
    rng, n = np.random.default_rng(seed), 1000
    truth, difficulty = rng.integers(0, 4, n), rng.normal(0, 1.8, n)
    rows = []
    for _ in range(10):
        skill, lure = rng.normal(1.0, 1.0), (truth + rng.integers(1, 4, n)) % 4
        rows += [np.where(rng.random(n) < 1 / (1 + np.exp(difficulty - skill)), truth, lure) for _ in range(2)]
    codes = np.stack(rows)
    bad = rng.permutation(n) < 30
    counts = np.stack([(codes == code).sum(axis=0) for code in range(4)])
    counts[truth, np.arange(n)] = -1
    return codes, np.where(bad, counts.argmax(axis=0), truth), bad


def test_tempting_errors_as_gold_labels_rank_no_lower_than_by_simple_rules():
    gaps = []
    for seed in range(6):
        codes, gold, bad = draw_families(seed)
        is_right = codes == gold
        right = (is_right.sum(axis=1) + 1) / (codes.shape[1] + 2)
        by_skill = np.maximum(np.log(right / (1 - right)) + 0.5, 0.05)
        votes = [
            tally(codes, gold, list("abcd"), dict(enumerate(weights.tolist())))
            for weights in (np.ones(20), by_skill, weigh_systems(is_right, codes >= 0))
        ]
        simple = [votes[0].lead, votes[1].lead, -is_right.mean(axis=0)]
        own = average_precision_score(bad, votes[2].doubt)
        gaps.append(own - max(average_precision_score(bad, score) for score in simple))
    assert np.mean(gaps) >= 0
