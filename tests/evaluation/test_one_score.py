"""A system has one score, whichever command says it."""

from __future__ import annotations

import numpy as np
import pytest
from tests.answered_kinds import GRADES, KINDS, TEXTS, N

import assay

CASES = {kind: (data, answers) for kind, (data, answers, _) in KINDS.items()}
CASES["graded"] = ({"text": TEXTS, "score": GRADES}, GRADES)
SCORED_BY_AUDIT = ("classification", "multilabel", "generation", "graded")


def answer(right, seed):
    """Answer most items, some wrongly, leave some answers empty, and do not run on others."""
    generator = np.random.default_rng(seed)
    answers = [gold if generator.random() < 0.7 else right[3 * n % N] for n, gold in enumerate(right)]
    cells = generator.random(N)
    return [None if cell < 0.1 else "" if cell < 0.25 else answer for cell, answer in zip(cells, answers, strict=True)]


@pytest.mark.parametrize("kind", CASES)
def test_evaluate_and_discriminate_have_the_same_scores(kind):
    data, right = CASES[kind]
    systems = {name: answer(right, seed) for seed, name in enumerate("xyz")}
    options = {"task": "graded"} if kind == "graded" else {}
    ranking = assay.discriminate(predictions=systems, data=data, **options)
    metric = ranking.datasets[0].metric
    result = assay.evaluate(data, systems, metrics=metric, baselines=False, compare=False, **options)
    scores = {row.system: 100 * row.value for row in result.systems}
    assert {row.system: row.score for row in ranking.systems} == pytest.approx(scores)
    if kind in SCORED_BY_AUDIT:
        audit = assay.audit(data, predictions=systems, only=["discrimination"], **options)
        audited = audit.evidence.discrimination
        assert audited.metric == metric
        assert {row.system: row.score for row in audited.systems} == pytest.approx(scores)


def test_ranks_follow_from_the_accuracies_of_mmlu_pro(shared):
    path = shared("mmlu_pro/pred_labels.tsv.gz")
    evaluated = {row.system: row for row in assay.evaluate(None, path, metrics="accuracy", compare=False).systems}
    ranked = assay.discriminate(predictions=path).systems
    assert {row.system: row.rank for row in ranked} == {name: row.rank for name, row in evaluated.items()}
    for row in ranked:
        assert row.score == pytest.approx(100 * evaluated[row.system].value)
        assert row.n_units == evaluated[row.system].n
