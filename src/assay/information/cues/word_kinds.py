"""Kinds of words: function words, numbers, fragments that an apostrophe left, and content words."""

from __future__ import annotations

from assay.text.characters import is_unspaced
from assay.text.fragments import APOSTROPHE_PIECES
from assay.text.languages import ENGLISH, LanguageGuess
from assay.wording.sentences import quote

NEGATIONS = frozenset(
    "not no never none nothing nobody nowhere neither nor cannot cant dont doesnt isnt wont t".split()
)
MAX_NUMBER_PART = 3  # digits of a number that may be a part of 1.5 or of 1,500


def is_function_word(token: str, language: LanguageGuess = ENGLISH) -> bool:
    """Return whether every word of a token is a function word of the language, in Latin letters also a single letter.

    In English negations and what an apostrophe leaves are function words too.

    >>> is_function_word("not"), is_function_word("do not"), is_function_word("excellent"), is_function_word("2017")
    (True, True, False, False)
    >>> is_function_word("nicht"), is_function_word("nicht", LanguageGuess("de"))
    (False, True)
    """
    known, is_english = language.function_words, language.may_be_english
    return all(
        word in known
        or (is_english and (word in NEGATIONS or word in APOSTROPHE_PIECES))
        or (len(word) == 1 and word.isascii() and word.isalpha())
        for word in token.lower().split()
    )


def is_number(token: str, language: LanguageGuess = ENGLISH) -> bool:
    """Return whether a token is a number, alone or among function words.

    >>> is_number("2017"), is_number("in 2017"), is_number("goal 2017"), is_number("in")
    (True, True, False, False)
    """
    words = token.split()
    has_digits = any(word.isdigit() for word in words)
    return has_digits and all(word.isdigit() or is_function_word(word, language) for word in words)


def name_word_kind(token: str, language: LanguageGuess = ENGLISH) -> str:
    """Name the kind of word or words a token is; without a list of function words, only that it is a word.

    Letters of a script without spaces, whose words cannot be separated, are characters.

    >>> name_word_kind("not"), name_word_kind("7"), name_word_kind("how many"), name_word_kind("excellent")
    ('function word', 'number', 'function words', 'content word')
    >>> name_word_kind("饭", LanguageGuess("zh")), name_word_kind("kitabu", LanguageGuess("und", n_words=10_000))
    ('character', 'word')
    """
    words = token.split()
    plural = "s" if len(words) > 1 else ""
    if is_number(token, language):
        return "words" if plural else "number"
    if is_function_word(token, language):
        return f"function word{plural}"
    if all(len(word) == 1 and is_unspaced(word) for word in words):
        return f"character{plural}"
    return f"{'content ' if language.has_function_words else ''}word{plural}"


def explain_fragment(token: str, language: LanguageGuess = ENGLISH) -> str:
    """Say where a token comes from that is only a part of what people write, else nothing; contractions are English.

    >>> print(explain_fragment("t"), explain_fragment("t even"), explain_fragment("don t"), explain_fragment("5"))
     (as in "don't")  ("t" as in "don't")  (that is, "don't")  (alone or in a number such as 5.5)
    """
    words = token.split()
    pieces = APOSTROPHE_PIECES if language.may_be_english else {}
    if "'".join(words) in pieces.values():
        return f" (that is, {quote(chr(39).join(words))})"
    if len(words) == 1 and token.isdigit():
        longer = f"{token}.5" if len(token) < MAX_NUMBER_PART else f"1,{token}"
        return f" (alone or in a number such as {longer})" if len(token) <= MAX_NUMBER_PART else ""
    fragments = [word for word in words if word in pieces]
    if not fragments:
        return ""
    return f" ({'' if len(words) == 1 else quote(fragments[0]) + ' '}as in {quote(pieces[fragments[0]])})"
