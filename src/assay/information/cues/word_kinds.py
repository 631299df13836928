"""What kind of word a token is: a function word, a number, a fragment that an apostrophe left, or a content word."""

from __future__ import annotations

from assay.base.wording import quote
from assay.information.shortcuts.stop_words import english_stop_words
from assay.text.fragments import APOSTROPHE_PIECES

NEGATIONS = frozenset(
    "not no never none nothing nobody nowhere neither nor cannot cant dont doesnt isnt wont t".split()
)
MAX_NUMBER_PART = 3  # digits of a number that may be a part of 1.5 or of 1,500


def is_function_word(token: str) -> bool:
    """Tell whether every word of a token is a stop word, a negation, a fragment or a single letter.

    >>> is_function_word("not"), is_function_word("do not"), is_function_word("excellent"), is_function_word("2017")
    (True, True, False, False)
    """
    return all(
        word in NEGATIONS
        or word in APOSTROPHE_PIECES
        or word in english_stop_words()
        or (len(word) == 1 and word.isalpha())
        for word in token.lower().split()
    )


def is_number(token: str) -> bool:
    """Tell whether a token is a number, alone or among function words.

    >>> is_number("2017"), is_number("in 2017"), is_number("goal 2017"), is_number("in")
    (True, True, False, False)
    """
    words = token.split()
    return any(word.isdigit() for word in words) and all(word.isdigit() or is_function_word(word) for word in words)


def name_word_kind(token: str) -> str:
    """Name the kind of word or words a token is.

    >>> name_word_kind("not"), name_word_kind("7"), name_word_kind("how many"), name_word_kind("excellent")
    ('function word', 'number', 'function words', 'content word')
    """
    plural = "s" if " " in token else ""
    if is_number(token):
        return "words" if plural else "number"
    return ("function word" if is_function_word(token) else "content word") + plural


def explain_fragment(token: str) -> str:
    """Say where a token comes from that is only a part of what people write, else nothing.

    >>> print(explain_fragment("t"), explain_fragment("t even"), explain_fragment("don t"), explain_fragment("5"))
     (as in "don't")  ("t" as in "don't")  (that is, "don't")  (alone or in a number such as 5.5)
    """
    words = token.split()
    if "'".join(words) in APOSTROPHE_PIECES.values():
        return f" (that is, {quote(chr(39).join(words))})"
    if len(words) == 1 and token.isdigit():
        longer = f"{token}.5" if len(token) < MAX_NUMBER_PART else f"1,{token}"
        return f" (alone or in a number such as {longer})" if len(token) <= MAX_NUMBER_PART else ""
    fragments = [word for word in words if word in APOSTROPHE_PIECES]
    if not fragments:
        return ""
    return f" ({'' if len(words) == 1 else quote(fragments[0]) + ' '}as in {quote(APOSTROPHE_PIECES[fragments[0]])})"
