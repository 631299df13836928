"""Labels: which cells mean that there is none, and which columns are none."""

from __future__ import annotations

import polars as pl
import pytest

from assay.base.errors import AssayError
from assay.data.columns.grades import are_grades, is_number
from assay.data.columns.labels import clean_labels, read_labels


def clean(*cells):
    return clean_labels(pl.Series("label", cells, dtype=pl.String))


def test_empty_cells_and_marks_of_hidden_labels_are_missing():
    labels = clean("a", "", "-", "-1", "b", None)
    assert labels.labels.to_list() == ["a", None, None, None, "b", None]
    assert labels.missing == {"empty": 2, "'-'": 1, "'-1'": 1}
    ids = pl.Series([str(number) for number in range(6)])
    assert labels.note_missing(ids) == (
        "4 rows (1, 2, 3, 5) without a label: 2 empty, 1 '-', 1 '-1'; left out of label measures",
    )
    assert clean("a").note_missing(pl.Series(["0"])) == ()


def test_many_rows_without_label_are_named_by_the_first_three():
    labels = clean(*["a", *["-"] * 6])
    note = labels.note_missing(pl.Series([str(number) for number in range(7)]))[0]
    assert note.startswith("6 rows (1, 2, 3, …) without a label: 6 '-'")


def test_minus_one_is_a_label_where_the_only_other_is_one():
    assert clean("-1", "1").labels.to_list() == ["-1", "1"]
    assert clean("-1", "1").note_values() == ()


def test_minus_one_is_a_class_of_three_grades_of_sentiment():
    labels = clean(*["-1"] * 460, *["0"] * 370, *["1"] * 370)
    assert labels.labels.to_list().count("-1") == 460
    assert labels.missing == {}
    assert labels.note_values() == ("-1 is a label of its own (38% of the rows), not a missing one",)


def test_a_rare_minus_one_is_a_missing_label():
    labels = clean(*["-1"] * 4, *["0"] * 48, *["1"] * 48)
    assert labels.missing == {"'-1'": 4}
    assert labels.labels.null_count() == 4
    assert labels.hidden.to_list()[:5] == ["-1"] * 4 + [None]
    assert clean(*["-1"] * 5, *["0"] * 48, *["1"] * 47).missing == {}


def test_a_rare_minus_one_that_is_predicted_is_a_class():
    cells = pl.Series("gold", [*["-1"] * 4, *["0"] * 48, *["1"] * 48])
    assert read_labels(cells, "x.csv", predicted={"-1", "0"}).labels.null_count() == 0
    assert read_labels(cells, "x.csv", predicted={"0", "1"}).labels.null_count() == 4


def test_a_part_with_nothing_but_minus_one_has_no_labels():
    cells = pl.Series("label", [*"0101", "-1", "-1", "-1"])
    parts = pl.Series(["train"] * 4 + ["test"] * 3)
    assert clean_labels(cells, parts).labels.to_list() == [*"0101", None, None, None]
    assert clean_labels(cells).labels.null_count() == 0


def test_numbers_are_compared_by_value():
    labels = clean("2", "2.0", "2.00", "3.5", "3.50", "007", "7", "good")
    assert labels.labels.to_list() == ["2", "2", "2", "3.5", "3.5", "007", "7", "good"]
    assert labels.note_values() == ("labels are compared by value: 2 (also 2.0, 2.00), 3.5 (also 3.50)",)
    assert clean("1.0", "0.0").labels.to_list() == ["1.0", "0.0"]


def test_free_text_is_not_a_label():
    sentences = pl.Series("label", [f"this is a whole sentence with number {number}" for number in range(30)])
    message = "x.csv: the label column 'label' is free text: 30 different values in 30 rows"
    with pytest.raises(AssayError, match=message):
        read_labels(sentences, "x.csv")


def test_long_names_of_few_labels_and_numbers_are_not_free_texts():
    for cells in (
        ["EducationalInstitution", "MeanOfTransportation", "very negative indeed"],
        [str(i / 7) for i in range(30)],
    ):
        assert read_labels(pl.Series("label", cells), "x.csv").names == sorted(cells)


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["neg", "pos"], False),
        ([str(number) for number in range(20)], False),  # classes 0…19
        ([str(number) for number in range(100)], False),
        ([str(number) for number in range(101)], True),
        (["0", "0.5", "1"], False),
        ([str(number / 2) for number in range(10)], False),
        ([str(number / 2) for number in range(11)], True),
        ([*(str(number / 2) for number in range(11)), "n/a"], False),
        ([], False),
    ],
)
def test_labels_are_grades_where_they_are_many_numbers_with_fractions(names, expected):
    assert are_grades(names) is expected


def test_numbers_are_recognised():
    assert [is_number(name) for name in ("3", "-1.5", "1e3", "nan", "three", "")] == [
        True,
        True,
        True,
        True,
        False,
        False,
    ]
