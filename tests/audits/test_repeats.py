"""Audits of repeated runs: every repeat counts."""

from __future__ import annotations

import json

import numpy as np
import pytest

import assay
from assay.audits import Audit
from assay.evaluation import read_predictions
from assay.evaluation.repeats.stacking import combine_repeats
from assay.report import render_page

N_ITEMS = 40


@pytest.fixture(scope="module")
def tables():
    generator = np.random.default_rng(0)
    ids = [str(number) for number in range(N_ITEMS)]
    gold = ["ab"[number % 2] for number in range(N_ITEMS)]
    data = {
        "id": ids,
        "text": [f"text number {number} about {gold[number]}" for number in range(N_ITEMS)],
        "label": gold,
    }
    rows = []
    for system, share in (("good", 0.8), ("fair", 0.6), ("poor", 0.5)):
        for repeat in range(3):
            for item, label in zip(ids, gold, strict=True):
                answer = label if generator.random() < share else "ab".replace(label, "")
                rows.append({"system": system, "id": item, "repeat": repeat, "predicted": answer})
    return data, rows


@pytest.fixture(scope="module")
def result(tables):
    data, rows = tables
    predictions = read_predictions(rows, assay.read(data))
    return assay.audit(assay.read(data), predictions, only=["profile", "difficulty", "discrimination"])


def test_the_scores_of_an_audit_are_means_over_all_repeats(result, tables):
    gold = dict(zip(tables[0]["id"], tables[0]["label"], strict=True))
    evidence = result.evidence.discrimination
    for row in evidence.systems:
        rights = [each["predicted"] == gold[each["id"]] for each in tables[1] if each["system"] == row.system]
        assert row.score == pytest.approx(100 * np.mean(rights))
    assert evidence.n_systems == 3


def test_the_variance_is_split_as_in_evaluate(result, tables):
    own = assay.evaluate(assay.read(tables[0]), read_predictions(tables[1], assay.read(tables[0]))).repeats
    assert result.evidence.discrimination.repeats == own
    assert own.n == 3
    (finding,) = [finding for finding in result.findings if finding.code == "A507"]
    assert "Runs were repeated up to 3 times; from one repeat to the next a score moves by" in finding.claim


def test_the_page_and_the_json_have_the_repeats(result):
    assert ">Repeats<" in render_page(result)
    assert Audit.from_dict(json.loads(json.dumps(result.to_dict()))) == result


def test_the_order_of_repeats_changes_no_score(result, tables):
    data, rows = tables
    turned = [{**row, "repeat": 2 - row["repeat"]} for row in rows]
    again = assay.audit(assay.read(data), read_predictions(turned, assay.read(data)), only=["discrimination"])
    scores = [{row.system: row.score for row in each.evidence.discrimination.systems} for each in (result, again)]
    assert scores[0] == pytest.approx(scores[1])


def test_answers_are_the_most_frequent_ones_and_outcomes_their_means():
    answers = {"1": "aab", "2": "bba", "3": "abc"}
    rows = [
        {"id": item, "repeat": repeat, "system": "x", "gold": "a", "predicted": text[repeat]}
        for item, text in answers.items()
        for repeat in range(3)
    ]
    combined = combine_repeats(read_predictions(rows))
    assert combined.systems["x"].predicted.tolist() == ["a", "b", "a"]
    assert combined.outcomes()[0].tolist() == pytest.approx([2 / 3, 1 / 3, 1 / 3])
    assert combined.names == ["x"]
