"""Figures of a multiple-choice dataset: options per question, positions of the right option, and defective options."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from assay.kinds.facts import Defect, Distribution, Figure, KindProfile, count_defect, count_values
from assay.wording.letters import name_letter, number_letter

if TYPE_CHECKING:
    from assay.data import Dataset

_CATCH_ALL = re.compile(
    r"\b(all|none|both|neither|any) of the above\b"
    r"|^\W*(all|none|both|neither|any) of (the )?(above|these|them|those)( \w+){0,2}\W*$"
    r"|^(both )?\(?[A-E]\)?,? (and|or) \(?[A-E]\)?\.?$",
    re.I,
)


def describe_options(data: Dataset) -> KindProfile:
    """Return figures, the position of the key and the length of the right option, and defects."""
    options = data.fields["choices"].to_list()
    counts = [len(row) for row in options]
    key = [None] * len(data) if data.labels is None else data.labels.to_list()
    places = [None if letter is None else number_letter(letter) for letter in key]
    pairs = [(row, place) for row, place in zip(options, places, strict=True) if place is not None and place < len(row)]
    figures = [Figure("options per question", sum(counts) / max(len(counts), 1))]
    words = [len(option.split()) for row in options for option in row]
    figures += [Figure("words per option", sum(words) / max(len(words), 1))]
    if pairs:
        figures += _compare_lengths(pairs)
    distributions = [Distribution("options per question", count_values(counts))]
    if pairs:
        distributions.append(count_positions(pairs))
    return KindProfile(tuple(figures), tuple(distributions), tuple(find_defects(data, options)))


def count_positions(pairs: list[tuple[list[str], int]]) -> Distribution:
    """Count the letters of the right options, next to what questions with as many options give on average.

    >>> count_positions([(["x", "y"], 0), (["x", "y"], 0)])
    Distribution(name='position of the key', counts={'A': 2, 'B': 0}, expected={'A': 1.0, 'B': 1.0})
    """
    width = max(len(row) for row, _ in pairs)
    counts = {name_letter(number): 0 for number in range(width)}
    expected = {name_letter(number): 0.0 for number in range(width)}
    for row, place in pairs:
        counts[name_letter(place)] += 1
        for number in range(len(row)):
            expected[name_letter(number)] += 1 / len(row)
    return Distribution("position of the key", counts, expected)


def _compare_lengths(pairs: list[tuple[list[str], int]]) -> list[Figure]:
    """Return how often the one longest option is right, and how often it would be by chance."""
    longest = [(find_longest(row), place, len(row)) for row, place in pairs]
    decided = [(number == place, 1 / count) for number, place, count in longest if number is not None]
    if not decided:
        return []
    right = sum(is_right for is_right, _ in decided) / len(decided)
    chance = sum(share for _, share in decided) / len(decided)
    return [
        Figure("longest option is right", right, is_share=True),
        Figure("longest option is right, by chance", chance, is_share=True),
    ]


def find_longest(options: list[str]) -> int | None:
    """Return the number of the longest option in characters, None if two are equally long.

    >>> find_longest(["a", "abc", "ab"]), find_longest(["ab", "cd"])
    (1, None)
    """
    lengths = [len(option) for option in options]
    top = max(lengths, default=0)
    return lengths.index(top) if lengths.count(top) == 1 else None


def fold_option(option: str) -> str:
    """Return an option as it is compared: spaces made one, and words in lower case, but not symbols.

    >>> fold_option("END of  Bb"), fold_option("OF"), fold_option("AaBb"), fold_option("AABB")
    ('end of Bb', 'OF', 'AaBb', 'AABB')
    """
    words = option.split()
    in_words = any(map(_is_word, words))
    return " ".join(
        word.casefold() if _is_word(word) or (in_words and len(word) <= 2 and word.isupper()) else word
        for word in words
    )


def _is_word(text: str) -> bool:
    """Return whether a text is a word of three letters or more: no unit, and no genotype such as AaBb."""
    pairs = zip(text[::2].casefold(), text[1::2].casefold(), strict=False)
    doubled = len(text) % 2 == 0 and all(first == second for first, second in pairs)
    return len(text) > 2 and (text.isupper() or text[1:].islower()) and not doubled


def find_defects(data: Dataset, options: list[list[str]]) -> list[Defect]:
    """Return questions with equal options, with empty ones, with fewer than two, and with catch-all options."""
    ids = data.ids.to_list()
    folded = [[fold_option(option) for option in row] for row in options]
    filled = [[option for option in row if option] for row in folded]
    answers = data.fields["answer"].to_list() if "answer" in data.fields else [None] * len(data)
    labels = [None] * len(data) if data.labels is None else data.labels.to_list()
    return [
        *count_defect(
            "unknown answers",
            "have a gold answer that is none of the options",
            "Correct the answers: these questions are left out of every score.",
            [bool(answer) and label is None for answer, label in zip(answers, labels, strict=True)],
            ids,
        ),
        *count_defect(
            "duplicate options",
            "have two options with the same text",
            "Replace one of the equal options: if one of them is right, a right answer can be counted as wrong.",
            [len(set(row)) < len(row) for row in filled],
            ids,
        ),
        *count_defect(
            "empty options",
            "have an option without text",
            "Fill the empty options, or remove them.",
            [len(row) < len(whole) for row, whole in zip(filled, folded, strict=True)],
            ids,
        ),
        *count_defect(
            "too few options",
            "have fewer than two options",
            "Add options, or remove the questions.",
            [len(row) < 2 for row in folded],
            ids,
        ),
        *count_defect(
            "catch-all options",
            "have an option such as \u201call of the above\u201d, which depends on the order of the options",
            "Reword them, and never shuffle the options of these questions.",
            [any(_CATCH_ALL.search(option) for option in row) for row in options],
            ids,
            serious=False,
        ),
    ]
