from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from assay.base.errors import AssayError, UsageError
from assay.evaluation import read_predictions
from assay.kinds import read

ROWS = [{"id": f"i{n}", "text": f"text {n}", "label": "ab"[n % 2], "split": "test"} for n in range(4)]
COLUMNS = {"id": ["i0", "i1", "i2", "i3"], "x": ["a", "a", "a", "b"], "y": ["a", "b", "a", None]}
EXPECTED = [[1.0, 0.0, 1.0, 1.0], [1.0, 1.0, 1.0, np.nan]]


@pytest.fixture
def data():
    return read(ROWS)


def assert_read(predictions):
    assert predictions.names == ["x", "y"]
    assert np.array_equal(predictions.outcomes(), EXPECTED, equal_nan=True)
    assert predictions.data is not None


def test_files_frames_records_columns_and_arrays_are_the_same(tmp_path, data):
    frame = pl.DataFrame(COLUMNS)
    path = tmp_path / "p.tsv"
    frame.write_csv(path, separator="\t", null_value="NA")
    arrays = {"x": np.array(COLUMNS["x"]), "y": COLUMNS["y"]}
    for source in (path, str(path), frame, frame.to_dicts(), COLUMNS, arrays):
        assert_read(read_predictions(source, data))


def test_a_pandas_frame_is_read(data):
    pandas = pytest.importorskip("pandas")
    assert_read(read_predictions(pandas.DataFrame(COLUMNS), data))


def test_several_sources_are_read_together(tmp_path, data):
    pl.DataFrame(COLUMNS).select("id", "x").write_csv(tmp_path / "p.csv")
    assert_read(read_predictions([tmp_path / "p.csv", pl.DataFrame(COLUMNS).select("id", "y")], data))


@pytest.mark.parametrize("array", [np.array(COLUMNS["x"]), pl.Series(COLUMNS["x"])], ids=["numpy", "polars"])
def test_a_single_array_is_one_system(data, array):
    assert read_predictions(array, data).outcomes().tolist() == EXPECTED[:1]


def test_numbers_match_numeric_labels():
    data = read({"text": ["u", "v"], "label": [0, 1]})
    assert read_predictions({"x": np.array([0, 0])}, data).outcomes().tolist() == [[1.0, 0.0]]


def test_a_long_frame_without_a_system_column_is_one_system(data):
    frame = pl.DataFrame({"id": ["i0", "i1"], "predicted": ["a", "b"]})
    assert read_predictions(frame, data).names == ["system"]
    assert read_predictions([frame, frame], data).names == ["system 1", "system 2"]


def test_arrays_without_data_are_item_scores():
    predictions = read_predictions({"x": [1.0, 0.5]})
    assert predictions.gold is None
    assert predictions.outcomes().tolist() == [[1.0, 0.5]]


def test_a_system_may_have_the_name_of_a_column(data):
    assert read_predictions({"text": ["a", "b", "a", "b"]}, data).names == ["text"]


def test_an_array_that_is_too_short_is_an_error(data):
    with pytest.raises(AssayError, match="System 'x' has 3 predictions for 4 items"):
        read_predictions({"x": ["a", "b", "a"]}, data)


@pytest.mark.parametrize("source", [[], {}])
def test_no_source_is_an_error(data, source):
    with pytest.raises(UsageError, match="There are no predictions"):
        read_predictions(source, data)
