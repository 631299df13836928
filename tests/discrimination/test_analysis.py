"""Whole analyses: results as JSON and frames, parallel runs and progress."""

import math

import numpy as np
import pytest
from tests.marks import unmarked_fields

from assay.base.codec import from_plain, to_plain
from assay.base.errors import UsageError
from assay.discrimination import Discrimination, Outcomes, discriminate_outcomes, discriminate_scores, read_scores
from assay.views.blocks import Table

SYSTEMS = tuple(f"s{number}" for number in range(8))


def make_scores(n_systems=8, n_datasets=5, seed=0):
    generator = np.random.default_rng(seed)
    scores = 60 + 4 * generator.normal(size=(n_systems, 1)) + 5 * generator.normal(size=(n_systems, n_datasets))
    columns = {f"d{column}": scores[:, column] for column in range(n_datasets)}
    return read_scores({"system": [f"s{row}" for row in range(n_systems)]} | columns)


def make_outcomes(n_datasets=2, seed=0):
    generator = np.random.default_rng(seed)
    shares = np.linspace(0.4, 0.9, len(SYSTEMS))[:, None]
    tables = [(generator.random((len(SYSTEMS), 40)) < shares).astype(float) for _ in range(n_datasets)]
    return [Outcomes("b", f"d{number}", "acc", SYSTEMS, table) for number, table in enumerate(tables)]


def analyse(kind, **options):
    if kind == "scores":
        return discriminate_scores(make_scores(), **options)
    return discriminate_outcomes(make_outcomes(), **options)


@pytest.mark.parametrize("kind", ["scores", "outcomes"])
def test_a_result_is_read_back_from_its_json(kind):
    plain = to_plain(analyse(kind))
    result = from_plain(Discrimination, plain)
    assert to_plain(result) == plain
    assert {type(row).__name__ for row in result.keep} == (
        {"DatasetSubset"} if kind == "scores" else {"DatasetSubset", "ItemSubset"}
    )


def test_every_field_with_text_is_marked():
    assert list(unmarked_fields(Discrimination)) == []


def test_the_frame_of_datasets_has_the_ends_of_intervals():
    row = analyse("outcomes").to_frame().row(0, named=True)
    assert row["lambda_var_low"] < row["lambda_var"] < row["lambda_var_high"]


def test_lists_of_ids_are_limited_on_request_and_counts_stay():
    whole = analyse("outcomes")
    limited = whole.limit_ids(0)
    assert [row.n_all_right for row in limited.items] == [row.n_all_right for row in whole.items]
    assert all(row.all_right == row.backwards == () for row in limited.items)
    assert [row.size for row in limited.keep] == [row.size for row in whole.keep]


@pytest.mark.parametrize("kind", ["scores", "outcomes"])
def test_what_people_read_has_ranks_and_a_verdict(kind):
    result = analyse(kind)
    assert "may be first" in result.summary or "is first" in result.summary
    titles = [block.title for block in result.blocks() if isinstance(block, Table)]
    assert titles[:2] == ["Datasets", "Saturation and redundancy"]
    assert ("Items" in titles) == (kind == "outcomes")
    assert result.to_csv().startswith("dataset,metric,systems,mean,λ_var")


def test_no_number_of_items_separates_two_systems_of_the_same_score():
    table = np.tile([[1.0, 0.0], [0.0, 1.0]], (1, 20))
    result = discriminate_outcomes([Outcomes("b", "d", "acc", ("x", "y"), table)])
    assert math.isnan(result.items[0].items_needed_first_two)
    assert from_plain(Discrimination, to_plain(result)) == result


def test_every_dataset_has_a_proposal():
    assert {row.proposal for row in analyse("scores").datasets} <= {"keep", "repair", "retire"}


@pytest.mark.parametrize("table", ["datasets", "systems", "items", "keep", "correlations", "benchmarks"])
def test_every_table_is_a_frame(table):
    result = analyse("outcomes")
    frame = result.to_frame(table=table)
    assert frame.height == len(getattr(result, table))
    assert "benchmark" in frame.columns


def test_an_unknown_table_lists_the_known_ones():
    with pytest.raises(UsageError, match="Did you mean 'systems'"):
        analyse("scores").to_frame(table="system")


def test_the_representation_counts_datasets_systems_and_verdicts():
    assert repr(analyse("scores")).startswith("Discrimination(5 datasets, 8 ranked systems: ")


@pytest.mark.parametrize("kind", ["scores", "outcomes"])
@pytest.mark.parametrize("backend", ["processes", "threads"])
def test_parallel_runs_give_the_same_result(kind, backend):
    assert to_plain(analyse(kind, n_jobs=2, backend=backend)) == to_plain(analyse(kind))


@pytest.mark.parametrize("kind", ["scores", "outcomes"])
@pytest.mark.parametrize("n_jobs", [1, 2])
def test_progress_rises_to_one_and_changes_nothing(kind, n_jobs):
    reports = []
    result = analyse(kind, n_jobs=n_jobs, backend="threads", progress=lambda step, share: reports.append((step, share)))
    shares = [share for _, share in reports]
    assert shares == sorted(shares)
    assert (shares[0], reports[-1]) == (0.0, ("", 1.0))
    steps = {"datasets", "ranks", "redundancy", "subsets", ""} | ({"items"} if kind == "outcomes" else set())
    assert {step for step, _ in reports} == steps
    assert to_plain(result) == to_plain(analyse(kind))


def test_benchmarks_are_analysed_separately():
    single = discriminate_scores(make_scores())
    rows = make_scores().to_frame().to_dicts()
    both = [{**row, "benchmark": name} for name in ("first", "second") for row in rows]
    table = {name: [str(row[name]) for row in both] for name in both[0]}
    result = discriminate_scores(read_scores(table))
    assert [summary.benchmark for summary in result.benchmarks] == ["first", "second"]
    for name in ("first", "second"):
        scores = [row.score for row in result.systems if row.benchmark == name]
        assert scores == pytest.approx([row.score for row in single.systems])
