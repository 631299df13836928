"""Compare what the harness extracted with what a response commits to, and both with the gold answer."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import Literal

from assay.base.marks import NAME, OWN
from assay.logs.trials import Trial
from assay.responses.reading.excerpts import Excerpt, cut_excerpt
from assay.responses.reading.forms import AnswerForm, are_same, find_option, fold_text
from assay.responses.reading.states import Reading, State, read_response
from assay.responses.rows import ResponseItem, ResponseRow
from assay.wording.letters import name_letter, parse_count

NEAR_END = 200  # characters at the end of a response
_WORD = re.compile(r"\w+")
Loss = Literal["", "recovered", "contradicted", "invented"]


@dataclass(frozen=True, slots=True)
class GradedResponse:
    """One response: its state, the answers of the harness and of the reader, and whether each is right.

    `right_as_graded` and `right_as_read` are scores from 0 to 1, None if they are not known. `loss` says how the
    answers differ: committed but not extracted (recovered), extracted differs (contradicted), or extracted although
    nothing was committed (invented). `start` and `end` are the span that was read, `excerpt` the text around it.
    """

    system: str = field(metadata=NAME)
    id: str = field(metadata=NAME)
    repeat: int
    state: State = field(metadata=OWN)
    extracted: str | None = field(metadata=NAME)
    read: str | None = field(metadata=NAME)
    is_sure: bool
    right_as_graded: float | None
    right_as_read: float | None
    loss: Loss = field(metadata=OWN)
    rule: str = field(metadata=OWN)
    start: int
    end: int
    has_extracted: bool = False
    stop: str | None = field(default=None, metadata=OWN)
    trial: Trial | None = None
    excerpt: Excerpt | None = None

    @property
    def is_remarkable(self) -> bool:
        """Return whether the response is not complete, or the harness made of it anything else than a reader."""
        return self.state != "complete" or bool(self.loss) or self.right_as_graded != self.right_as_read

    def withhold_text(self, *, has_labels: bool) -> GradedResponse:
        """Return the response without its text; answers stay if they are labels."""
        row = replace(self, excerpt=None)
        return row if has_labels else replace(row, extracted=None, read=None)


def grade_response(row: ResponseRow, item: ResponseItem | None, *, with_excerpt: bool = False) -> GradedResponse:
    """Read one response and compare it with what the harness made of it."""
    form = None if item is None else item.form
    reading = read_response(row.text, form, row.stop)
    extracted = name_option(row.extracted, form)
    answer, is_sure = _take_answer(row, reading, extracted, form)
    graded = row.score
    if graded is None and row.has_extracted and item is not None and item.gold:
        graded = float(_is_right(extracted, item))
    read = _grade_reading(answer, extracted, graded, item)
    if reading.state == "error" and row.score is None:
        graded = read = None  # the infrastructure failed: this is not an answer
    loss = _compare(row, reading, extracted, answer, form)
    return GradedResponse(
        *(row.system, row.id, row.repeat, reading.state, extracted, answer, is_sure, graded, read, loss),
        *(reading.rule, reading.start, reading.end, row.has_extracted, row.stop, row.trial),
        cut_excerpt(row.text, reading.start, reading.end) if with_excerpt else None,
    )


def name_option(answer: str | None, form: AnswerForm | None) -> str | None:
    """Return an extracted answer as the letter of its option; other forms as they are.

    >>> form = AnswerForm("options", ("red", "blue"))
    >>> [name_option(answer, form) for answer in ("b", "(B)", "blue", "green")]
    ['B', 'B', 'B', 'green']
    """
    if answer is None or form is None or form.name != "options":
        return answer
    short = answer.strip().strip("()[]. ")
    if len(short) == 1 and short.isascii() and short.isalpha():
        return form.find_letter(short) or short
    option = find_option(answer, form)
    number = parse_count(short)
    if option is None and number is not None and number < len(form.options):
        return name_letter(number)
    return option or answer


def _take_answer(
    row: ResponseRow, reading: Reading, extracted: str | None, form: AnswerForm | None
) -> tuple[str | None, bool]:
    """Return the answer of the reader; for free answers the extracted one if the response has it and no other."""
    if reading.answer is not None or form is None or form.name == "options" or extracted is None:
        return reading.answer, reading.is_sure
    is_inside = fold_text(extracted) in fold_text(row.text or "")
    return (
        (extracted, False) if is_inside and reading.state in ("complete", "no-commitment", "run-on") else (None, True)
    )


def _is_right(answer: str | None, item: ResponseItem) -> bool:
    form = item.form
    if answer is None:
        return False
    if form is None:
        return any(fold_text(answer) == fold_text(gold) for gold in item.gold)
    return any(are_same(form, answer, gold) for gold in item.gold)


def _grade_reading(
    answer: str | None, extracted: str | None, graded: float | None, item: ResponseItem | None
) -> float | None:
    """Return whether the answer that was read is right; the grade of the harness if it read the same, or long texts."""
    if item is None or item.form is None or not item.gold:
        return graded
    if answer is None:
        return 0.0
    is_same = extracted is not None and are_same(item.form, answer, extracted)
    is_right = _is_right(answer, item)
    if graded is not None and item.form.name == "text" and not is_right:
        has_gold = any(fold_text(gold) in fold_text(answer) for gold in item.gold)
        if is_same or has_gold:
            return graded  # the harness may accept more than the gold answer verbatim
    return float(is_right)


def _names_letter(text: str, letter: str) -> bool:
    """Return whether a letter stands alone near the end of a text, so that it may be the answer of a reader after all."""
    return letter in _WORD.findall(text[-NEAR_END:])


def _compare(
    row: ResponseRow, reading: Reading, extracted: str | None, answer: str | None, form: AnswerForm | None
) -> Loss:
    if form is None or not row.has_extracted or reading.state in ("error", "limit"):
        return ""
    if extracted is None:
        return "recovered" if answer is not None else ""
    if answer is None:
        if reading.rule == "several":
            return "contradicted"
        is_inside = form.name != "options" and fold_text(extracted) in fold_text(row.text or "")
        is_named = not reading.is_sure and _names_letter(row.text or "", extracted)
        return "" if is_inside or is_named else "invented"
    return "" if are_same(form, answer, extracted) else "contradicted"
