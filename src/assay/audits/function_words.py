"""Words that carry no topic: stop words, negations, numbers and remains of words."""

from __future__ import annotations

from assay.information.shortcuts.stop_words import english_stop_words

NEGATIONS = frozenset(
    "not no never none nothing nobody nowhere neither nor cannot cant dont doesnt isnt wont t".split()
)
WHAT_KIND = {True: "function word", False: "content word"}


def is_function_word(token: str) -> bool:
    """Tell whether every word of a token is a stop word, a negation, a number or a single character.

    >>> is_function_word("not"), is_function_word("do not"), is_function_word("excellent"), is_function_word("2017")
    (True, True, False, True)
    """
    return all(
        word in NEGATIONS or word in english_stop_words() or word.isdigit() or len(word) == 1
        for word in token.lower().split()
    )
