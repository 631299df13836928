"""The places of a response where it commits to an answer."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from assay.base.marks import NAME, OWN
from assay.responses.forms import AnswerForm, find_named_option, find_option, read_truth
from assay.responses.numbers import SCALED, find_numbers, parse_number
from assay.responses.phrases import (
    ALONE,
    BACKWARD,
    BARE_ENDING,
    BARE_LETTER,
    BOXED,
    CONCLUSION,
    CONDITION,
    CONTRAST,
    CUE,
    DENIAL,
    ENDING,
    FILLER,
    GERMAN,
    GOES_ON,
    HYPOTHETICAL,
    INNER_ENDING,
    LABELLED,
    LETTER,
    NEGATION,
    NEXT_QUESTION,
    NONE_RIGHT,
    OPENING,
    OPTION_LINE,
    PARENTHESISED,
    PART,
    QUOTED,
    REFUSAL,
    SECOND,
    SENTENCE_BREAK,
    SENTENCE_END,
    SEVERAL_RIGHT,
    TRUTH_ENDING,
    TRUTH_WORD,
    WORD_LETTER,
    YES_NO,
)

WINDOW = 400  # characters after a phrase in which its answer is
MAX_TEXT = 160  # characters of an answer that is a text
MAX_ALONE = 12  # characters of a response that is only a letter, whose case does not matter
MAX_EXTRA = 12  # characters that a line may have in addition to its option without the end of a sentence


@dataclass(frozen=True, slots=True)
class Commitment:
    """An announced answer and its place; `answer` is None if it is no option, denied, or several options.

    `rule` says how it was announced, `is_clear` whether another careful reader would agree.
    """

    start: int
    end: int
    answer: str | None = field(metadata=NAME)
    rule: str = field(metadata=OWN)
    is_clear: bool = True


def find_commitments(text: str, form: AnswerForm) -> list[Commitment]:
    """Return all announced answers of a text in their order; weaker signs count only if there is no announcement."""
    announced = [*_find_announced(text, form, CUE, "announced"), *_find_announced(text, form, BOXED, "boxed")]
    if form.name == "options":
        announced += _find_backward(text, form)
        announced += [Commitment(each.start(), each.end(), None, "no option") for each in NONE_RIGHT.finditer(text)]
    announced.sort(key=lambda each: (each.end, each.start))
    if any(each.answer or each.rule == "several" for each in announced):
        return announced
    ends = [*_find_endings(text, form)]
    return sorted([*announced, *ends], key=lambda each: (each.end, each.start))


def _find_announced(text: str, form: AnswerForm, pattern: re.Pattern[str], rule: str) -> Iterator[Commitment]:
    for cue in pattern.finditer(text):
        window = text[cue.end() : cue.end() + WINDOW]
        skipped = FILLER.match(window)
        start = skipped.end() if skipped else 0
        if start and QUOTED.match(window, start - 1):
            start -= 1
        value = _read_value(window[start:], form, rule)
        if value is not None:
            is_clear = value.is_clear and "closest" not in cue.group().lower() + window[:start].lower()
            yield Commitment(cue.start(), cue.end() + start + value.end, value.answer, value.rule, is_clear)


@dataclass(frozen=True, slots=True)
class _Value:
    """An answer at the start of a text, where it ends, and whether it is clear."""

    answer: str | None
    end: int
    rule: str
    is_clear: bool = True


def _read_value(rest: str, form: AnswerForm, rule: str) -> _Value | None:
    """Return the answer at the start of a text; None if nothing is stated."""
    denied = DENIAL.match(rest)
    if denied:
        return _read_contrast(rest, denied.end(), form, rule) or _Value(None, 0, "denied")
    if not rest.strip():
        return None
    if form.name == "options":
        return _read_option(rest, form, rule)
    if form.name == "number":
        return _read_number(rest, rule)
    if form.name == "yes-no":
        word = YES_NO.match(rest)
        return _Value(word.group().lower(), word.end(), rule) if word else None
    phrase = _cut_phrase(rest)
    return _Value(phrase, len(phrase), rule, len(phrase) <= MAX_TEXT) if phrase else None


def _read_contrast(rest: str, start: int, form: AnswerForm, rule: str) -> _Value | None:
    """Return the answer after "not B, but"; None if there is none."""
    contrast = CONTRAST.match(rest, start)
    if contrast is None:
        return None
    skipped = FILLER.match(rest, contrast.end())
    begin = skipped.end() if skipped else contrast.end()
    value = _read_option(rest[begin:], form, rule) if form.name == "options" else None
    return replace(value, end=begin + value.end) if value is not None and value.answer else None


def _read_option(rest: str, form: AnswerForm, rule: str) -> _Value | None:
    letter = QUOTED.match(rest) or LETTER.match(rest)
    if letter and HYPOTHETICAL.match(rest, letter.end()):
        return _Value(None, letter.end(), "denied")
    if letter and not (WORD_LETTER.match(rest) and not _starts_option(rest, form)):
        name = form.find_letter(letter.group().strip("'‘’"))
        if name is None:
            return _Value(None, letter.end(), "no option")
        if _names_several(rest, letter, name, form):
            return _Value(None, letter.end(), "several", is_clear=False)
        return _Value(name, letter.end(), rule)
    phrase = _cut_phrase(rest)
    names = [name for part in _list_values(phrase) if (name := find_option(part, form)) is not None]
    if names:
        return _Value(names[0], len(phrase), "value")
    return _Value(None, len(phrase), "no option") if len(phrase) > 1 else None


def _names_several(rest: str, letter: re.Match[str], name: str, form: AnswerForm) -> bool:
    """Return whether another option follows the first one: "(A) and (B)", or a list of them."""
    second = SECOND.match(rest, letter.end())
    if second and second.group(1) != name and form.find_letter(second.group(1)):
        return True
    if letter.re is LETTER and letter.group(2):
        return len(set(PART.findall(_cut_phrase(rest)))) > 0
    return _lists_options(rest, letter.end())


def _starts_option(rest: str, form: AnswerForm) -> bool:
    """Return whether a letter is followed by the text of its option."""
    letter = form.find_letter(rest[0])
    if letter is None:
        return False
    option = form.options[ord(letter) - ord("A")].strip(" .").casefold()
    return bool(option) and rest[1 : WINDOW + 1].lstrip(" )].:*").casefold().startswith(option[:40])


def _list_values(phrase: str) -> list[str]:
    """Return a phrase and what of it may be the value: what is boxed, and what follows the last equals sign."""
    values = [phrase]
    if "\\boxed{" in phrase:
        values.append(phrase.rpartition("\\boxed{")[2].split("}")[0])
    if "=" in phrase:
        values.append(phrase.rpartition("=")[2])
    return [value.strip(" .*$}") for value in values]


def _read_number(rest: str, rule: str) -> _Value | None:
    phrase = _cut_phrase(rest)
    if parse_number(phrase) is not None:  # also a word, or 1 200
        return _Value(phrase, len(phrase), rule)
    numbers = find_numbers(SENTENCE_BREAK.split(rest, maxsplit=1)[0])
    if not numbers:
        return None
    chosen = numbers[-1] if "=" in phrase else numbers[0]
    scale = SCALED.match(rest, chosen.end())
    end = scale.end() if scale else chosen.end()
    return _Value(rest[chosen.start() : end], end, rule, len(numbers) == 1 or "=" in phrase)


def _cut_phrase(rest: str) -> str:
    """Return a text up to the end of its sentence; points inside numbers do not end one."""
    parts = SENTENCE_BREAK.split(rest, maxsplit=1)
    return parts[0].strip().strip("*_`\"'“”").removesuffix(".").strip(" }*")


def _find_backward(text: str, form: AnswerForm) -> Iterator[Commitment]:
    for match in SEVERAL_RIGHT.finditer(text):
        if all(map(form.find_letter, match.groups())):
            yield Commitment(match.start(), match.end(), None, "several", is_clear=False)
    for match in BACKWARD.finditer(text):
        letter = form.find_letter(match.group(1))
        if letter is None:
            continue
        if text[: match.start()].rstrip(" (*").endswith((" and", " or", ",")):
            yield Commitment(match.start(), match.end(), None, "several", is_clear=False)
        else:
            yield Commitment(match.start(), match.end(), letter, "backward")


def _find_endings(text: str, form: AnswerForm) -> Iterator[Commitment]:
    """Yield what the first and the last line commit to without announcing it."""
    stripped = text.rstrip()
    if not stripped:
        return
    start = max(0, len(stripped) - WINDOW)
    last = stripped[start:]
    if form.name == "options":
        yield from _find_option_endings(text, stripped, start, form)
    elif form.name == "number":
        line = stripped.rpartition("\n")[2][-WINDOW:]
        numbers = find_numbers(line)
        if numbers and not GOES_ON.search(line):
            base = len(stripped) - len(line)
            final = numbers[-1]
            is_whole = final.group() == line.strip(" $€£%.*")
            rule = "ending" if is_whole else "last number"
            yield Commitment(base + final.start(), base + final.end(), final.group(), rule, is_whole)
    elif form.name == "yes-no":
        ending = _find_truth_ending(stripped, start)
        if ending:
            yield ending
        head = text.lstrip(" *_\n\"'")
        word = YES_NO.match(head)
        if word and not (ending and head[word.end() : word.end() + 2].strip().isalpha()):  # "No study says …, so yes."
            base = len(text) - len(head)
            yield Commitment(base, base + word.end(), word.group().lower(), "opening")
    elif "\n" not in stripped.strip() and len(stripped.strip()) <= MAX_TEXT and not REFUSAL.search(stripped):
        yield Commitment(start + len(last) - len(last.lstrip()), len(stripped), _cut_phrase(stripped.strip()), "whole")


def _find_truth_ending(stripped: str, start: int) -> Commitment | None:
    """Return a yes or no that ends the last sentence, if it is a conclusion or repeats what the sentence says."""
    ending = TRUTH_ENDING.search(stripped, start)
    if ending is None:
        return None
    before = _cut_last_sentence(stripped[start : ending.start()])
    truths = {read_truth(word) for word in TRUTH_WORD.findall(before)}
    word, link = ending.group(2).lower(), (ending.group(1) or "").lower()
    agrees = truths <= {read_truth(word)}
    is_other = (link.startswith("also") and word not in ("ja", "nein")) or (
        link.startswith("so,") and before.rstrip()[-1:] not in ("", ",", ";", ":", "–", "—")
    )  # "is also no", "it may be so, no"
    if is_other or CONDITION.search(before) or not (link or (truths and agrees)):
        return None
    return Commitment(ending.start(2), ending.end(2), word, "concluded", agrees)


def _find_conclusion(stripped: str, start: int, form: AnswerForm) -> Commitment | None:
    """Return the option of a last sentence such as "Therefore B."; None if its letters may be symbols: "A, hence B."."""
    ending = CONCLUSION.search(stripped, start)
    if ending is None:
        return None
    before = stripped[start : ending.start()]
    sentence = _cut_last_sentence(before)
    name = next(group for group in ending.groups() if group)
    is_english_also = ending.group().lower().startswith("also") and before.strip() and not GERMAN.search(before)
    if form.find_letter(name) is None or CONDITION.search(sentence) or is_english_also:
        return None
    is_negated = NEGATION.search(sentence) is not None
    if is_negated if ending["right"] else BARE_LETTER.search(sentence) and not is_negated:
        return None
    return Commitment(ending.start(), ending.end(), name, "concluded", name not in BARE_LETTER.findall(before))


def _cut_last_sentence(before: str) -> str:
    """Return what of a text belongs to the sentence that goes on after it."""
    return SENTENCE_BREAK.split(before)[-1]


def _find_option_endings(text: str, stripped: str, start: int, form: AnswerForm) -> Iterator[Commitment]:
    alone = ALONE.fullmatch(text if len(text) > MAX_ALONE else text.upper())
    if alone and form.find_letter(alone.group(1)):
        yield Commitment(alone.start(1), alone.end(1), form.find_letter(alone.group(1)), "whole")
        return
    opening = OPENING.match(text)
    letter = form.find_letter(opening.group(1)) if opening else None
    if opening and letter and not _lists_options(text, opening.end()):
        yield Commitment(opening.start(1), opening.end(1), letter, "opening")
    ending = ENDING.search(stripped, start)
    if ending:
        letter = form.find_letter(next(group for group in ending.groups() if group))
        if letter:
            yield Commitment(ending.start(), ending.end(), letter, "ending")
            return
    conclusion = _find_conclusion(stripped, start, form)
    if conclusion:
        yield conclusion
        return
    line = stripped.rpartition("\n")[2]
    base = len(stripped) - len(line)
    option = ALONE.fullmatch(line) or OPTION_LINE.match(line)
    if option and form.find_letter(option.group(1)) and _is_alone(stripped, base) and _is_whole(option, form):
        yield Commitment(base, len(stripped), form.find_letter(option.group(1)), "last line")
        return
    apposition = list(_find_apposition(stripped, start, form))
    if apposition:
        yield from apposition
        return
    name = find_option(line, form) if len(line) <= WINDOW else None
    if name is not None:
        yield Commitment(base, len(stripped), name, "last line", is_clear=base == 0 or _is_alone(stripped, base))
        return
    yield from _find_single_letter(stripped, form)


def _find_apposition(stripped: str, start: int, form: AnswerForm) -> Iterator[Commitment]:
    """Yield the only option near the end whose letter is followed by its text."""
    places = [
        match
        for match in LABELLED.finditer(stripped, start)
        if _starts_option(stripped[match.start() :], form) and not _is_discussed(stripped, match, form)
    ]
    if len({match.group(1) for match in places}) == 1:
        yield Commitment(places[-1].start(), places[-1].end(), places[-1].group(1), "apposition")


def _is_discussed(text: str, letter: re.Match[str], form: AnswerForm) -> bool:
    """Return whether the text of an option is followed by a colon, as where options are looked at one by one."""
    option = form.options[ord(letter.group(1)) - ord("A")].strip(" .")
    return text[letter.end() + len(option) :].lstrip(" *_.)").startswith(":")


def _lists_options(text: str, start: int) -> bool:
    """Return whether another option begins a line soon after, so that the first line is no answer."""
    window = text[start : start + WINDOW]
    border = NEXT_QUESTION.search(window)
    lines = window[: border.start() if border else WINDOW].split("\n")[1:]
    return any(OPTION_LINE.match(line) for line in lines)


def _is_whole(line: re.Match[str], form: AnswerForm) -> bool:
    """Return whether a line that begins with a letter ends a sentence, or is no longer than its option."""
    if line.re is ALONE or SENTENCE_END.search(line.group()):
        return True
    option = form.options[ord(line.group(1)) - ord("A")]
    return len(line.group(2)) <= len(option) + MAX_EXTRA


def _is_alone(stripped: str, base: int) -> bool:
    """Return whether the line before the last one is no option."""
    before = stripped[max(0, base - WINDOW) : base].rstrip().rpartition("\n")[2]
    return not OPTION_LINE.match(before)


def _find_single_letter(stripped: str, form: AnswerForm) -> Iterator[Commitment]:
    """Yield the only option that ends a sentence near the end, or the only one of the last complete sentence."""
    endings = list(INNER_ENDING.finditer(stripped, max(0, len(stripped) - WINDOW)))
    if len({match.group(1) for match in endings}) == 1 and form.find_letter(endings[0].group(1)):
        yield Commitment(endings[-1].start(), endings[-1].end(), endings[0].group(1), "single", is_clear=False)
        return
    if stripped[-1] not in ".!。":
        return
    sentence = SENTENCE_BREAK.split(stripped[-WINDOW:])[-1]
    start = len(stripped) - len(sentence)
    letters = {match.group(1) or match.group(2) for match in PARENTHESISED.finditer(sentence)}
    letters = letters or {match.group(1) for match in BARE_ENDING.finditer(sentence)}
    letter = form.find_letter(letters.pop()) if len(letters) == 1 else None
    if letter:
        yield Commitment(start, len(stripped), letter, "single", is_clear=False)
    elif not NEGATION.search(sentence) and (name := find_named_option(sentence, form)):
        yield Commitment(start, len(stripped), name, "named", is_clear=False)
