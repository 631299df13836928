"""Suspects among sets of labels and sequences of tags."""

import numpy as np

from assay.evaluation import Predictions
from assay.suspects.cells import judge_by_cells


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
