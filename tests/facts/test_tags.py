"""WNUT-17: surface F1 of seven systems next to their entity F1, and the hand-counted case."""

from __future__ import annotations

import pytest

import assay
from assay.kinds import kind_of

PUBLISHED = {
    "uh_ritual": (41.86, 40.38),
    "spinningbytes": (40.78, 39.69),
    "sjtu_adapt": (40.42, 37.75),
    "arcada": (39.98, 38.37),
    "flytxt": (38.35, 36.68),
    "mic-cis": (37.06, 34.25),
    "drexel_cci": (26.30, 25.26),
}


def test_entities_and_surfaces_of_wnut17(shared):
    data = assay.read(shared("wnut17/emerging.test.annotated"))
    kind = kind_of(data)
    table = kind.answers.load_answers(shared("wnut17/test_predictions.tsv.gz"), data)
    metrics = [kind.scoring.find_metric(name) for name in ("entity-f1", "surface-f1")]
    scores = {
        name: tuple(
            round(100 * metric.score(kind.scoring.pair_answers(data, table[name].to_list())), 2) for metric in metrics
        )
        for name in PUBLISHED
    }
    assert scores == PUBLISHED


def test_a_repeated_entity_counts_once():
    """Gold has Rome and Ada, the system Rome (twice, once if it is none) and Pisa: one right of two and two."""
    data = assay.read(
        {
            "tokens": [["Rome", "Ada"], ["Rome"], ["Rome"], ["Pisa"]],
            "tags": [["B-loc", "B-per"], ["B-loc"], ["O"], ["O"]],
        }
    )
    (system,) = assay.evaluate(
        data, {"x": ["O O", "B-loc", "B-loc", "B-loc"]}, metrics=["surface-f1", "entity-f1"], compare=False
    ).systems
    assert system.metrics["surface-f1"].value == pytest.approx(0.5)
    assert system.metrics["entity-f1"].value == pytest.approx(2 / 6)
