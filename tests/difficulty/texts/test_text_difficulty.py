from __future__ import annotations

import numpy as np
import pytest
from tests.marks import unmarked_fields

from assay.base.codec import to_json
from assay.difficulty import TextDifficulty, text_difficulty
from assay.kinds import read

TEXTS = ["good nice film", "good nice movie", "bad awful film", "bad awful movie", "bad awful nice film"]
LABELS = ["pos", "pos", "neg", "neg", "pos"]


def test_the_text_among_the_other_label_is_the_hardest():
    found = text_difficulty(read({"text": TEXTS, "label": LABELS}))
    items = found.items()
    assert items.filter(items["rank"] == 1)["id"].to_list() == ["4"]
    assert items["nearest_other"].to_list()[4] == "2"
    assert found.contrary_share.value > 0
    assert list(found.contrary_by_label) == ["neg", "pos"]
    assert "each text is compared with all others" in found.notes[0]


def test_only_training_texts_are_neighbours():
    data = read({"text": TEXTS, "label": LABELS, "split": ["train"] * 4 + ["test"]})
    found = text_difficulty(data)
    assert found.n_reference == 4
    assert set(found.items()["nearest_same"].to_list()) <= {"0", "1", "2", "3"}
    assert found.contrary_by_part["test"].value == 1


def test_a_copy_in_training_is_at_distance_zero():
    data = read({"text": [*TEXTS[:4], TEXTS[0]], "label": ["pos", "pos", "neg", "neg", "pos"]})
    assert text_difficulty(data).neighbours.same[4] == 0


def test_texts_without_labels_are_ranked_by_their_nearest_text():
    found = text_difficulty(read({"text": [*TEXTS, "", "zebra"]}))
    assert np.isnan(found.contrary_share.value)
    assert found.items()["rank"].to_list()[5] == 7
    assert found.to_dict()["contrary_share"]["value"] is None


def test_texts_with_grades_are_ranked_by_their_nearest_text():
    data = read({"text": [f"word{n} word{n + 1}" for n in range(12)], "label": [str(n / 8) for n in range(12)]})
    found = text_difficulty(data)
    assert np.isnan(found.contrary_share.value)
    assert "Labels are grades" in found.notes[-1]


@pytest.mark.parametrize("encoder", ["tfidf", "counts"])
def test_vectors_may_be_dense_or_sparse(encoder):
    found = text_difficulty(read({"text": TEXTS, "label": LABELS}), encoder=encoder)
    assert np.isfinite(found.neighbours.difficulty).all()


def test_real_questions_lie_mostly_near_their_own_kind(shared):
    found = text_difficulty(read(shared("trec/trec.tsv.gz"), sample=1500))
    assert 0.2 < found.contrary_share.value < 0.5
    assert found.n_undefined == 0


def test_vectors_computed_before_are_used_as_they_are():
    data = read({"text": TEXTS, "label": LABELS})
    vectors = np.array([[1, 0], [1, 0.1], [0, 1], [0.1, 1], [0, 0.9]])
    found = text_difficulty(data, vectors=vectors)
    assert found.items()["nearest_other"].to_list()[4] == "2"
    assert found.neighbours.other[4] == 0


def test_the_result_survives_json_and_its_text_is_marked():
    found = text_difficulty(read({"text": TEXTS, "label": LABELS, "split": ["train"] * 4 + ["test"]}))
    assert to_json(TextDifficulty.from_dict(found.to_dict())) == to_json(found)
    assert found.to_dict().keys().isdisjoint({"neighbours", "ids"})
    assert list(unmarked_fields(TextDifficulty)) == []
