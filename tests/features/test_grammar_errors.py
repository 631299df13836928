import sys

from assay.features.grammar_errors import grammar_errors
from assay.features.part import Part

RIGHT = "He goes to the school with his sister."
WRONG = "He go to the school with an sister."


def test_wrong_sentences_have_more_errors_than_right_ones():
    right, wrong = grammar_errors(Part.of([RIGHT] * 3)), grammar_errors(Part.of([WRONG] * 3))
    assert right.value == 0
    assert wrong.value >= 1 / 8
    assert wrong.n == 3


def test_without_the_extra_it_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "harper", None)
    assert "benchassay[features]" in str(grammar_errors(Part.of([RIGHT])).reason)
