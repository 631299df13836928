"""Options and answers: lists, objects or columns of options; answers as numbers, letters or the text of an option."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeGuard

from assay.base.errors import AssayError, join_names
from assay.kinds.tools.cells import parse_cell, to_text
from assay.wording.letters import N_LETTERS, name_letter, number_letter, parse_count

if TYPE_CHECKING:
    from assay.data.columns.lookup import Columns

Options = Sequence[Sequence[str]]
Cells = Sequence[str | None]
Reading = Callable[[int, str], int | None]  # the row and the cell; the number of the option

_LETTER = re.compile(r"^[(\[]?([A-Za-z])[)\].:](\s.*)?$", re.DOTALL)
_NO_DIGITS = re.compile(r"\D")
_LONE_LETTER = re.compile(r"^[(\[]?([A-Za-z])[)\].:]?$")
MISSING_ANSWER = "NA"
MARKED_SHARE = 0.95  # of the questions; if more have letters in front of their options, the letters are removed


@dataclass(frozen=True)
class AnswerKey:
    """The letter of every right option, how answers were written, and the rows whose answer is none of the options."""

    letters: list[str | None]
    written: str
    unknown: list[int]

    def describe(self, ids: Sequence[str]) -> list[str]:
        """Return notes on how answers are written, and on those that are none of the options."""
        notes = [f"answers are {self.written}"]
        if self.unknown:
            shown = join_names([ids[row] for row in self.unknown], 3)
            notes.append(f"{len(self.unknown):,} answers are none of the options ({shown}); left out of label measures")
        return notes


def read_options(
    columns: Columns, names: Sequence[str], place: object
) -> tuple[list[list[str]], list[list[str]] | None, int | None]:
    """Return the options of every row, their own labels if they have any, and the number of the first column."""
    if len(names) == 1:
        options, labels = _read_lists(columns[names[0]].to_list(), names[0], place)
        return options, labels, None
    cells = [columns[name].to_list() for name in names]
    rows = [_strip_end([cell or "" for cell in row]) for row in zip(*cells, strict=True)]
    number = parse_count(_NO_DIGITS.sub("", names[0]))
    return rows, None, number


def _strip_end(options: list[str]) -> list[str]:
    while options and not options[-1]:
        options.pop()
    return options


def _read_lists(cells: Cells, name: str, place: object) -> tuple[list[list[str]], list[list[str]] | None]:
    options: list[list[str]] = []
    labels: list[list[str]] = []
    has_lines = False
    for row, cell in enumerate(cells):
        value = parse_cell(cell)
        if value is None and cell:
            lines = split_lines(cell)
            has_lines |= lines is not None
            value = lines or ([part.strip() for part in cell.split("|")] if "|" in cell else None)
            if value is None and has_lines:
                value = cell.strip().splitlines()
        if value is None and not cell:
            value = []
        texts, names = _read_value(value)
        if texts is None:
            fact = f"column '{name}' holds no list of options"
            raise AssayError(fact, place=f"{place}, row {row + 1}", hint="Name the options with {choices}.")
        options.append(texts)
        labels.append(names)
    marked = [are_marked(row) for row in options]
    if not any(labels) and sum(marked) > MARKED_SHARE * sum(map(bool, options)):
        options = [remove_marks(row) if is_marked else row for row, is_marked in zip(options, marked, strict=True)]
    return options, labels if any(labels) else None


def split_lines(cell: str) -> list[str] | None:
    r"""Return the lines of a cell, if they are options with letters in front; an option may have several lines.

    >>> split_lines("A. red\nor pink\nB. blue"), split_lines("A. red"), split_lines("A line\nB line")
    (['A. red\nor pink', 'B. blue'], None, None)
    """
    options: list[str] = []
    for line in cell.strip().splitlines():
        match = _LETTER.match(line.strip())
        if match and match[1].upper() == name_letter(len(options)):
            options.append(line.strip())
        elif options:
            options[-1] += f"\n{line.strip()}"
        else:
            return None
    return options if len(options) > 1 else None


def remove_marks(options: Sequence[str]) -> list[str]:
    """Return options without the letters in front of them.

    >>> remove_marks(["A. red", "b) blue"])
    ['red', 'blue']
    """
    return [_LETTER.sub(r"\2", text.strip()).strip() for text in options]


def are_marked(options: Sequence[str]) -> bool:
    """Return whether options have their letters in front, in order, with the text behind them.

    >>> are_marked(["A. red", "b) blue"]), are_marked(["A.", "B."]), are_marked(["red", "B. blue"])
    (True, False, False)
    """
    return len(options) > 1 and all(
        (match := _LETTER.match(text.strip())) is not None
        and (match[2] or "").strip()
        and match[1].upper() == name_letter(number)
        for number, text in enumerate(options)
    )


def _read_value(value: object) -> tuple[list[str] | None, list[str]]:
    """Return the texts and the labels of options written as a list, as {text, label}, or as a list of such objects."""
    if isinstance(value, dict):
        texts = next((value[key] for key in ("text", "texts", "choices", "options") if key in value), None)
        if texts is None and all(isinstance(text, (str, int, float)) for text in value.values()):
            return [to_text(text) for text in value.values()], [str(key) for key in value]  # {"A": "…", "B": "…"}
        names: list[Any] = next((value[key] for key in ("label", "labels", "key") if key in value), [])
        return (None, []) if not isinstance(texts, list) else ([to_text(text) for text in texts], list(map(str, names)))
    if not isinstance(value, list):
        return None, []
    if value and all(isinstance(each, dict) and "text" in each for each in value):
        return [to_text(each["text"]) for each in value], [str(each.get("label", "")) for each in value]
    return [to_text(each) for each in value], []


def number_answers(cells: Cells, options: Options, labels: Options | None, first_number: int | None) -> AnswerKey:
    """Find out how answers are written, and return the letter of each.

    Ways that fit all rows are preferred in this order: the options' own labels, letters, numbers, texts. Numbers count
    from 0, or from 1 if one equals the number of options; in doubt as the columns of options do.

    >>> number_answers(["1", "2"], [["x", "y"], ["x", "y"]], None, None).letters
    ['A', 'B']
    >>> number_answers(["y", "x"], [["x", "y"], ["x", "y"]], None, None).written
    'the text of an option'
    """
    ways = _list_ways(cells, options, labels, first_number)
    read = {name: [None if cell is None else way(row, cell) for row, cell in enumerate(cells)] for name, way in ways}
    known = [row for row, cell in enumerate(cells) if cell is not None]
    best = max(read, key=lambda name: sum(read[name][row] is not None for row in known))
    numbers = read[best]
    unknown = [row for row in known if numbers[row] is None]
    letters = [None if number is None else name_letter(number) for number in numbers]
    return AnswerKey(letters, best, unknown)


def _list_ways(
    cells: Cells, options: Options, labels: Options | None, first_number: int | None
) -> list[tuple[str, Reading]]:
    ways: list[tuple[str, Reading]] = []
    if labels is not None:
        ways.append(("the labels of the options", lambda row, cell: _find_equal(cell, labels[row])))
    ways.append(("letters", lambda row, cell: _read_name(cell, len(options[row]))))
    start = _find_start(cells, options, first_number)
    ways.append((f"numbers from {start}", lambda row, cell: _read_number(cell, len(options[row]), start)))
    ways.append(("the text of an option", lambda row, cell: _find_equal(cell, options[row])))
    ways.append(("letters in front of a text", lambda row, cell: _read_letter(cell, len(options[row]))))
    return ways


def _find_start(cells: Cells, options: Options, first_number: int | None) -> int:
    pairs = [(parse_count(cell or ""), len(row)) for cell, row in zip(cells, options, strict=True)]
    if any(number == 0 for number, _ in pairs):
        return 0
    if any(number == count for number, count in pairs):
        return 1
    return 1 if first_number == 1 else 0


def _find_equal(cell: str, names: Sequence[str]) -> int | None:
    """Return the option with this text; ignoring case only if no option is written in the same way.

    >>> _find_equal("bb", ["BB", "Bb", "bb"]), _find_equal("paris", ["Rome", "Paris"])
    (2, 1)
    """
    wanted = cell.strip()
    exact = next((number for number, name in enumerate(names) if name.strip() == wanted), None)
    if exact is not None:
        return exact
    return next((number for number, name in enumerate(names) if name.strip().casefold() == wanted.casefold()), None)


def _read_letter(cell: str, n_options: int, pattern: re.Pattern[str] = _LETTER) -> int | None:
    match = pattern.match(cell.strip())
    number = number_letter(match[1].upper()) if match else n_options
    return number if number < n_options else None


def _read_name(cell: str, n_options: int) -> int | None:
    """Read a letter, or a number of an option that has none because there are more than letters."""
    number = _read_number(cell, n_options, 1)
    return number if number is not None and number >= N_LETTERS else _read_letter(cell, n_options, _LONE_LETTER)


def _read_number(cell: str, n_options: int, start: int) -> int | None:
    text = cell.strip().removesuffix(".0")
    number = parse_count(text)
    return number - start if number is not None and 0 <= number - start < n_options else None


def read_letters(answers: Cells, options: Options, raw_gold: Cells, gold: Cells) -> list[str | None]:
    """Return the letters of the options that answers name; an answer that names none is kept and so is wrong.

    Letters come first, also in front of text ("B. Paris"), then numbers in the way gold counts, then texts; texts come
    first if every answer is the text of an option and not every one a letter or number.

    >>> read_letters(["b", "(A)", "Paris", "?"], [["Rome", "Paris"]] * 4, ["1"] * 4, ["B"] * 4)
    ['B', 'A', 'B', '?']
    >>> read_letters(["7", "1"], [["7", "8"], ["3", "1"]], ["0", "1"], ["A", "B"])
    ['A', 'B']
    >>> read_letters(["2", "B"], [["x", "y"], ["x", "y"]], ["1", "A"], ["A", "A"])
    ['B', 'B']
    """
    starts = _find_gold_starts(raw_gold, gold)
    rows = [(row, answer.strip()) for row, answer in enumerate(answers) if _is_answer(answer, options[row])]

    def read_short(row: int, answer: str) -> int | None:
        number = _read_letter(answer, len(options[row]), _LONE_LETTER)
        start = starts[row]
        return _read_number(answer, len(options[row]), start) if number is None and start is not None else number

    ways: list[Reading] = [
        read_short,
        lambda row, answer: _find_equal(answer, options[row]),
        lambda row, answer: _read_letter(answer, len(options[row])),
    ]
    if not _fits(read_short, rows) and _fits(ways[1], rows):
        ways = [ways[1]]
    letters: list[str | None] = ["" if answer == "" else None for answer in answers]
    for row, answer in rows:
        number = next((number for way in ways if (number := way(row, answer)) is not None), None)
        letters[row] = answers[row] if number is None else name_letter(number)
    return letters


def _is_answer(answer: str | None, options: Sequence[str]) -> TypeGuard[str]:
    return bool(answer) and (answer != MISSING_ANSWER or answer in options)


def _fits(way: Reading, rows: Sequence[tuple[int, str]]) -> bool:
    return all(way(row, answer) is not None for row, answer in rows)


def _find_gold_starts(raw_gold: Cells, gold: Cells) -> list[int | None]:
    """Return the number of the first option of every question, None if its gold is not written in numbers.

    Some questions may have numbers and the others letters; numbers all count from the same one.
    """
    starts: list[int | None] = [None] * len(raw_gold)
    are_names = True
    for row, (raw, letter) in enumerate(zip(raw_gold, gold, strict=True)):
        if raw is None or letter is None:
            continue
        number = parse_count(raw)
        if number is not None:
            starts[row] = number - number_letter(letter)
        are_names &= number is not None or raw.strip().upper() == letter
    known = {start for start in starts if start is not None}
    if len(known) != 1 or not known <= {0, 1} or not are_names:
        return [None] * len(raw_gold)
    is_mixed = any(start is None and raw is not None for start, raw in zip(starts, raw_gold, strict=True))
    return starts if is_mixed else [known.pop()] * len(raw_gold)
