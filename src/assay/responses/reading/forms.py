"""The form that an answer must have: an option, a number, yes or no, or a short text."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

from assay.base.marks import OWN, TEXT
from assay.responses.reading.numbers import GROUPED, NUMBER, SCALE, parse_number, to_float
from assay.responses.reading.phrases import YES_NO
from assay.wording.letters import name_letter

FormName = Literal["options", "number", "yes-no", "text"]
MAX_TEXT = 120  # characters of a gold answer that still counts as short
MIN_NAME = 4  # characters of an option that is looked for in a sentence
_WORD = re.compile(r"\w+")
_ARTICLE = re.compile(r"^(?:(?:the|an?|der|die|das|le|la|les|el|los|las)\s|l['’])")
_TRUE = frozenset({"yes", "true", "ja", "oui", "sí", "si", "是", "对", "是的", "对的", "1"})
_FALSE = frozenset({"no", "false", "nein", "non", "否", "不是", "不对", "0"})


@dataclass(frozen=True, slots=True)
class AnswerForm:
    """The form of answers to an item; `options` are the texts of the options, in the order of their letters."""

    name: FormName = field(metadata=OWN)
    options: tuple[str, ...] = field(default=(), metadata=TEXT)

    def find_letter(self, letter: str) -> str | None:
        """Return the letter in upper case if there is such an option."""
        number = ord(letter.upper()) - ord("A")
        return letter.upper() if 0 <= number < len(self.options) else None


def choose_form(options: tuple[str, ...], gold: Iterable[str]) -> AnswerForm | None:
    """Return the form of an item from its options and gold answers; None if answers are long texts.

    >>> choose_form((), ["1,200"]).name, choose_form((), ["Yes"]).name, choose_form((), ["x" * 500])
    ('number', 'yes-no', None)
    """
    if options:
        return AnswerForm("options", options)
    answers = [answer.strip() for answer in gold]
    if not answers or any(len(answer) > MAX_TEXT for answer in answers):
        return None
    if all(parse_number(answer) is not None and any(map(str.isdecimal, answer)) for answer in answers):
        return AnswerForm("number")
    return AnswerForm("yes-no" if all(YES_NO.fullmatch(answer) for answer in answers) else "text")


def fold_text(text: str) -> str:
    """Return a text in the form in which texts are compared: letters, digits and signs, no case, markup or extra spaces.

    >>> fold_text("**The  Eiffel Tower**.")
    'the eiffel tower'
    """
    plain = unicodedata.normalize("NFKC", text).casefold()
    for mark in ("\\text", "\\mathrm", "\\left", "\\right", "$", "*", "`", "\\(", "\\)", "{", "}", '"', "“", "”", "\\"):
        plain = plain.replace(mark, "")
    return " ".join(plain.split()).strip(" .,;:!。")


def are_same(form: AnswerForm, answer: str, gold: str) -> bool:
    """Return whether an answer equals a gold answer: letters, numbers by value, yes and no in any language, texts.

    >>> are_same(AnswerForm("number"), "1200", "1,200.0"), are_same(AnswerForm("text"), "the Seine", "The Seine.")
    (True, True)
    """
    if form.name == "number":
        value = parse_number(gold)
        scaled = SCALE.sub("", answer.strip())  # "1.5 million" answers a question for millions, too
        grouped = answer.replace(".", "") if GROUPED.fullmatch(answer.strip()) else answer  # 2.500 may be 2500
        return value is not None and value in map(parse_number, (answer, scaled, grouped))
    if form.name == "yes-no":
        return read_truth(answer) == read_truth(gold)
    return _ARTICLE.sub("", fold_text(answer)) == _ARTICLE.sub("", fold_text(gold))


def read_truth(text: str) -> str:
    """Return yes or no for words of these meanings, and other texts unchanged."""
    word = fold_text(text)
    return "yes" if word in _TRUE else "no" if word in _FALSE else word


def find_option(text: str, form: AnswerForm) -> str | None:
    """Return the letter of the only option with this text, or with the only number of this text.

    >>> find_option("144", AnswerForm("options", ("132", "144 ways"))), find_option("maybe", AnswerForm("options", ("a",)))
    ('B', None)
    """
    folded = fold_text(text)
    if not folded:
        return None
    texts = [fold_text(option) for option in form.options]
    equal = [number for number, option in enumerate(texts) if option == folded]
    if not equal:
        equal = _match_numbers(folded, texts)
    return name_letter(equal[0]) if len(equal) == 1 else None


def find_named_option(sentence: str, form: AnswerForm) -> str | None:
    """Return the letter of the only option whose words are in a sentence; words inside a longer option do not count.

    >>> find_named_option("It is in New Rome.", AnswerForm("options", ("Rome", "New Rome", "Paris")))
    'B'
    """
    words = _join_words(sentence)
    texts = [_join_words(option) for option in form.options]
    named = [text for text in texts if len(text) > MIN_NAME + 1 and any(map(str.isalpha, text)) and text in words]
    longest = [text for text in named if not any(text != other and text in other for other in named)]
    return name_letter(texts.index(longest[0])) if len(longest) == 1 else None


def _join_words(text: str) -> str:
    """Return the words of a text with a space before and after each."""
    return f" {' '.join(_WORD.findall(fold_text(text)))} "


def _match_numbers(text: str, options: list[str]) -> list[int]:
    """Return the options whose only number is the only number of a short text."""
    numbers = list(NUMBER.finditer(text))
    if len(numbers) != 1 or len(text) > len(numbers[0].group()) + 20 or _is_index(text, numbers[0].start()):
        return []
    value = to_float(numbers[0].group())
    rows = [(number, NUMBER.findall(option)) for number, option in enumerate(options)]
    return [number for number, found in rows if len(found) == 1 and to_float(found[0]) == value]


def _is_index(text: str, start: int) -> bool:
    """Return whether a number belongs to a name, as in x_1 or H2."""
    return start > 0 and (text[start - 1].isalpha() or text[start - 1] in "_^")
