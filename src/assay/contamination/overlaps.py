"""Compiled loops that measure how much of an item is in a document and keep the best document."""

from __future__ import annotations

from typing import Any

from assay.base.arrays import Array, Integer
from assay.base.loops import compile_loop
from assay.contamination.structures import ANSWER, TEXT, Hashes, Index, Ints, Matches, Scratch

LONG_WORDS = 20  # from here on a match may leave out the beginning or the end
END_WORDS = 4  # of so many words of a shorter text one may be missing at the ends
ANSWER_DISTANCE = 60  # words between a question and a short answer
WORD_DISTANCE = 15  # and no more than so many for each word of the answer: single numbers are near by chance


@compile_loop
def keep_best(
    index: Index,
    item: Any,
    hashes: Hashes,
    document: Any,
    against: Any,
    scratch: Scratch,
    matches: Matches,
) -> None:
    """Keep this document for an item where enough of it matches, and more than in any document before."""
    marks, sums, regions, spans = scratch.marks, scratch.sums, scratch.regions, scratch.spans
    first_word, middle, last_word = index.starts[item], index.middles[item], index.starts[item + 1]
    sums[item, 0] -= unmark_repetitions(
        index, first_word, middle, hashes, spans[item, :2], document, marks, scratch.left_over
    )
    sums[item, 1] -= unmark_repetitions(
        index, middle, last_word, hashes, spans[item, 2:], document, marks, scratch.left_over
    )
    question = answer = 0.0
    if reaches_ends(marks[first_word:middle], document):
        question = share_of(sums[item, 0], index.totals[item, 0])
    if reaches_ends(marks[middle:last_word], document):
        answer = share_of(sums[item, 1], index.totals[item, 1])
    score = score_item(question, answer, index.required[item], against)
    if score <= 0.0:
        return
    if index.required[item, 1] > 1.0 and index.totals[item, 1] > 0 and question >= index.required[item, 0]:
        answer = find_answer(index, item, hashes, regions[item, 0], regions[item, 1])
    best, previous = matches.scores[item], matches.overlaps[item, 0] + matches.overlaps[item, 1]
    if score < best:
        return
    if score == best and question + answer <= previous:
        keep_other(matches.others[item], document)
        return
    if score > best:
        matches.others[item, :] = -1
    else:
        keep_other(matches.others[item], matches.documents[item])
    matches.scores[item] = score
    matches.overlaps[item, 0], matches.overlaps[item, 1] = question, answer
    matches.documents[item] = document
    for number in range(first_word, last_word):
        matches.matched[number] = marks[number] == document


@compile_loop
def keep_other(others: Ints, document: Any) -> None:
    """Keep a document that is as good as the best, if there is room."""
    for place in range(others.size):
        if others[place] < 0:
            others[place] = document
            return


@compile_loop
def unmark_repetitions(
    index: Index,
    first: Integer,
    last: Integer,
    hashes: Hashes,
    span: Ints,
    document: Integer,
    marks: Ints,
    left_over: Ints,
) -> float:
    """Unmark words that the item repeats more often than the matched part of the document; return their weight.

    Without this, several places of the item match the same words of the document.
    """
    lost = 0.0
    for number in range(first, last):
        word = index.firsts[number]
        if word == number:
            left_over[word] = -1
        elif marks[number] == document:
            if left_over[word] < 0:
                left_over[word] = -1 if marks[word] == document else 0
                for at in range(span[0], span[1]):
                    left_over[word] += hashes[at] == index.words[word]
            if left_over[word] <= 0:
                marks[number] = -1
                lost += index.weights[number]
            else:
                left_over[word] -= 1
    return lost


@compile_loop
def reaches_ends(marks: Ints, document: Integer) -> bool:
    """Return whether the match of a short text begins and ends where the text does, which few chance phrases do."""
    if marks.size >= LONG_WORDS:
        return True
    first, last = 0, marks.size
    while first < last and marks[first] != document:
        first += 1
    while last > first and marks[last - 1] != document:
        last -= 1
    return last > first and marks.size - (last - first) <= marks.size // END_WORDS


@compile_loop(forceinline=True)
def share_of(part: Integer, total: Integer) -> float:
    """Return a share of at most 1, 0 of nothing."""
    return min(part / total, 1.0) if total > 0 else 0.0


@compile_loop(forceinline=True)
def score_item(question: float, answer: float, required: Array, against: Integer) -> float:
    """Return the larger of the overlaps that count, 0 if neither is large enough."""
    score = 0.0
    if against != ANSWER and question >= required[0]:
        score = question
    if against != TEXT and answer >= required[1]:
        score = max(score, answer)
    return score


@compile_loop
def find_answer(index: Index, item: Integer, hashes: Hashes, left: Integer, right: Integer) -> float:
    """Return 1 if a short answer is verbatim near the question, else 0."""
    start, size = index.middles[item], index.starts[item + 1] - index.middles[item]
    reach = min(ANSWER_DISTANCE, WORD_DISTANCE * size)
    for at in range(max(0, left - reach), min(hashes.size, right + reach) - size + 1):
        if left - size < at < right:
            continue
        same = 0
        while same < size and hashes[at + same] == index.words[start + same]:
            same += 1
        if same == size:
            return 1.0
    return 0.0
