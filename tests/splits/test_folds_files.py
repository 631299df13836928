"""Folds files."""

import numpy as np
import pytest

from assay.base.errors import AssayError
from assay.splits import BootstrapSplit, FoldAssignment, PartAssignment, RandomSplit, read_folds, write_folds

IDS = ["a", "b", "c", "d"]


def write_file(tmp_path, content):
    path = tmp_path / "folds.tsv"
    path.write_text(content, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    "splitter",
    [RandomSplit(n_splits=3), RandomSplit(test_size=2, dev_size=1, n_repeats=3), BootstrapSplit(n_repeats=2)],
)
def test_a_written_file_is_read_back_in_any_order_of_the_data(tmp_path, splitter):
    ids = [f"id {row}" for row in range(9)]
    draws = list(splitter.iterate_partitions(ids))
    write_folds(tmp_path / "f.tsv", ids, draws)
    folds = read_folds(tmp_path / "f.tsv")
    assert folds.n_repeats == splitter.n_repeats
    for one, other in zip(draws, folds.align(ids[::-1]), strict=True):
        column = "folds" if isinstance(one, FoldAssignment) else "parts"
        assert getattr(one, column).tolist() == getattr(other, column)[::-1].tolist()
        if isinstance(one, PartAssignment) and one.weights is not None:
            assert one.weights.tolist() == other.weights[::-1].tolist()


def test_the_file_is_a_plain_table(tmp_path):
    write_folds(tmp_path / "f.tsv", IDS, [FoldAssignment(np.array([2, 1, 0, 2]))])
    assert (tmp_path / "f.tsv").read_text() == "id\tfold\na\t2\nb\t1\nd\t2\n"
    parts = np.array(["train", "unused", "test", "dev"], dtype=object)
    draw = PartAssignment(parts, weights=np.array([2, 0, 1, 1]))
    write_folds(tmp_path / "f.tsv", IDS, [draw, draw])
    assert (tmp_path / "f.tsv").read_text().splitlines()[:3] == [
        "id\tpart\trepeat\tweight",
        "a\ttrain\t0\t2",
        "b\tunused\t0\t0",
    ]


def test_the_splits_of_a_file_are_row_numbers_of_the_data(tmp_path):
    path = write_file(tmp_path, "id\tfold\na\t1\nb\t2\nc\t1\nd\t2\n")
    assert [(fold.train.tolist(), fold.test.tolist()) for fold in read_folds(path).iterate_splits(IDS)] == [
        ([1, 3], [0, 2]),
        ([0, 2], [1, 3]),
    ]


def test_column_names_of_cluster_data_split_are_known(tmp_path):
    path = write_file(tmp_path, "ids\tclustering_labels\na\t1\nb\t2\nc\t2\nd\t1\n")
    assert read_folds(path).align(IDS)[0].folds.tolist() == [1, 2, 2, 1]


def test_the_released_folds_of_the_patents_are_read(shared):
    folds = read_folds(shared("patents/datasplits_distribution_sensitive_kmeans.tsv"))
    assert folds.kind == "fold"
    assert folds.frame["fold"].n_unique() == 5
    assert folds.frame["id"].is_unique().all()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("id\tfold\na\t1\nb\t2\n", r"folds\.tsv: 2 of 4 ids of the data are missing: c, d\."),
        ("id\tfold\na\t1\nb\t2\nc\t1\nd\t1\ne\t2\n", r"folds\.tsv: 1 of 5 ids are not in the data: e\."),
        ("id\tfold\na\t1\na\t2\nb\t1\n", r"folds\.tsv: 1 ids occur more than once in one repeat: a\."),
        ("id\tfold\na\tone\n", r"folds\.tsv: fold must be a whole number from 0 on, not 'one'\."),
        ("id\tpart\na\ttraining\n", r"folds\.tsv: part must be one of train, dev, test, unused, not training\."),
        (
            "name\tfold\na\t1\n",
            r"folds\.tsv: this is not a folds file: its columns are name, fold, not id and fold, or id and part\.",
        ),
    ],
)
def test_the_error_says_why_a_file_does_not_fit(tmp_path, content, message):
    with pytest.raises(AssayError, match=message):
        read_folds(write_file(tmp_path, content)).align(IDS)


def test_parts_of_the_data_that_the_file_leaves_out_as_a_whole_are_unused(tmp_path):
    path = write_file(tmp_path, "id\tfold\na\t1\nb\t2\n")
    assert read_folds(path).align(IDS, ["train", "train", "test", "test"])[0].folds.tolist() == [1, 2, 0, 0]
    with pytest.raises(AssayError, match="1 of 4 ids of the data are missing: c"):
        read_folds(path).align(IDS, ["train", "train", "train", "test"])


def test_rows_without_a_fold_are_on_no_side():
    (first, _) = FoldAssignment(np.array([1, 2, 0])).iterate_splits()
    assert first.train.tolist() == [1]


def test_ids_that_a_table_cannot_hold_are_named(tmp_path):
    with pytest.raises(
        AssayError, match=r"1 ids contain a tab or a line break, which a TSV file cannot hold: 'a\\tb'\."
    ):
        write_folds(tmp_path / "f.tsv", ["a\tb"], [FoldAssignment(np.array([1]))])
    assert not (tmp_path / "f.tsv").exists()
