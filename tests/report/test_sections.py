"""What sections of the page say in numbers and tables."""

from __future__ import annotations

import math
from dataclasses import replace

from tests.example_audit import DISCRIMINATION, FORECAST, SPREAD, make_audit, make_sections

from assay.audits import Section
from assay.checks.difficulty.results import DifficultyEvidence
from assay.checks.difficulty.view import show_difficulty
from assay.checks.discrimination.view import discrimination_facts, discrimination_tables
from assay.checks.leaderboard.results import LeaderboardEvidence
from assay.checks.task.view import show_task
from assay.difficulty import TextDifficulty
from assay.forecast.view import show_forecast
from assay.report import render_page
from assay.report.content import cut_table, is_narrow, order_sections
from assay.statistics import wilson
from assay.views.blocks import Table, collect_blocks

ROW = DISCRIMINATION.datasets[0]


def with_datasets(*rows):
    return replace(DISCRIMINATION, datasets=rows)


def test_several_datasets_get_a_proposal_each_and_a_count():
    evidence = with_datasets(replace(ROW, dataset="a"), replace(ROW, dataset="b", proposal="retire"))
    facts = {fact.name: fact.number for fact in discrimination_facts(evidence)}
    assert facts["Datasets"] == "keep 1, repair 0, retire 1"
    table = next(iter(discrimination_tables(evidence)))
    assert [(row[0], row[-1]) for row in table.rows] == [("b", "retire"), ("a", "keep")]


def test_of_many_datasets_those_to_retire_come_first():
    rows = [replace(ROW, dataset=f"d{n}", proposal="retire" if n == 80 else "keep") for n in range(90)]
    table = next(iter(discrimination_tables(with_datasets(*rows))))
    assert [row[0] for row in table.rows[:2]] == ["d80", "d0"]
    assert "The first 60 of 90" in table.method


def test_datasets_of_one_name_are_told_apart():
    rows = [replace(ROW, benchmark=name, proposal=proposal) for name, proposal in (("one", "keep"), ("two", "repair"))]
    table = next(iter(discrimination_tables(with_datasets(*rows))))
    assert [row[:3] for row in table.rows] == [["d", "two", "accuracy"], ["d", "one", "accuracy"]]


def test_one_dataset_is_not_counted():
    assert "Datasets" not in [fact.name for fact in discrimination_facts(DISCRIMINATION)]


def test_quick_models_are_called_so_and_propose_nothing():
    evidence = replace(with_datasets(replace(ROW, proposal=None)), basis="quick models")
    assert "trained by the audit" in next(iter(discrimination_facts(evidence))).method
    assert next(iter(discrimination_tables(evidence))).columns[-1] == "verdict"


def test_an_undefined_number_is_left_out():
    rows = replace(ROW, lambda_sva=replace(ROW.lambda_sva, value=math.nan))
    assert "λ_sva" not in [fact.name for fact in discrimination_facts(with_datasets(rows))]


def test_a_forecast_says_the_level_of_its_interval_and_what_drives_it():
    view = collect_blocks(show_forecast(FORECAST))
    assert "80% prediction interval" in view.facts[0].method
    assert view.tables[0].cells == [["mean error of the small models", "50", "2.94"]]


def test_a_forecast_out_of_its_range_says_so_next_to_the_numbers():
    forecast = replace(FORECAST, out_of_range=True, outside=("train.average_length",))
    facts = collect_blocks(show_forecast(forecast)).facts
    assert "train: average length" in facts[-1].method
    assert "Out of range" not in [fact.name for fact in collect_blocks(show_forecast(FORECAST)).facts]


def test_single_texts_have_their_share_with_an_interval_by_label_too():
    spread = {name: replace(SPREAD, n_items=n, n_undefined=0) for name, n in (("a", 40), ("b", 60))}
    texts = TextDifficulty(
        contrary_share=wilson(30, 100),
        measure="nearest-text",
        median=-0.1,
        n_items=110,
        n_reference=100,
        n_undefined=10,
        contrary_by_label={"a": wilson(10, 40), "b": wilson(20, 60)},
        contrary_by_part={},
        distribution=replace(SPREAD, n_items=110, n_undefined=10),
        distribution_by_label=spread,
        distribution_by_part={},
        notes=(),
    )
    view = collect_blocks(show_difficulty(DifficultyEvidence(texts)))
    facts = {fact.name: fact for fact in view.facts}
    assert facts["Closer to another label"].number == "30% [22, 40]"
    assert "nearest training text" in facts["Median difficulty"].method
    rows = view.tables[0].cells
    assert [(row[0], row[1]) for row in rows] == [("all", "100"), ("label a", "40"), ("label b", "60")]
    assert rows[1][2].startswith("25% [")


def test_the_task_says_what_trivial_baselines_score():
    from tests.example_audit import TASK

    view = collect_blocks(show_task(TASK))
    facts = {fact.name: fact.number for fact in view.facts}
    assert facts["Options per question"] == "4"
    assert facts["Duplicate options"].startswith("1 of 40")
    (table,) = view.tables
    assert (table.title, table.headings[2], table.cells[0][0]) == ("Trivial baselines", "accuracy", "longest-option")
    assert "A blind guess scores 0.25." in table.method


def test_columns_without_any_value_are_left_out():
    table = Table("t", ["name", "empty", "unknown", "score"], [["a", "", "n/a", "1"], ["b", "", "n/a", "n/a"]], "how")
    assert cut_table(table, 10).columns == ["name", "score"]
    assert cut_table(table, 1).rows == [["a", "1"]]


def test_a_section_without_content_is_left_out():
    empty = Section("leaderboard", "done", None, LeaderboardEvidence(measures=(), cost=None))
    audit = make_audit(sections={**make_sections(), "leaderboard": empty})
    assert "leaderboard" not in order_sections(audit)
    assert 'id="leaderboard"' not in render_page(audit)
    skipped = replace(
        audit, sections={**audit.sections, "leaderboard": Section("leaderboard", "skipped", "no systems")}
    )
    assert "no systems." in render_page(skipped)


def test_an_interval_makes_a_table_wide():
    names = [
        ["a name of a system that has several words", "0.812 [0.771, 0.853]", "0.0281 [0.0266, 0.0295]", "on the front"]
    ]
    assert not is_narrow(Table("t", ["system", "score", "cost", "front"], names, "how"))
    assert is_narrow(Table("t", ["system", "score"], [["a name of a system", "0.812 [0.771, 0.853]"]], "how"))
