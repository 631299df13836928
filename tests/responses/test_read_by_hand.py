"""Responses of real models and other formats that were read by hand; the texts are in the shared data."""

from __future__ import annotations

import pytest
from benchmarks.responses_read import read_labels


@pytest.fixture(scope="module")
def labels(shared):
    return read_labels(shared("mmlu_pro_responses").parent)


def test_at_least_two_hundred_responses_of_many_formats_were_read(labels):
    assert len(labels) >= 200
    assert len({label.source for label in labels}) >= 10
    assert {label.form.name for label in labels} == {"options", "number", "yes-no"}


def test_what_a_person_reads_is_read(labels):
    readings = [(label, label.read()) for label in labels]
    sure = [(label, reading) for label, reading in readings if label.is_sure and reading.is_sure]
    assert sum(label.agrees(reading.answer) for label, reading in sure) >= 0.985 * len(sure)
    assert sum(label.agrees(reading.answer) for label, reading in readings if label.is_sure) >= 0.98 * len(sure)
    assert sum(label.state == reading.state for label, reading in readings) >= 0.94 * len(readings)
