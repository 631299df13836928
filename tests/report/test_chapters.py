"""What sections of the page say in numbers and tables."""

from __future__ import annotations

import pytest

from assay.report import render
from assay.report.items import items_of
from assay.report.sections.difficulty import facts as difficulty_facts
from assay.report.sections.difficulty import tables as difficulty_tables
from assay.report.sections.discrimination import facts, reliability, tables
from assay.report.sections.forecast import facts as forecast_facts
from assay.report.sections.forecast import tables as forecast_tables

DATASETS = [{"dataset": name, "metric": "accuracy", "verdict": "discriminates", "headroom": 9.0} for name in "ab"]
WISHES = [
    {"dataset": "a", "metric": "accuracy", "proposal": "keep"},
    {"dataset": "b", "metric": "accuracy", "proposal": "retire"},
]


def test_several_datasets_get_a_proposal_each_and_a_count():
    result = {"datasets": DATASETS, "proposals": WISHES}
    told = {fact.name: fact.number for fact in facts(result) if fact}
    assert told["Datasets"] == "keep 1, repair 0, retire 1"
    table = next(iter(tables(result)))
    assert [(row[0], row[-1]) for row in table.rows] == [("b", "retire"), ("a", "keep")]


def test_of_many_datasets_those_to_mend_come_first():
    datasets = [{"dataset": f"d{n}", "metric": "acc"} for n in range(90)]
    wishes = [{"dataset": f"d{n}", "metric": "acc", "proposal": "retire" if n == 80 else "keep"} for n in range(90)]
    table = next(iter(tables({"datasets": datasets, "proposals": wishes})))
    assert [row[0] for row in table.rows[:2]] == ["d80", "d0"]
    assert "The first 60 of 90" in table.how


def test_datasets_of_one_name_are_told_apart():
    datasets = [{"benchmark": name, "dataset": "d", "metric": "acc"} for name in ("one", "two")]
    wishes = [{**row, "proposal": wish} for row, wish in zip(datasets, ("keep", "repair"), strict=True)]
    table = next(iter(tables({"datasets": datasets, "proposals": wishes})))
    assert [(row[0], row[-1]) for row in table.rows] == [("d (two, acc)", "repair"), ("d (one, acc)", "keep")]


def test_one_dataset_is_not_counted():
    told = [fact.name for fact in facts({"datasets": DATASETS[:1], "proposals": WISHES[:1]}) if fact]
    assert "Datasets" not in told


def test_quick_models_are_called_so_and_propose_nothing():
    result = {"basis": "quick models", "n_systems": 4, "datasets": DATASETS[:1], "proposals": []}
    assert "of the audit itself" in next(iter(facts(result))).how
    assert next(iter(tables(result))).columns[-1] == "verdict"


def test_reliability_has_an_interval_that_narrows_with_systems():
    few, many = reliability(0.8, 10, 100), reliability(0.8, 100, 100)
    assert few["low"] < many["low"] < 0.8 < many["high"] < few["high"] < 1
    assert reliability(0.8, 1, 100) == 0.8


def test_a_forecast_says_the_level_of_its_interval_and_what_moves_it():
    points = [{"measure": "lambda_var", "value": 4.0, "low": 2.0, "high": 6.0}]
    drivers = [{"feature": "probe.error", "value": 50.0, "factor": 2.9357}]
    result = {"confidence": 0.8, "charts": {"forecast": points}, "drivers": drivers}
    assert "80 % prediction interval" in next(iter(forecast_facts(result))).how
    assert next(iter(forecast_tables(result))).rows == [["probe: error", "50", "× 2.94"]]


def test_a_forecast_out_of_its_range_says_so_beside_the_numbers():
    told = [one for one in forecast_facts({"out_of_range": True, "outside": ["train.average_length"]}) if one]
    assert "train: average length" in told[-1].how
    assert not [one for one in forecast_facts({"out_of_range": False}) if one]


def test_single_texts_have_their_share_with_an_interval_by_label_too():
    spread = {"a": {"histogram": [20, 20]}, "b": {"histogram": [60]}}
    result = {"contrary_share": 0.3, "n_items": 110, "n_undefined": 10, "median": -0.1}
    result |= {"contrary_by_label": {"a": 0.25, "b": 1 / 3}, "distribution_by_label": spread}
    told = {one.name: one for one in difficulty_facts(result) if one}
    assert told["Nearer to another label"].number == "30 % [22, 40]"
    assert "nearest training text" in told["Median difficulty"].how
    rows = next(iter(difficulty_tables(result))).rows
    assert [(row[0], row[2]) for row in rows] == [("a", "40"), ("b", "60")]
    assert rows[0][1].startswith("25 % [")


@pytest.mark.parametrize(("paired", "text"), [(True, "left ‖ right"), (False, "left right")])
def test_the_sides_of_a_pair_are_told_apart(paired, text):
    told = {"items_top": [{"id": "1", "proposal": "keep", "text": "left\nright"}], "data": {"paired": paired}}
    assert items_of(told, 5, private=False).rows[0]["text"] == text


def test_items_carry_their_proposal_so_that_paper_shows_those_to_mend(audit):
    page = render(audit)
    assert '<tr class="retire">' in page or '<tr class="repair">' in page or '<tr class="keep">' in page
    assert ".items tr.keep" in page
