"""A system has one score, whichever command says it."""

from __future__ import annotations

import re

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


def test_accuracies_of_mmlu_pro_are_those_of_its_source_and_ranks_follow(shared):
    """An empty answer is wrong, and an item that a system was not run on does not count."""
    facts = shared("mmlu_pro/SOURCE.md").read_text(encoding="utf-8").partition("Right / run")[2].partition("\n")[0]
    counts = {name: (int(right), int(run)) for name, right, run in re.findall(r"([\w.-]+) (\d+)/(\d+) \(\d+\)", facts)}
    assert len(counts) == 29
    path = shared("mmlu_pro/pred_labels.tsv.gz")
    evaluated = {row.system: row for row in assay.evaluate(None, path, metrics="accuracy", compare=False).systems}
    assert {name: (round(row.value * row.n), row.n) for name, row in evaluated.items()} == counts
    shares = {name: right / run for name, (right, run) in counts.items()}
    places = {name: 1 + sum(other > share for other in shares.values()) for name, share in shares.items()}
    ranked = assay.discriminate(predictions=path)
    audit = assay.audit(None, predictions=str(path), only=["discrimination"], cache=False)
    assert {name: row.rank for name, row in evaluated.items()} == places
    for rows in (ranked.systems, audit.evidence.discrimination.systems):
        assert {row.system: row.score for row in rows} == pytest.approx(
            {name: 100 * share for name, share in shares.items()}
        )
        assert {row.system: (row.rank, row.n_units) for row in rows} == {
            name: (places[name], counts[name][1]) for name in counts
        }
