"""Count characters, sentences and punctuation; one number per text."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from assay.text.columns import TextBlock, Texts, cut_texts
from assay.text.threads import map_in_threads

SENTENCE_ENDS = ".!?…。！？｡؟।"


def character_counts(texts: Texts) -> NDArray[np.int64]:
    """Count the characters (code points) of each text.

    >>> character_counts(["née", "", None]).tolist()
    [3, 0, 0]
    """
    from assay.text.scanner.characters import count_characters

    return _count(texts, lambda block: count_characters(*block))


def punctuation_counts(texts: Texts) -> NDArray[np.int64]:
    """Count the punctuation characters of each text: Unicode category P, so not + < = > ^ ` | ~ $.

    >>> punctuation_counts(["Well, well...", "a + b"]).tolist()
    [4, 0]
    """
    from assay.text.characters import punctuation_marks
    from assay.text.scanner.characters import count_members

    return _count(texts, lambda block: count_members(*block, punctuation_marks()))


def sentence_counts(texts: Texts) -> NDArray[np.int64]:
    """Count the sentences of each text: runs of . ! ? … (also CJK, Arabic, Devanagari) after a word.

    A full stop between word characters is not an end (3.14, e.g); words after the last end are a sentence. A text that
    is not empty has at least one.

    >>> sentence_counts(["Wait... what?! Pi is 3.14", "one. two.", "...", ""]).tolist()
    [3, 2, 1, 0]
    """
    from assay.text.characters import N_CODES, word_letters
    from assay.text.scanner.characters import count_sentences

    ends = np.zeros(N_CODES, np.bool_)
    ends[[ord(mark) for mark in SENTENCE_ENDS]] = True
    return _count(texts, lambda block: count_sentences(*block, word_letters(lower=False), ends))


def _count(texts: Texts, count: Callable[[TextBlock], NDArray[np.int64]]) -> NDArray[np.int64]:
    return np.concatenate([np.zeros(0, np.int64), *map_in_threads(count, cut_texts(texts))])
