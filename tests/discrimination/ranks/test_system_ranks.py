import numpy as np
import pytest

from assay.base.errors import UsageError
from assay.discrimination import DiscriminationSettings, discriminate_scores, read_scores

TABLE = {
    "system": ["x", "y", "z", "w"],
    "A": [90, 80, 70, 60],
    "B": [85, 84, 60, ""],
    "C": [70, 60, 65, 50],
}


def test_systems_with_missing_cells_are_left_out_and_counted():
    result = discriminate_scores(read_scores({name: list(map(str, column)) for name, column in TABLE.items()}))
    assert [row.system for row in result.systems] == ["x", "y", "z"]
    assert result.benchmarks[0].n_systems_left_out == 1


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
