"""First screens of score tables: what was counted is counted once, and few datasets are said."""

from __future__ import annotations

import numpy as np
import polars as pl

import assay
from assay.discrimination import read_scores
from assay.report.content import describe_subject
from assay.views.blocks import Sentence


def audit_board(rows):
    columns = ("dataset", "metric", "system", "score")
    frame = pl.DataFrame([dict(zip(columns, row, strict=True)) for row in rows])
    return assay.audit(None, scores=frame, cache=False)


def draw_board(n_systems, n_datasets, spread, generator):
    level = generator.normal(0, spread, n_systems)
    return [
        (f"d{place}", "accuracy", f"s{number}", 60 + level[number] + generator.normal(0, 4))
        for place in range(n_datasets)
        for number in range(n_systems)
    ]


def test_datasets_with_several_metrics_are_counted_once():
    rows = [
        (f"d{place}", metric, f"s{number}", 50 + 3 * number + place + len(metric) / 7)
        for place in range(4)
        for metric in ("accuracy", "f1")
        for number in range(5)
    ]
    audit = audit_board(rows)
    assert describe_subject(audit).startswith("5 systems · 4 datasets with 8 metrics")
    printed = [block.text for block in audit.blocks() if isinstance(block, Sentence)]
    assert any(text.startswith("Datasets (each metric separately): keep 8,") for text in printed)


def test_a_board_that_excludes_nobody_from_first_place_says_how_few_datasets_it_has():
    audit = audit_board(draw_board(12, 5, 0.5, np.random.default_rng(1)))
    row = audit.overview.find_row("ranking")
    assert row.text == "12 of 12 systems may be first: 5 datasets cannot exclude any, with all pairs compared"
    (shared,) = [finding for finding in audit.findings if finding.code == "A502"]
    assert (
        "11 others cannot be distinguished from it over 5 datasets with all pairs of systems compared at once"
        in shared.claim
    )


def test_a_board_on_which_no_dataset_tells_systems_apart_is_not_ok():
    equal = [(f"d{place}", "accuracy", f"s{number}", 70.0 + place) for place in range(3) for number in range(8)]
    row = audit_board(equal).overview.find_row("ranking")
    assert (row.text, row.status) == ("0 of 3 datasets tell their systems apart", "unclear")


def test_shares_among_percents_are_not_close_together_by_the_units_of_percents():
    table = pl.DataFrame(
        {
            "model": [f"m{number}" for number in range(8)],
            "ROUGE-L": [30.0 + number for number in range(8)],
            "SQuAD F1": [0.5 + number / 20 for number in range(8)],
        }
    )
    audit = assay.audit(None, scores=table, cache=False)
    assert not [finding for finding in audit.findings if "SQuAD" in finding.claim]
    assert any("SQuAD F1 are between 0 and 1 among percents" in note for note in read_scores(table).notes)


def test_a_board_with_gaps_on_which_nobody_is_excluded_has_no_shared_first_place():
    rows = [
        (f"d{place}", "accuracy", f"s{number}", 60.0 + 5 * number + place) for place in range(4) for number in range(4)
    ]
    audit = audit_board(rows[:-1])
    (finding,) = [finding for finding in audit.findings if finding.code == "A502"]
    assert finding.claim == (
        "4 of 4 systems may be first: no system is significantly better than another on the datasets that both have, "
        "with all pairs compared."
    )


def test_a_sparse_board_counts_every_system_and_those_that_could_be_ranked():
    """Numpy warns of means of nothing where a dataset has only systems without a place; warnings are errors here."""
    generator = np.random.default_rng(2)
    rows = [row for row in draw_board(14, 10, 1, generator) if generator.random() < 0.8]
    rows += [("alone", "accuracy", name, score) for name, score in (("x", 50.0), ("y", 60.0))]
    audit = audit_board(rows)
    assert describe_subject(audit).startswith("16 systems · 11 datasets")
    row = audit.overview.find_row("ranking")
    shared = next(finding.claim for finding in audit.findings if finding.code == "A502")
    ranked = row.unit.removeprefix("of ").partition(" may")[0]
    assert "that could be ranked (16 were given)" in ranked
    assert shared.startswith(f"{row.number} of {ranked} may be first: no ")


def test_systems_with_equal_best_scores_are_not_said_to_score_less():
    items = {"id": [str(number) for number in range(60)]}
    answers = pl.DataFrame({**items, **{name: [1.0] * 50 + [0.0] * 10 for name in ("a", "b")}, "c": [1.0, 0.0] * 30})
    audit = assay.audit(None, predictions=answers, cache=False)
    (finding,) = [row for row in audit.findings if row.code == "A502"]
    assert finding.claim == '2 of 3 systems may be first: "a" and 1 other have the same best score.'


def test_scores_of_items_that_may_be_errors_say_that_higher_is_taken_as_better():
    generator = np.random.default_rng(3)
    level = generator.uniform(10, 30, 80)
    errors = pl.DataFrame({"id": [str(n) for n in range(80)], **{f"m{k}": level + 5 * k for k in range(3)}})
    row = assay.audit(None, predictions=errors, cache=False).overview.find_row("ranking")
    assert row.text == '1 of 3 systems may be first if higher is better: "m2"'


def test_an_action_that_several_rules_call_for_is_said_once():
    answers = pl.DataFrame({"id": [str(n) for n in range(60)], **{name: [1] * 60 for name in "abc"}})
    audit = assay.audit(None, predictions=answers, cache=False)
    assert {"A501", "A508", "A512"} <= {finding.code for finding in audit.findings}
    assert len(audit.overview.actions) == 1
