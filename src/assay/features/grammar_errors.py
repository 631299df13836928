"""Grammar errors: how many words of a text a grammar checker minds."""

from __future__ import annotations

from assay.base.errors import AssayError, import_extra
from assay.features.english import english_only
from assay.features.estimate import Estimate, mean, undefined
from assay.features.part import Part
from assay.text import Corpus

SAMPLE = 2000


@english_only
def grammar_errors(part: Part) -> Estimate:
    """Return the mean over texts of grammar errors / words (paper 000), by the Harper checker.

    Large parts are sampled; the interval is the normal one of a mean.
    """
    try:
        linter = import_extra("harper", "features", "grammar_errors").Linter()
    except AssayError as error:
        return undefined(str(error))
    texts = part.sample(SAMPLE)
    if not texts:
        return undefined("the texts hold no words")
    lengths = Corpus.from_texts(texts).lengths
    rates = [len(linter.lint(text)) / length for text, length in zip(texts, lengths, strict=True) if length]
    value = mean(rates)
    spread = (mean([(rate - value) ** 2 for rate in rates]) / len(rates)) ** 0.5
    return Estimate(value, max(0.0, value - 1.96 * spread), value + 1.96 * spread, len(rates))
