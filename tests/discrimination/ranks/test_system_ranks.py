import numpy as np
import polars as pl
import pytest

from assay.base.errors import UsageError
from assay.discrimination import (
    DiscriminationSettings,
    Outcomes,
    discriminate_outcomes,
    discriminate_scores,
    read_scores,
)
from assay.discrimination.ranks.system_ranks import rank_by_scores
from assay.discrimination.view import write_verdict

TABLE = {
    "system": ["x", "y", "z", "w"],
    "A": [90, 80, 70, 60],
    "B": [85, 84, 60, ""],
    "C": [70, 60, 65, 50],
}


def test_systems_with_missing_cells_are_ranked_too():
    result = discriminate_scores(read_scores({name: list(map(str, column)) for name, column in TABLE.items()}))
    assert [(row.system, row.rank) for row in result.systems] == [("x", 1), ("y", 2), ("z", 3), ("w", 4)]
    assert (result.benchmarks[0].n_systems, result.benchmarks[0].n_systems_left_out) == (4, 0)


def test_two_datasets_without_their_items_have_no_rank_intervals():
    table = read_scores({"system": list("xyz"), "A": [56, 55, 50], "B": [62, 61, 60]})
    result = discriminate_scores(table)
    assert [(row.rank, row.rank_low, row.rank_high) for row in result.systems] == [
        (1, None, None), (2, None, None), (3, None, None)
    ]  # fmt: skip
    assert "2 datasets are too few" in result.benchmarks[0].reason
    assert "is first" not in write_verdict(result)


def test_the_items_of_scores_give_their_sampling_error():
    scores = {"x": (56, 62), "y": (55, 61), "z": (50, 60)}
    rows = [
        {"system": system, "dataset": dataset, "score": score, "n_items": 200}
        for system, values in scores.items()
        for dataset, score in zip("AB", values, strict=True)
    ]
    result = discriminate_scores(read_scores(rows))
    assert [row.rank_low for row in result.systems] == [1, 1, 1]
    assert [row.rank_high for row in result.systems] == [3, 3, 3]


def test_a_system_that_shares_too_little_is_listed_apart():
    generator = np.random.default_rng(1)
    outcomes = (generator.random((4, 100)) < np.array([[0.9], [0.6], [0.4], [0.9]])).astype(float)
    outcomes[3, 4:] = np.nan
    outcomes[3, :4], outcomes[0, :4] = 1, 0
    entry = Outcomes("all", "d", "accuracy", tuple("abcd"), outcomes)
    result = discriminate_outcomes([entry])
    (apart,) = result.benchmarks[0].unranked
    assert (apart.system, apart.score, apart.n_units, apart.n_shared, apart.gap) == ("d", 100, 4, 4, 100)
    assert [row.system for row in result.systems] == ["a", "b", "c"]
    verdict = write_verdict(result)
    assert "a is first" not in verdict
    assert "a leads the 3 systems that can be ranked, of 4 systems" in verdict
    assert "d on 4" in verdict


def test_systems_of_only_some_datasets_are_ranked():
    generator = np.random.default_rng(2)
    both = (generator.random((3, 80)) < np.array([[0.9], [0.6], [0.3]])).astype(float)
    outcomes = [
        Outcomes("all", "d", "accuracy", tuple("abc"), both),
        Outcomes("all", "e", "accuracy", tuple("ab"), both[:2]),
    ]
    result = discriminate_outcomes(outcomes)
    assert {row.system for row in result.systems} == set("abc")


def test_all_systems_of_mteb_are_ranked(shared):
    table = pl.read_csv(shared("mteb_results/scores.tsv.gz"), separator="\t", infer_schema_length=0)
    rows = table.filter(pl.col("split") == "test").unique(["task", "model"], maintain_order=True)
    scores = read_scores(rows.select(dataset="task", system="model", score="main_score"))
    ranking = rank_by_scores("all", scores.measurements, DiscriminationSettings())
    assert (len(ranking.systems), len(ranking.unranked)) == (232, 0)
    wide = rows.with_columns(pl.col("main_score").cast(float)).pivot("task", index="model", values="main_score")
    values = dict(zip(wide["model"], wide.drop("model").to_numpy(), strict=True))
    # Nobody is first who loses to another system on the tasks that both have.
    for first in [row for row in ranking.systems if row.rank == 1]:
        for other in values:
            gaps = values[other] - values[first.system]
            assert np.isfinite(gaps).sum() < 4 or np.nanmean(gaps) <= 0
    assert all(row.rank_low <= row.rank <= row.rank_high for row in ranking.systems)


def test_metrics_of_one_dataset_count_once():
    rows = [("A", "acc", 90), ("A", "F1", 10), ("B", "acc", 60)]
    columns = {"dataset": [], "metric": [], "system": [], "score": []}
    for system, shift in (("x", 0), ("y", 1)):
        for dataset, metric, score in rows:
            for name, value in zip(columns, (dataset, metric, system, str(score + shift)), strict=True):
                columns[name].append(value)
    systems = {row.system: row.score for row in discriminate_scores(read_scores(columns)).systems}
    assert systems == {"x": 55, "y": 56}


def test_a_score_table_has_no_items_to_sample():
    with pytest.raises(UsageError, match="needs the outcomes of items"):
        discriminate_scores(read_scores({"system": ["x", "y"], "A": [1, 2]}), DiscriminationSettings(over="items"))


def test_the_diagram_has_the_names_of_the_systems():
    scores = np.random.default_rng(0).random((5, 9)) * 100
    table = {"system": list("abcde")} | {f"d{column}": scores[:, column] for column in range(9)}
    diagram = discriminate_scores(read_scores(table)).benchmarks[0].critical_difference
    assert set(diagram.mean_ranks) == set("abcde")
    assert diagram.n_datasets == 9
