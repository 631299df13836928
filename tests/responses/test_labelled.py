"""Responses written in the styles of many models: the answer and the state are those that their author gave them."""

from __future__ import annotations

import pytest
from tests.responses import misleading
from tests.responses.labelled import FORMS, LABELLED, UNSEEN

from assay.responses import read_response
from assay.responses.reading.forms import are_same


def is_same(form, answer, label):
    """Return whether the answer that was read is the label."""
    if answer is None or label is None:
        return answer is label
    return answer == label if form.name == "options" else are_same(form, answer, label)


@pytest.mark.parametrize(("form", "text", "answer", "state"), LABELLED)
def test_a_response_is_read_as_its_author_labelled_it(form, text, answer, state):
    reading = read_response(text, FORMS[form])
    assert is_same(FORMS[form], reading.answer, answer)
    assert reading.state == state
    assert 0 <= reading.start <= reading.end <= len(text)


def test_responses_that_no_rule_was_chosen_on_are_mostly_read_and_never_misread():
    """Of 76, 72 answers and 71 states agree; the other answers are not found, and then the reader is not sure."""
    readings = [(FORMS[form], read_response(text, FORMS[form]), answer, state) for form, text, answer, state in UNSEEN]
    wrong = [reading for form, reading, answer, _ in readings if not is_same(form, reading.answer, answer)]
    assert len(wrong) <= 0.06 * len(UNSEEN)
    assert [reading.answer for reading in wrong] == [None] * len(wrong)
    assert not any(reading.is_sure for reading in wrong)
    assert sum(reading.state == state for _, reading, _, state in readings) >= 0.93 * len(UNSEEN)


def test_texts_that_mislead_are_mostly_read_and_never_misread_with_confidence():
    rows = [(misleading.FORMS[form], text, answer) for batch in misleading.BATCHES for form, text, answer, _ in batch]
    readings = [(form, read_response(text, form), answer) for form, text, answer in rows]
    wrong = [reading for form, reading, answer in readings if not is_same(form, reading.answer, answer)]
    assert len(wrong) <= 0.07 * len(rows)
    assert not any(reading.is_sure for reading in wrong)
