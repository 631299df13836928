"""Count what is not words: characters, sentences, punctuation; one number a text."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.text.columns import Block, blocks, column
from assay.text.threads import in_threads

SENTENCE_ENDS = ".!?…。！？｡؟।"


def character_counts(texts: Any) -> NDArray[np.int64]:
    """Count the characters (code points) of each text.

    >>> character_counts(["née", "", None]).tolist()
    [3, 0, 0]
    """
    from assay.text.counting_kernels import characters

    return _counted(texts, lambda block: characters(*block))


def punctuation_counts(texts: Any) -> NDArray[np.int64]:
    """Count the punctuation characters of each text: Unicode category P, so not + < = > ^ ` | ~ $.

    >>> punctuation_counts(["Well, well...", "a + b"]).tolist()
    [4, 0]
    """
    from assay.text.characters import punctuation_table
    from assay.text.counting_kernels import characters_in

    return _counted(texts, lambda block: characters_in(*block, punctuation_table()))


def sentence_counts(texts: Any) -> NDArray[np.int64]:
    """Count the sentences of each text: runs of . ! ? … (also CJK, Arabic, Devanagari) after a word.

    A full stop between word characters ends none (3.14, e.g); words after the last end are a sentence. A text that
    is not empty has at least one.

    >>> sentence_counts(["Wait... what?! Pi is 3.14", "one. two.", "...", ""]).tolist()
    [3, 2, 1, 0]
    """
    from assay.text.characters import word_table
    from assay.text.counting_kernels import sentences

    ends = np.zeros(len(word_table(False)), np.bool_)
    ends[[ord(mark) for mark in SENTENCE_ENDS]] = True
    return _counted(texts, lambda block: sentences(*block, word_table(False), ends))


def _counted(texts: Any, count: Callable[[Block], NDArray[np.int64]]) -> NDArray[np.int64]:
    return np.concatenate([np.zeros(0, np.int64), *in_threads(count, blocks(column(texts)))])
