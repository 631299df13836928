"""`assay.discriminate` with every kind of input."""

import json

import numpy as np
import pytest

import assay
from assay.base.codec import to_plain
from assay.base.errors import AssayError, UsageError
from assay.discrimination import discriminate_scores, read_scores
from assay.evaluation import Predictions
from assay.logs import read_logs

SCORES = {"system": ["x", "y", "z"], "RTE": [60, 80, 90], "CoLA": [50, 55, 52]}
GOLD = ["a", "b"] * 20
SYSTEMS = {"x": GOLD, "y": ["a"] * 40, "z": ["b", *GOLD[1:]]}


def write_logs(folder):
    for model, scores in {"m": [1, 1, 0, 1], "n": [0, 1, 0, 1]}.items():
        (folder / model).mkdir(parents=True)
        rows = [
            {"filter": "none", "metrics": ["acc"], "doc_hash": f"h{n}", "acc": score} for n, score in enumerate(scores)
        ]
        text = "".join(json.dumps(row) + "\n" for row in rows)
        (folder / model / "samples_arc.jsonl").write_text(text, encoding="utf-8")
    return folder


def test_a_table_of_scores_is_read_and_measured():
    expected = discriminate_scores(read_scores(SCORES, upper=95))
    assert to_plain(assay.discriminate(SCORES, upper=95)) == to_plain(expected)
    assert to_plain(assay.discriminate(read_scores(SCORES, upper=95))) == to_plain(expected)


def test_predictions_come_as_arrays_objects_or_files(tmp_path):
    data = assay.read({"text": ["t"] * 40, "label": GOLD, "id": list(range(40))})
    lines = [
        ["id", "gold", *SYSTEMS],
        *([str(row), gold, *(SYSTEMS[name][row] for name in SYSTEMS)] for row, gold in enumerate(GOLD)),
    ]
    (tmp_path / "preds.tsv").write_text("".join("\t".join(line) + "\n" for line in lines), encoding="utf-8")
    from_arrays = assay.discriminate(predictions=SYSTEMS, data=data)
    from_object = assay.discriminate(predictions=Predictions.from_arrays(GOLD, SYSTEMS))
    from_file = assay.discriminate(predictions=tmp_path / "preds.tsv")
    assert from_file.datasets[0].dataset == "preds"
    for result in (from_arrays, from_object, from_file):
        assert {row.system: row.score for row in result.systems} == {"x": 100.0, "y": 50.0, "z": 97.5}
        assert result.datasets[0].lambda_hit.value == from_arrays.datasets[0].lambda_hit.value


def test_columns_of_the_data_can_be_named():
    table = {"sentence": ["t"] * 40, "klass": GOLD, "part": ["x"] * 40, "topic": [str(n // 4) for n in range(40)]}
    columns = {"text": "sentence", "label": "klass", "group": "topic"}
    result = assay.discriminate(predictions=SYSTEMS, data=table, **columns)
    assert [row.score for row in result.systems] == [100.0, 97.5, 50.0]
    clustered = assay.discriminate(predictions=SYSTEMS, data=table, **columns, clustered=True)
    assert clustered.systems[0].standard_error == result.systems[0].standard_error == 0.0
    assert clustered.systems[1].standard_error > 0.0
    with pytest.raises(UsageError, match="label cannot be given for a Dataset"):
        assay.discriminate(predictions=SYSTEMS, data=assay.read(table, **columns), label="klass")


def test_item_scores_need_no_gold():
    result = assay.discriminate(predictions={"x": [1, 0, 1, 1], "y": [0.5, 0, 1, 0]})
    assert result.datasets[0].metric == "mean-score"
    assert [(row.system, row.score) for row in result.systems] == [("x", 75.0), ("y", 37.5)]


def test_logs_come_as_folder_or_table(tmp_path):
    folder = write_logs(tmp_path / "logs")
    result = assay.discriminate(folder)
    assert [(row.system, row.score) for row in result.systems] == [("m", 75.0), ("n", 50.0)]
    assert to_plain(assay.discriminate(read_logs(folder))) == to_plain(result)
    assert to_plain(assay.discriminate(predictions=folder)) == to_plain(result)
    assert any("4 items, 2 systems" in note for note in result.notes)


def test_an_unknown_metric_of_logs_lists_the_known_ones(tmp_path):
    with pytest.raises(AssayError, match=r"logs: no metric 'f1'; metrics are acc,none"):
        assay.discriminate(write_logs(tmp_path / "logs"), metric="f1")


def test_lower_is_better_for_a_metric_of_predictions():
    errors = {"x": np.array([3.0, 4.0, 5.0]), "y": np.array([1.0, 2.0, 6.0])}
    result = assay.discriminate(predictions=errors, lower_is_better=["mean-score"])
    assert [row.system for row in result.systems] == ["y", "x"]
    assert result.datasets[0].upper == 0.0


@pytest.mark.parametrize("inputs", [{}, {"scores": SCORES, "predictions": SYSTEMS}])
def test_exactly_one_input_is_needed(inputs):
    with pytest.raises(UsageError, match="Give one of scores= and predictions="):
        assay.discriminate(**inputs)


def test_missing_predictions_can_be_an_error():
    answers = {"x": [*GOLD[:-1], None], "y": GOLD}
    predictions = Predictions.from_arrays(GOLD, answers)
    assert assay.discriminate(predictions=predictions).datasets[0].n_items == 40
    with pytest.raises(AssayError, match="Missing predictions, of 40 items: x 1"):
        assay.discriminate(predictions=predictions, missing_predictions="error")


def test_clusters_need_groups():
    with pytest.raises(UsageError, match="clustered needs groups"):
        assay.discriminate(predictions=Predictions.from_arrays(GOLD, SYSTEMS), clustered=True)


def test_groups_are_sampled_whole_where_there_are_groups():
    generator = np.random.default_rng(0)
    groups = np.repeat(np.arange(20), 5)
    shared = np.repeat(generator.random((3, 20)) < 0.6, 5, axis=1).astype(int)
    predictions = Predictions.from_arrays(np.ones(100, dtype=int), dict(zip("abc", shared, strict=True)), groups=groups)
    default = assay.discriminate(predictions=predictions)
    whole = assay.discriminate(predictions=predictions, clustered=True)
    single = assay.discriminate(predictions=predictions, clustered=False)
    assert default.systems == whole.systems
    assert default.systems[0].standard_error > 1.5 * single.systems[0].standard_error
    assert "Items of one group are resampled together." in default.notes
    assert "Items of one group are resampled together." not in single.notes


def test_uninformative_items_are_named():
    items = {"x": [1, 0, 0.5, 1], "y": [1, 0, 0.5, 0], "z": [1, 0, 0.5, 1]}
    (row,) = assay.discriminate(predictions=items).items
    assert (row.all_right, row.all_wrong, row.all_same) == (("0",), ("1",), ("2",))
