"""What kind of word a token is: one that carries no topic, a number, what an apostrophe left, or any other."""

from __future__ import annotations

from assay.base.wording import quote
from assay.information.shortcuts.stop_words import english_stop_words

NEGATIONS = frozenset(
    "not no never none nothing nobody nowhere neither nor cannot cant dont doesnt isnt wont t".split()
)
# Words are cut at apostrophes and points: what is left, and where it comes from.
LEFT_OVER = {"t": "don't", "s": "it's", "d": "I'd", "m": "I'm", "ll": "we'll", "re": "you're", "ve": "I've"}
LEFT_OVER |= {f"{verb}n": f"{verb}n't" for verb in "did does is was are were has had have would could should".split()}
LEFT_OVER |= {"don": "don't"}
SHORT_NUMBER = 3  # digits that may be a part of 1.5 or of 1,500


def is_function_word(token: str) -> bool:
    """Tell whether every word of a token is a stop word, a negation, or a single letter.

    >>> is_function_word("not"), is_function_word("do not"), is_function_word("excellent"), is_function_word("2017")
    (True, True, False, False)
    """
    return all(
        word in NEGATIONS or word in LEFT_OVER or word in english_stop_words() or (len(word) == 1 and word.isalpha())
        for word in token.lower().split()
    )


def is_number(token: str) -> bool:
    """Tell whether a token is a number, alone or among function words.

    >>> is_number("2017"), is_number("in 2017"), is_number("goal 2017"), is_number("in")
    (True, True, False, False)
    """
    words = token.split()
    return any(word.isdigit() for word in words) and all(word.isdigit() or is_function_word(word) for word in words)


def kind_of(token: str) -> str:
    """Say what kind of word or words a token is.

    >>> kind_of("not"), kind_of("7"), kind_of("how many"), kind_of("excellent")
    ('function word', 'number', 'function words', 'content word')
    """
    several = "s" if " " in token else ""
    if is_number(token):
        return "words" if several else "number"
    return ("function word" if is_function_word(token) else "content word") + several


def origin(token: str) -> str:
    """Say where a token comes from that is only a part of what people write, else nothing.

    >>> print(origin("t"), origin("t even"), origin("don t"), origin("5"))
     (as in "don't")  ("t" as in "don't")  (that is, "don't")  (alone or in a number such as 5.5)
    """
    words = token.split()
    if "'".join(words) in LEFT_OVER.values():
        return f" (that is, {quote(chr(39).join(words))})"
    if len(words) == 1 and token.isdigit():
        larger = f"{token}.5" if len(token) < SHORT_NUMBER else f"1,{token}"
        return f" (alone or in a number such as {larger})" if len(token) <= SHORT_NUMBER else ""
    left = [word for word in words if word in LEFT_OVER]
    if not left:
        return ""
    return f" ({'' if len(words) == 1 else quote(left[0]) + ' '}as in {quote(LEFT_OVER[left[0]])})"
