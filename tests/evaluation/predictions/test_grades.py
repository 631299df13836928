from __future__ import annotations

import pytest

from assay.evaluation.predictions.grades import are_grades, are_predicted_grades


@pytest.mark.parametrize(
    ("labels", "expected"),
    [
        ([str(number) for number in range(10)], False),
        ([str(number) for number in range(11)], True),
        (["1", "1.5"], True),
        (["1.0", "2.0"], False),
        (["1", "two"], False),
        (["1", "nan"], False),
        ([], False),
    ],
)
def test_many_numbers_or_fractions_are_grades(labels, expected):
    assert are_grades(labels) is expected


def test_predicted_numbers_are_grades_where_there_are_more_than_twenty():
    assert not are_predicted_grades([str(number) for number in range(20)])
    assert are_predicted_grades([str(number) for number in range(21)])
    assert not are_predicted_grades(["x", *(str(number) for number in range(30))])
