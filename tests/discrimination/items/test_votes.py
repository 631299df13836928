"""Systems that disagree with the gold label together."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from assay.discrimination import find_outvoted_items, measure_vote_lead
from assay.evaluation import Predictions


def make_answers(*rows: str) -> np.ndarray:
    return np.array([[None if cell == "-" else cell for cell in row] for row in rows], dtype=object)


def make_gold(text: str) -> np.ndarray:
    return np.array(list(text), dtype=object)


def test_the_better_system_counts_more():
    answers = make_answers("aaaaaaaab", "aaaaaabba", "aaaaaabba")
    lead, votes = measure_vote_lead(answers, make_gold("aaaaaaaaa"))
    good, fair = np.log(9 / 1), np.log(7 / 3)  # 8 of 8 and 6 of 8 others right, one added to each side
    assert np.isclose(lead[-1], good - 2 * fair)
    assert np.isclose(votes[-1], good + 2 * fair)


def test_votes_for_different_answers_do_not_add_up():
    answers = make_answers("aaaab", "aaaac", "aaaad")
    lead, votes = measure_vote_lead(answers, make_gold("aaaaa"))
    assert np.isclose(lead[-1], votes[-1] / 3)


def test_missing_answers_and_guesses_have_no_weight():
    answers = make_answers("aabbab", "aabba-", "abbaba")
    lead, votes = measure_vote_lead(answers, make_gold("aabbaa"))
    assert np.allclose([lead[-1], votes[-1]], np.log(6 / 1))  # of the one system that was right on the five others


def test_a_wrong_label_is_outvoted_and_two_systems_are_too_few():
    gold = ["a", "b"] * 6
    predicted = list(gold)
    predicted[3] = "a"
    systems = dict.fromkeys(("one", "two", "three"), predicted)
    result = find_outvoted_items(Predictions.from_arrays(gold, systems))
    assert np.flatnonzero(result.is_outvoted).tolist() == [3]
    assert (result.n_outvoted, result.n_items, result.n_systems) == (1, 12, 3)
    often_wrong = [label if row % 3 else {"a": "b", "b": "a"}[label] for row, label in enumerate(predicted)]
    weak = dict.fromkeys(systems, often_wrong)
    assert not find_outvoted_items(Predictions.from_arrays(gold, weak)).is_outvoted.any()
    two = Predictions.from_arrays(gold, {"one": predicted, "two": predicted})
    assert not find_outvoted_items(two).is_outvoted.any()


@given(st.integers(2, 6), st.integers(2, 5), st.integers(5, 30), st.integers(0, 1000))
def test_the_lead_equals_a_count_by_hand(n_systems, n_labels, n_items, seed):
    rng = np.random.default_rng(seed)
    labels = np.array(list("abcdef")[:n_labels], dtype=object)
    gold, answers = rng.choice(labels, n_items), rng.choice(labels, (n_systems, n_items))
    answers[rng.random(answers.shape) < 0.1] = None
    expected = [count_by_hand(answers, gold, item) for item in range(n_items)]
    assert np.allclose(np.column_stack(measure_vote_lead(answers, gold)), expected)


def count_by_hand(answers: np.ndarray, gold: np.ndarray, item: int) -> tuple[float, float]:
    votes: dict[str, float] = {}
    for row in answers:
        others = [(answer, true) for place, (answer, true) in enumerate(zip(row, gold, strict=True)) if place != item]
        n = sum(answer is not None for answer, _ in others)
        share = (sum(answer == true for answer, true in others) + 1) / (n + 2)
        weight = max(0.0, float(np.log(share * max(len(set(gold)) - 1, 1) / (1 - share))))
        if row[item] is not None:
            votes[row[item]] = votes.get(row[item], 0.0) + weight
    best = max([weight for answer, weight in votes.items() if answer != gold[item]], default=0.0)
    return best - votes.get(gold[item], 0.0), sum(votes.values())
