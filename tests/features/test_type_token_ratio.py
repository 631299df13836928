import pytest

from assay.features.part import Part
from assay.features.type_token_ratio import type_token_ratio


def test_it_is_the_mean_of_the_ratio_of_each_text():
    # "The cat saw the dog": 4 of 5 words differ; "no no no no": 1 of 4; the empty text is left out.
    found = type_token_ratio(Part.of(["The cat saw the dog", "no no no no", ""]))
    assert found.value == pytest.approx((4 / 5 + 1 / 4) / 2, abs=1e-12)
    assert found.n == 2
