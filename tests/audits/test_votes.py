"""Systems that contradict the key together."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from assay.audits.votes import lead_over_key, outvoted
from assay.evaluation import Predictions


def answers(*rows: str) -> np.ndarray:
    return np.array([[None if cell == "-" else cell for cell in row] for row in rows], dtype=object)


def key(text: str) -> np.ndarray:
    return np.array(list(text), dtype=object)


def test_the_better_system_counts_more():
    told = answers("aaaaaaaab", "aaaaaabba", "aaaaaabba")
    lead, votes = lead_over_key(told, key("aaaaaaaaa"))
    good, fair = np.log(9 / 1), np.log(7 / 3)  # 8 of 8 and 6 of 8 others right, one added to each side
    assert np.isclose(lead[-1], good - 2 * fair)
    assert np.isclose(votes[-1], good + 2 * fair)


def test_answers_between_which_votes_are_split_do_not_add_up():
    told = answers("aaaab", "aaaac", "aaaad")
    lead, votes = lead_over_key(told, key("aaaaa"))
    assert np.isclose(lead[-1], votes[-1] / 3)


def test_who_says_nothing_or_guesses_has_no_vote():
    told = answers("aabbab", "aabba-", "abbaba")
    lead, votes = lead_over_key(told, key("aabbaa"))
    assert np.allclose([lead[-1], votes[-1]], np.log(6 / 1))  # of the one system that was right on the five others


def test_a_wrong_key_is_outvoted_and_two_systems_are_too_few():
    gold = ["a", "b"] * 6
    said = list(gold)
    said[3] = "a"
    systems = dict.fromkeys(("one", "two", "three"), said)
    marked, n = outvoted(Predictions.from_arrays(gold, systems, ids=[str(row) for row in range(12)]))
    assert np.flatnonzero(marked).tolist() == [3]
    assert n == 3
    hesitant = [label if row % 3 else {"a": "b", "b": "a"}[label] for row, label in enumerate(said)]
    weak = dict.fromkeys(systems, hesitant)
    assert not outvoted(Predictions.from_arrays(gold, weak, ids=[str(row) for row in range(12)]))[0].any()
    two = Predictions.from_arrays(gold, {"one": said, "two": said}, ids=[str(row) for row in range(12)])
    assert not outvoted(two)[0].any()


@given(st.integers(2, 6), st.integers(2, 5), st.integers(5, 30), st.integers(0, 1000))
def test_the_lead_is_that_of_the_obvious_count(n_systems, n_labels, n_items, seed):
    rng = np.random.default_rng(seed)
    labels = np.array(list("abcdef")[:n_labels], dtype=object)
    gold, told = rng.choice(labels, n_items), rng.choice(labels, (n_systems, n_items))
    told[rng.random(told.shape) < 0.1] = None
    expected = [lead_by_hand(told, gold, item) for item in range(n_items)]
    assert np.allclose(np.column_stack(lead_over_key(told, gold)), expected)


def lead_by_hand(told: np.ndarray, gold: np.ndarray, item: int) -> tuple[float, float]:
    votes: dict[str, float] = {}
    for row in told:
        others = [(said, true) for place, (said, true) in enumerate(zip(row, gold, strict=True)) if place != item]
        n = sum(said is not None for said, _ in others)
        share = (sum(said == true for said, true in others) + 1) / (n + 2)
        weight = max(0.0, float(np.log(share * max(len(set(gold)) - 1, 1) / (1 - share))))
        if row[item] is not None:
            votes[row[item]] = votes.get(row[item], 0.0) + weight
    best = max([weight for answer, weight in votes.items() if answer != gold[item]], default=0.0)
    return best - votes.get(gold[item], 0.0), sum(votes.values())
