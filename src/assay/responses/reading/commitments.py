"""The places of a response where it commits to an answer."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from assay.base.marks import NAME, OWN
from assay.responses.reading.forms import AnswerForm, find_named_option, find_option, read_truth
from assay.responses.reading.numbers import SCALED, find_numbers, parse_number
from assay.responses.reading.phrases import (
    AFTER_VERB,
    AFTERTHOUGHT,
    ALONE,
    ALSO_LETTER,
    BACKWARD,
    BARE_ENDING,
    BARE_LETTER,
    BOXED,
    CONCLUSION,
    CONDITION,
    CONTRAST,
    CUE,
    DENIAL,
    DENIED_AFTER,
    DENIED_END,
    ENDING,
    FILLER,
    GERMAN,
    GOES_ON,
    HYPOTHETICAL,
    IF_BEFORE,
    INNER_ENDING,
    LABELLED,
    LETTER,
    MARKED_PART,
    NEGATION,
    NEXT_QUESTION,
    NONE_RIGHT,
    OPENING,
    OPTION_LINE,
    PARENTHESISED,
    PART,
    QUOTED,
    REFUSAL,
    RETRACTION,
    SECOND,
    SENTENCE_BREAK,
    SENTENCE_END,
    SEVERAL_RIGHT,
    TRUTH_ENDING,
    TRUTH_WORD,
    VERDICT_PART,
    WORD_LETTER,
    WOULD,
    YES_NO,
)

WINDOW = 400  # characters after a phrase in which its answer is
MAX_TEXT = 160  # characters of an answer that is a text
MAX_ALONE = 12  # characters of a response that is only a letter, whose case does not matter
MAX_NAME = 5  # words of a response that is nothing but its answer
MIN_VERDICTS = 3  # options that are called right or wrong, one after another
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
    certain = [each for each in announced if each.rule != "hypothetical"]
    if any(each.answer or each.rule == "several" for each in certain):
        return [*certain, *_find_retraction(text, certain[-1], form)]
    ends = [*_find_endings(text, form)]
    kept = certain if any(each.answer for each in ends) else announced
    return sorted([*kept, *ends], key=lambda each: (each.end, each.start))


def _find_retraction(text: str, last: Commitment, form: AnswerForm) -> Iterator[Commitment]:
    """Yield the answer that follows a retraction of the last announced one: "Actually, no: it is (C).", never clear."""
    retraction = RETRACTION.search(text, last.end)
    if retraction is not None:
        for each in _find_endings(text, form):
            if each.start >= retraction.start() and each.answer not in (None, last.answer):
                yield replace(each, is_clear=False)


def _find_announced(text: str, form: AnswerForm, pattern: re.Pattern[str], rule: str) -> Iterator[Commitment]:
    for cue in pattern.finditer(text):
        window = text[cue.end() : cue.end() + WINDOW]
        skipped = FILLER.match(window)
        start = skipped.end() if skipped else 0
        if start and QUOTED.match(window, start - 1):
            start -= 1
        if form.name == "yes-no" and YES_NO.match(window, max(0, start - 1)):
            start = max(0, start - 1)  # 是 is a word of the phrase, and yes
        value = _read_value(window[start:], form, rule)
        if value is not None:
            is_clear = value.is_clear and "closest" not in cue.group().lower() + window[:start].lower()
            if value.answer and WOULD.search(cue.group()) and _follows_condition(text, cue.start()):
                value, is_clear = replace(value, rule="hypothetical"), False
            yield Commitment(cue.start(), cue.end() + start + value.end, value.answer, value.rule, is_clear)


def _follows_condition(text: str, place: int) -> bool:
    """Return whether the sentence of a place begins with a condition: "If he were an adult, the answer would be A."."""
    return IF_BEFORE.search(_cut_last_sentence(text[max(0, place - WINDOW) : place])) is not None


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
        contrast = _read_contrast(rest, denied.end(), form, rule)
        is_partial = contrast is None and _names_answer(rest, denied.end(), form)  # "not (B)" leaves the others
        return None if is_partial else contrast or _Value(None, 0, "denied")
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


def _names_answer(rest: str, start: int, form: AnswerForm) -> bool:
    """Return whether an option or a number follows."""
    skipped = FILLER.match(rest, start)
    begin = skipped.end() if skipped else start
    if form.name == "number":
        return rest[begin : begin + 1].isdecimal()
    letter = LETTER.match(rest, begin)
    return form.name == "options" and letter is not None and form.find_letter(letter.group()) is not None


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
    letters = {found for match in PARENTHESISED.finditer(phrase) if (found := _read_letter(match, phrase, form))}
    if letters:  # "the answer is actually (D)", "1.5 eV, or (H)"
        is_one = len(letters) == 1
        return _Value(letters.pop() if is_one else None, len(phrase), rule if is_one else "several", is_one)
    is_clear = BARE_LETTER.search(phrase) is None
    return _Value(None, len(phrase), "no option", is_clear) if len(phrase) > 1 else None


def _read_letter(match: re.Match[str], text: str, form: AnswerForm) -> str | None:
    """Return the option that is named at a place of a text, unless the words around it deny it."""
    is_denied = _is_denied(text, match.start()) or DENIED_AFTER.match(text, match.end())
    return None if is_denied else form.find_letter(match.group(1) or match.group(2))


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
    """Return a phrase and the parts of it that may be the value: its head, boxed text, text after the last equals sign."""
    values = [phrase, AFTERTHOUGHT.split(phrase, maxsplit=1)[0]]
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
        numbers = [
            number
            for number in find_numbers(line)
            if not line[: number.start()].rstrip("{").endswith(("^", "_")) and not _is_denied(line, number.start())
        ]
        if numbers and not GOES_ON.search(line.removesuffix("**")):
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
        is_clear = len(stripped.split()) <= MAX_NAME
        answer = _cut_phrase(stripped.strip())
        yield Commitment(start + len(last) - len(last.lstrip()), len(stripped), answer, "whole", is_clear)


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
    """Return the end of a text that belongs to the sentence after it."""
    return SENTENCE_BREAK.split(before)[-1]


def _find_option_endings(text: str, stripped: str, start: int, form: AnswerForm) -> Iterator[Commitment]:
    alone = ALONE.fullmatch(text if len(text) > MAX_ALONE else text.upper())
    if alone and form.find_letter(alone.group(1)):
        yield Commitment(alone.start(1), alone.end(1), form.find_letter(alone.group(1)), "whole")
        return
    verdicts = _find_verdicts(stripped, form)
    if verdicts:
        yield verdicts
        return
    opening = OPENING.match(text)
    letter = form.find_letter(opening.group(1)) if opening else None
    is_contrasted = opening is not None and letter is not None and _names_other(opening, text, form)
    if opening and letter and not is_contrasted and not _lists_options(text, opening.end()):
        yield Commitment(opening.start(1), opening.end(1), letter, "opening")
    ending = ENDING.search(stripped, start)
    if ending and not _is_denied(stripped, ending.start(ending.lastindex or 0)):
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
    is_option = option is not None and form.find_letter(option.group(1)) and _is_alone(stripped, base)
    if option and is_option and _is_whole(option, form) and not _names_other(option, line, form):
        yield Commitment(base, len(stripped), form.find_letter(option.group(1)), "last line")
        return
    apposition = list(_find_apposition(stripped, start, form))
    if apposition:
        yield from apposition
        return
    name = find_option(ALSO_LETTER.sub("", line), form) if len(line) <= WINDOW else None
    if name is not None:
        yield Commitment(base, len(stripped), name, "last line", is_clear=base == 0 or _is_alone(stripped, base))
        return
    listed = OPTION_LINE.match(line)
    if listed is None or _is_alone(stripped, base, listed.group(1)):  # the last line of a list is no conclusion
        yield from _find_single_letter(stripped, form)


def _find_verdicts(stripped: str, form: AnswerForm) -> Commitment | None:
    """Return the only option that a list of verdicts calls right: "A: wrong. B: right.", or the rows of a table.

    It is never clear: the question may ask for the wrong one.
    """
    parts: list[tuple[int, str, bool]] = []
    tail = stripped[-WINDOW:]
    found = list(VERDICT_PART.finditer(tail)) or list(MARKED_PART.finditer(tail))
    if not found or found[-1].end() < len(tail.rstrip(" |")):
        return None
    for part in reversed(found):
        letter, is_right = form.find_letter(part["letter"]), part["right"] is not None
        if letter is None or find_option(part["right"] or part["wrong"], form):
            return None
        parts.append((part.start(), letter, is_right))
    right = {letter for _, letter, is_right in parts if is_right}
    if len({letter for _, letter, _ in parts}) < MIN_VERDICTS or len(right) != 1:
        return None
    start = max(0, len(stripped) - WINDOW) + parts[-1][0]
    return Commitment(start, len(stripped), right.pop(), "verdicts", is_clear=False)


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
    """Return whether the text of an option is followed by a colon, as when options are looked at one by one."""
    option = form.options[ord(letter.group(1)) - ord("A")].strip(" .")
    return text[letter.end() + len(option) :].lstrip(" *_.)").startswith(":")


def _lists_options(text: str, start: int) -> bool:
    """Return whether another option begins a line soon after, so that the first line is not an answer."""
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


def _names_other(first: re.Match[str], text: str, form: AnswerForm) -> bool:
    """Return whether a sentence that begins with one option names another: "(A) is tempting, but (B) is right."."""
    if first.re is ALONE or _starts_option(text[first.start(1) :], form):
        return False
    rest = SENTENCE_BREAK.split(text[first.end(1) : first.end(1) + WINDOW].lstrip(".:)* "), maxsplit=1)[0]
    names = (_read_letter(match, rest, form) for match in PARENTHESISED.finditer(rest))
    return any(name not in (None, first.group(1)) for name in names)


def _is_alone(stripped: str, base: int, letter: str = "") -> bool:
    """Return whether the line before the last one is no option, or the same one as `letter`."""
    before = OPTION_LINE.match(stripped[max(0, base - WINDOW) : base].rstrip().rpartition("\n")[2])
    return before is None or before.group(1) == letter


def _is_denied(text: str, place: int) -> bool:
    """Return whether the option at a place is denied by the words before it: "it cannot be (B)"."""
    return DENIED_END.search(text, max(0, place - 60), place) is not None


def _find_single_letter(stripped: str, form: AnswerForm) -> Iterator[Commitment]:
    """Yield the only option that ends a sentence near the end, or the only one of the last complete sentence."""
    endings = [
        match
        for match in INNER_ENDING.finditer(stripped, max(0, len(stripped) - WINDOW))
        if not _is_denied(stripped, match.start(1))
    ]
    if len({match.group(1) for match in endings}) == 1 and form.find_letter(endings[0].group(1)):
        yield Commitment(endings[-1].start(), endings[-1].end(), endings[0].group(1), "single", is_clear=False)
        return
    if stripped[-1] not in ".!。":
        return
    sentence = SENTENCE_BREAK.split(stripped[-WINDOW:-1])[-1]
    start = len(stripped) - len(sentence) - 1
    letters = {name for match in PARENTHESISED.finditer(sentence) if (name := _read_letter(match, sentence, form))}
    letters = letters or {match.group(1) for match in BARE_ENDING.finditer(stripped)}
    letter = form.find_letter(letters.pop()) if len(letters) == 1 else None
    if letter:
        yield Commitment(start, len(stripped), letter, "single", is_clear=False)
        return
    is_cut = stripped[-2:-1].isdigit()  # "= 4." may be the start of 4.76
    values = [] if is_cut else [*_list_values(sentence.strip())[1:], AFTER_VERB.split(sentence)[-1]]
    name = next((name for value in values if (name := find_option(value, form))), None)
    if name is None and not NEGATION.search(sentence):
        name = find_named_option(sentence, form)
    if name is not None:
        yield Commitment(start, len(stripped), name, "named", is_clear=False)
