"""Suspects among sets of labels and sequences of tags."""

import numpy as np

from assay.evaluation import Predictions
from assay.suspects.cells import judge_by_cells, plant_errors
from assay.suspects.votes import count_votes


def make_sets(n: int = 200) -> Predictions:
    """Return sets of labels that six systems know well; the first lacks a label and the second has one too many."""
    generator = np.random.default_rng(0)
    truth = [set(generator.choice(["joy", "anger", "fear"], generator.integers(1, 3), replace=False)) for _ in range(n)]
    truth[0], truth[1] = {"joy", "anger"}, {"joy"}
    gold = [{"joy"}, {"joy", "fear"}, *truth[2:]]
    systems = {}
    for number in range(6):
        answers = [labels if generator.random() < 0.9 else labels ^ {"fear"} for labels in truth]
        systems[f"s{number}"] = ["|".join(sorted(labels)) or "(none)" for labels in answers]
    return Predictions.from_arrays(["|".join(sorted(labels)) for labels in gold], systems)


def test_missing_and_surplus_labels_are_suspicious():
    judgement = judge_by_cells(make_sets(), "class set")
    ranked = np.lexsort((-judgement.order, -judgement.probability))
    assert {0, 1} <= set(ranked[:10].tolist())
    assert judgement.suggested.to_list()[:2] == ["anger|joy", "joy"]
    assert judgement.explain(0).endswith('systems add "anger"')
    assert judgement.explain(1).endswith('systems leave out "fear"')


def test_wrong_tags_are_suspicious_and_missed_entities_are_not():
    gold = ["O B-place", "O O", *["B-person O O"] * 30, *["O O O"] * 60]
    answers = ["O B-person", "O B-place", *["O O O"] * 20, *["B-person O O"] * 10, *["O O O"] * 60]
    judgement = judge_by_cells(Predictions.from_arrays(gold, dict.fromkeys("abcde", answers)), "tag sequence")
    assert not judgement.estimate.is_known  # one wrong tag in 92 sentences may be a hard one
    assert judgement.suggested.to_list()[1] == "O B-place"
    assert judgement.explain(1) == 'token 2: 5 of 5 systems answer "B-place"; the gold tag is "O"'


def test_answers_of_another_length_are_not_votes():
    judgement = judge_by_cells(
        Predictions.from_arrays(["O O"] * 40, {"x": ["O"] * 40, "y": ["O O"] * 40}), "tag sequence"
    )
    assert judgement.explain(0) == ""
    assert (judgement.probability < 0.5).all()


def draw_tags(share: float, skill: float, n: int = 500) -> tuple[Predictions, np.ndarray]:
    """Return sentences of ten tokens, eight systems that share difficulty and errors, and the sentences with a wrong tag."""
    rng = np.random.default_rng(0)
    truth = rng.choice(4, (n, 10), p=[0.7, 0.1, 0.1, 0.1])
    lure, difficulty = (truth + rng.integers(1, 4, truth.shape)) % 4, rng.normal(0, 1.5, truth.shape)
    bad = rng.permutation(n) < round(share * n)
    gold = truth.copy()
    places = rng.integers(0, 10, n)[bad]
    gold[bad, places] = (gold[bad, places] + rng.integers(1, 4, bad.sum())) % 4
    answers = {}
    for number in range(8):
        is_right = rng.random(truth.shape) < 1 / (1 + np.exp(difficulty - skill))
        said = np.where(is_right, truth, np.where(rng.random(truth.shape) < 0.6, lure, (lure + 1) % 4))
        answers[f"s{number}"] = _write(said)
    return Predictions.from_arrays(_write(gold), answers), bad


def _write(tags: np.ndarray) -> list[str]:
    return [" ".join(row) for row in np.array(["O", "B-x", "B-y", "B-z"])[tags].tolist()]


def test_wrong_tags_are_counted_by_errors_planted_in_the_data():
    for share in (0.0, 0.06):
        judged = judge_by_cells(draw_tags(share, 3.5)[0], "tag sequence")
        assert judged.estimate.is_known
        assert judged.estimate.share.low <= share <= judged.estimate.share.high
    bad = draw_tags(0.06, 3.5)[1]
    likely = judged.probability >= 0.5
    assert likely.sum() >= 15
    assert judged.probability[likely].mean() <= bad[likely].mean()


def test_systems_that_agree_little_only_order_the_sentences():
    judged = judge_by_cells(draw_tags(0.06, 0.3)[0], "tag sequence")
    assert not judged.estimate.is_known
    assert judged.log_likelihood is None


def test_planted_errors_change_one_part():
    votes = count_votes(Predictions.from_arrays(["a", "a", "b", "a"], {"x": ["a", "a", "b", "a"], "y": ["a"] * 4}))
    planted = plant_errors(votes, np.array([0, 0, 2, 2]), np.array([0, -1, 2]))
    assert len(planted.gold) == 2
    assert (planted.doubt >= 0).all()
