"""Read the final answer of a response and name the state it is in, each with the span that shows it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from assay.base.marks import NAME, OWN
from assay.responses.reading.commitments import Commitment, find_commitments
from assay.responses.reading.forms import AnswerForm
from assay.responses.reading.loops import find_loop, find_period
from assay.responses.reading.phrases import (
    CUE,
    NEXT_QUESTION,
    RECONSIDERATION,
    REFUSAL,
    SENTENCE_END,
    THOUGHT_END,
    THOUGHT_START,
)

State = Literal["complete", "run-on", "truncated", "refusal", "looping", "no-commitment", "empty", "limit", "error"]
STATES: tuple[State, ...] = (
    *("complete", "run-on", "truncated", "refusal", "looping", "no-commitment", "empty", "limit", "error"),
)  # fmt: skip
HEAD = TAIL = 20_000  # characters of a long response that are read, at its start and at its end
REFUSAL_HEAD = 600
MAX_RESTATEMENT = 120  # characters between two answers that hold no new reasoning
MIN_RUN_ON = 400  # characters after an answer that are cut off
MIN_OTHER_ANSWERS = 3
SHORT = 80  # characters of a response that may state its answer in a way that no rule knows
_WEAK = ("denied", "no option")
_UNSTATED = ("last number", "single", "named", "concluded")  # answers only if the response came to its end
_LENGTH_STOPS = frozenset({"length", "max_tokens", "model_length", "max_length", "token_limit"})
_LIMIT_STOPS = frozenset(
    "limit time message messages working custom operator context cost turn turns token tokens steps max_steps".split()
)
_FILTER_STOPS = frozenset({"content_filter", "safety", "refusal", "recitation", "blocked"})
_ERROR_STOPS = frozenset({"error", "unknown_error", "failed", "exception"})


@dataclass(frozen=True, slots=True)
class Reading:
    """The state of a response and the answer a careful reader takes from it, if any.

    `start` and `end` are the span of the response that shows it, `rule` says how it was found. `is_sure` is False if
    another careful reader could disagree.
    """

    state: State = field(metadata=OWN)
    answer: str | None = field(metadata=NAME)
    is_sure: bool
    start: int
    end: int
    rule: str = field(metadata=OWN)


def read_response(text: str | None, form: AnswerForm | None, stop_reason: str | None = None) -> Reading:
    """Return the state of a response and its final answer; without a form only the state.

    >>> read_response("So 2 + 2 = 4. The answer is (B).", AnswerForm("options", ("3", "4")))
    Reading(state='complete', answer='B', is_sure=True, start=18, end=30, rule='announced')
    """
    stop = (stop_reason or "").strip().lower().replace("-", "_").replace(" ", "_")
    whole = text or ""
    outside = _read_stop(stop, whole)
    if outside is not None:
        return outside
    if not whole.strip():
        return Reading("empty", None, True, 0, len(whole), "no text")
    body, offset, cut = _cut_thoughts(whole)
    if body is None:
        return _describe_open_thought(whole)
    reading = _read_body(body, form, stop in _LENGTH_STOPS)
    return _shift(reading, offset, cut, len(body))


def _read_stop(stop: str, text: str) -> Reading | None:
    """Return the reading that follows from why a response stopped, whatever its text is."""
    if stop in _ERROR_STOPS:
        return Reading("error", None, True, 0, len(text), f"stopped by {stop}")
    if stop in _FILTER_STOPS:
        return Reading("refusal", None, True, 0, len(text), f"stopped by {stop}")
    if stop in _LIMIT_STOPS or stop.removesuffix("_limit") in _LIMIT_STOPS:
        return Reading("limit", None, True, 0, len(text), f"stopped by {stop}")
    if stop in _LENGTH_STOPS and not text.strip():
        return Reading("truncated", None, True, 0, len(text), f"stopped by {stop}")
    return None


def _cut_thoughts(text: str) -> tuple[str | None, int, int]:
    """Return the part after the thoughts, its start, and how much was left out in the middle of it.

    None if the thoughts never end.
    """
    ends = list(THOUGHT_END.finditer(text))
    start = ends[-1].end() if ends else 0
    if not ends and THOUGHT_START.match(text.lstrip()[:40]):
        return None, 0, 0
    body = text[start:] if text[start:].strip() else text
    start = start if text[start:].strip() else 0
    if len(body) <= HEAD + TAIL:
        return body, start, 0
    return body[:HEAD] + "\n" + body[-TAIL + 1 :], start, len(body) - HEAD - TAIL


def _shift(reading: Reading, offset: int, cut: int, length: int) -> Reading:
    """Return a reading with places in the whole response."""
    start, end = (place + offset + (cut if cut and place > HEAD else 0) for place in (reading.start, reading.end))
    return Reading(reading.state, reading.answer, reading.is_sure, start, min(end, offset + cut + length), reading.rule)


def _describe_open_thought(text: str) -> Reading:
    loop = find_loop(text)
    if loop is not None:
        return Reading("looping", None, True, loop, len(text), "repeats itself")
    return Reading("truncated", None, True, max(0, len(text) - 80), len(text), "thoughts do not end")


def _read_body(text: str, form: AnswerForm | None, is_cut: bool) -> Reading:
    if form is None:
        return _read_without_form(text, is_cut)
    commitments = find_commitments(text, form)
    border = _find_next_question(text, commitments, form)
    own = text[:border]
    if border < len(text):
        commitments = find_commitments(own, form)
    chosen, is_agreed, is_list = _choose(own, commitments)
    is_unstated = chosen is not None and (chosen.answer is None or chosen.rule in _UNSTATED)
    if chosen is None or (is_unstated and (is_cut or (chosen.answer is None and _is_unfinished(text, is_cut)))):
        return _describe_uncommitted(text, own, is_cut)
    if chosen.rule in (*_UNSTATED, "ending", "whole") and find_loop(text) is not None:
        return _describe_uncommitted(text, own, is_cut)  # the end of a loop is no conclusion
    if chosen.rule in _UNSTATED and REFUSAL.search(own[:REFUSAL_HEAD]):
        return _describe_uncommitted(text, own, is_cut)  # a refusal may name options
    rest = text[chosen.end :]
    first = next(each for each in commitments if each.answer == chosen.answer)
    sure = chosen.is_clear and is_agreed
    place = (chosen.start, chosen.end, chosen.rule)
    if border < len(text) or is_list:
        return Reading("run-on", chosen.answer, sure, *place)
    if find_period(text[first.end :]) is not None:
        return Reading("looping", chosen.answer, sure, *place)
    if _is_unfinished(rest, is_cut):
        if len(rest) > MIN_RUN_ON:
            return Reading("run-on", chosen.answer, sure, *place)
        if RECONSIDERATION.search(rest):
            return Reading("truncated", chosen.answer, False, *place)
    return Reading("complete", chosen.answer, sure, *place)


def _find_next_question(text: str, commitments: list[Commitment], form: AnswerForm) -> int:
    """Return where the model goes on with another question after its answer, or the length of the text."""
    marker = NEXT_QUESTION.search(text)
    if marker and any(
        each.answer and each.rule not in _UNSTATED for each in find_commitments(text[: marker.start()], form)
    ):
        return marker.start()
    first = next((each for each in commitments if each.rule not in _WEAK), None)
    if first is None:
        return len(text)
    marker = NEXT_QUESTION.search(text, first.end)
    return marker.start() if marker else len(text)


def _choose(text: str, commitments: list[Commitment]) -> tuple[Commitment | None, bool, bool]:
    """Return the commitment that counts, whether all agree with it, and whether answers of other questions follow it.

    The last one counts, unless a different answer follows without any reasoning: then the first of these. A list of
    answers with nothing before it ends with the own answer.
    """
    stated = _keep_strongest(commitments)
    if not stated:
        return None, True, False
    answers = {each.answer for each in stated}
    if len(answers) == 1:
        return stated[-1], True, False
    last = stated[-1]
    chosen = last
    for earlier in reversed(stated[:-1]):
        gap = text[earlier.end : chosen.start]
        if len(gap) > MAX_RESTATEMENT or RECONSIDERATION.search(_drop_invitation(gap)):
            break
        chosen = earlier
    is_list = chosen is not last and len({each.answer for each in stated[stated.index(chosen) :]}) >= 2
    if not is_list or chosen.answer is None:
        return last, _agree(stated, last), False
    others = len(stated) - stated.index(chosen)
    if others >= MIN_OTHER_ANSWERS and not text[: chosen.start].strip():
        return last, False, True
    return chosen, False, others >= MIN_OTHER_ANSWERS


def _keep_strongest(commitments: list[Commitment]) -> list[Commitment]:
    """Return the commitments to letters, or else to values of options, or else the remaining ones."""
    letters = [each for each in commitments if each.rule not in (*_WEAK, "value")]
    return letters or [each for each in commitments if each.rule == "value"] or commitments


def _drop_invitation(gap: str) -> str:
    """Return a gap without "Now, let's combine …", which reconsiders nothing."""
    return gap.replace("let's", "").replace("Let's", "")


def _agree(stated: list[Commitment], last: Commitment) -> bool:
    """Return whether the last answer was reached in the open: earlier ones that differ were reconsidered."""
    return last.answer is not None or all(each.answer is None for each in stated)


def _describe_uncommitted(text: str, own: str, is_cut: bool) -> Reading:
    end, loop = len(text.rstrip()), find_loop(text)
    if loop is not None:
        return Reading("looping", None, True, loop, end, "repeats itself")
    refusal = REFUSAL.search(own[:REFUSAL_HEAD])
    if refusal:
        return Reading("refusal", None, True, refusal.start(), refusal.end(), "refuses")
    tail = max(0, end - 80)
    if _is_unfinished(text, is_cut):
        return Reading("truncated", None, is_cut or end > SHORT, tail, end, "stops inside a sentence")
    return Reading("no-commitment", None, False, tail, end, "ends without an answer")


def _read_without_form(text: str, is_cut: bool) -> Reading:
    """Return the state of a free text, such as a summary or a program."""
    end = len(text.rstrip())
    loop = find_loop(text)
    if loop is not None:
        return Reading("looping", None, True, loop, end, "repeats itself")
    refusal = REFUSAL.search(text[:REFUSAL_HEAD])
    if refusal:
        return Reading("refusal", None, True, refusal.start(), refusal.end(), "refuses")
    state: State = "truncated" if is_cut else "complete"
    return Reading(state, None, True, max(0, end - 80), end, "stopped by length" if is_cut else "ends")


def _is_unfinished(text: str, is_cut: bool) -> bool:
    """Return whether a text stops before its end: the model was cut off, or its last sentence does not end.

    A blank line at the end shows that the model stopped without being cut off.
    """
    if is_cut:
        return True
    return bool(text.strip()) and not text.endswith("\n\n") and not _ends_sentence(text)


def _ends_sentence(text: str) -> bool:
    stripped = text.rstrip()
    cue = CUE.search(stripped, max(0, len(stripped) - 60))
    return bool(SENTENCE_END.search(stripped[-40:])) and not (cue and cue.end() >= len(stripped) - 2)
