"""Splits of a dataset compared, from files or the data itself."""

import pytest

import assay
from assay.base.codec import to_json
from assay.base.errors import AssayError, UsageError
from assay.kinds import read
from assay.splits import compare, split

WORDS = "ash bay cod doe elk fir gum hay ivy jay".split()
DATA = {
    "id": [f"r{row}" for row in range(60)],
    "text": [" ".join(WORDS[(row * step) % 10] for step in range(1, 3 + row % 7)) for row in range(60)],
    "label": ["xy"[row % 2] for row in range(60)],
}
FEW = {"n_permutations": 5, "include": ["words", "duplicates"]}


def test_it_is_a_function_of_the_package():
    assert assay.compare is compare


def test_files_results_and_assignments_give_the_same_comparison(tmp_path):
    result = split(DATA, "random", test_size=0.2, n_repeats=2)
    result.write_folds(tmp_path / "random.tsv")
    by_file = compare(DATA, tmp_path / "random.tsv", **FEW)
    assert list(by_file) == ["random"]
    for folds in (
        result,
        [str(tmp_path / "random.tsv")],
        {"random": result.draws},
        {"random": tmp_path / "random.tsv"},
    ):
        assert to_json(compare(DATA, folds, **FEW)) == to_json(by_file)


def test_files_of_one_name_keep_their_folders(tmp_path):
    paths = [tmp_path / name / "folds.tsv" for name in "ab"]
    for path in paths:
        path.parent.mkdir()
        split(DATA, "random", n_splits=2).write_folds(path)
    assert list(compare(DATA, paths, **FEW)) == [str(path) for path in paths]


def test_without_folds_the_parts_of_the_data_are_compared():
    parts = ["test" if row % 4 == 0 else "other" if row % 4 == 1 else "train" for row in range(60)]
    comparison = compare({**DATA, "split": parts}, **FEW)
    assert list(comparison["given"].parts) == ["train", "test"]
    assert comparison.notes == ["given: 15 of 60 rows are in no part and left out."]


def test_without_folds_or_parts_there_is_nothing_to_compare():
    with pytest.raises(UsageError, match="nothing to compare: no folds, and the data has no parts"):
        compare({"text": ["a", "b"], "label": ["x", "y"]})


def test_a_split_of_other_rows_is_refused():
    result = split(DATA, "random", n_splits=2)
    with pytest.raises(AssayError, match="The random split is of other rows than the data"):
        compare(read(DATA).take(list(range(40))), result)


def test_the_frame_has_one_line_per_split_and_measure():
    folds = {name: split(DATA, name, test_size=0.2) for name in ("random", "length")}
    comparison = compare(DATA, folds, **FEW)
    frame = comparison.to_frame()
    assert frame["split"].to_list() == ["random"] * 3 + ["length"] * 3
    assert repr(comparison) == "ComparisonResult(random, length)"
    assert len(comparison) == 2
