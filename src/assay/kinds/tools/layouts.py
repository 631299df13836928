"""Layouts of public benchmarks whose columns are not yet text, options and answer, turned into such columns."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import polars as pl

from assay.data.columns.names import LABEL_NAMES, normalise_name
from assay.data.columns.table import RawTable
from assay.kinds.tools.cells import parse_cell, parse_list, to_text
from assay.system.json import JsonObject

MAX_WRONG_OPTIONS = 25
MAX_QUESTION_TYPES = 5
RIGHT_NAMES = ("correctanswer", "rightanswer", "bestanswer", "correctoption")
WRONG_PATTERNS = ("distractor#", "incorrectanswer#", "wronganswer#")
WRONG_LISTS = ("incorrectanswers", "distractors", "wronganswers")
PROMPT_NAMES = ("prompt", "instruction", "question")
PROMPT_CHATS = ("prompt", "messages", "conversation", "conversations", "turns", "input", "inputs", "dialogue", "chat")
FULL_CHATS = ("messages", "conversation", "conversations", "chat")  # the last message may be the answer
RESPONSE_CHATS = ("chosen", "rejected", "response")
ANSWER_NAMES = ("answer", "answers", "ideal", "reference", "references", "completion", "output", "solution")
ASSISTANTS = {"assistant", "gpt", "model", "bot", "chatgpt"}
SPEAKER_KEYS = (("role", "content"), ("from", "value"))


@dataclass(frozen=True)
class UnfoldedColumns:
    """New columns that replace others (lists are written as JSON), and a note if something was decided."""

    replaced: tuple[str, ...]
    columns: Mapping[str, Sequence[str | None]]
    lists: tuple[str, ...] = ()
    note: str = ""


def unfold_layouts(table: RawTable, named: Collection[str]) -> RawTable:
    """Return the table with the columns of known layouts unfolded; columns that the user names stay as they are.

    >>> from assay.data.columns.table import RawTable
    >>> cell = '{"stem": "1 + 1?", "choices": [{"label": "A", "text": "2"}]}'
    >>> unfold_layouts(RawTable(pl.DataFrame({"question": [cell]}), nested={"question": "objects"}), ()).frame.columns
    ['question', 'choices']
    """
    for find in LAYOUTS:
        layout = find(table)
        if layout is None or {name.lower() for name in layout.replaced} & {name.lower() for name in named}:
            continue
        new = [pl.Series(name, cells, dtype=pl.String) for name, cells in layout.columns.items()]
        kept = [name for name in table.frame.columns if name not in (*layout.replaced, *layout.columns)]
        nested = {name: content for name, content in table.nested.items() if name in kept}
        table = replace(
            table,
            frame=pl.DataFrame([*new, *table.frame.select(kept).get_columns()]),
            nested=nested | dict.fromkeys(layout.lists, "lists"),
            notes=(*table.notes, layout.note) if layout.note else table.notes,
        )
    return table


def _unfold_question(table: RawTable) -> UnfoldedColumns | None:
    """ARC, CommonsenseQA: the question is an object of stem and choices."""
    for name in _find(table, ("question",), nested=True):
        objects = _read_objects(table, name, {"stem", "choices"})
        if objects is not None:
            choices = [json.dumps(each["choices"], ensure_ascii=False) for each in objects]
            stems = [to_text(each["stem"]) for each in objects]
            return UnfoldedColumns((name,), {"question": stems, "choices": choices}, lists=("choices",))
    return None


def _unfold_translation(table: RawTable) -> UnfoldedColumns | None:
    """WMT: one object with a text in each of two languages."""
    for name in _find(table, ("translation",), nested=True):
        objects = _read_objects(table, name, set())
        languages = list(objects[0]) if objects else []
        if objects is None or len(languages) != 2 or any(set(each) != set(languages) for each in objects):
            continue
        columns = {
            role: [to_text(each[language]) for each in objects]
            for role, language in zip(("source", "reference"), languages, strict=True)
        }
        note = f"column '{name}': the source is {languages[0]}, the reference {languages[1]}"
        return UnfoldedColumns((name,), columns, note=note)
    return None


def _unfold_targets(table: RawTable) -> UnfoldedColumns | None:
    """TruthfulQA: options with a 1 for the right one and 0 for the others."""
    for name in _find(table, ("mc1targets", "multiplechoicetargets"), nested=True):
        objects = _read_objects(table, name, {"choices", "labels"})
        if objects is None or any(list(each["labels"]).count(1) != 1 for each in objects):
            continue
        choices = [json.dumps(each["choices"], ensure_ascii=False) for each in objects]
        answers = [str(list(each["labels"]).index(1)) for each in objects]
        return UnfoldedColumns((name,), {"choices": choices, "answer": answers}, lists=("choices",))
    return None


def _unfold_aliases(table: RawTable) -> UnfoldedColumns | None:
    """TriviaQA: the answer is an object of a value and its aliases."""
    for name in _find(table, ("answer",), nested=True):
        objects = _read_objects(table, name, {"value", "aliases"})
        if objects is not None:
            answers = [json.dumps(_unique([each["value"], *each["aliases"]]), ensure_ascii=False) for each in objects]
            return UnfoldedColumns((name,), {"answer": answers}, lists=("answer",))
    return None


def _unfold_chats(table: RawTable) -> UnfoldedColumns | None:
    """Chats as lists of messages: the last message, and what was said before it if there is no prompt.

    A first message that all rows share, such as instructions, is left out of the prompt. If a chat ends with an answer
    of the assistant and no column has answers, that is the reference.
    """
    columns: dict[str, Sequence[str | None]] = {}
    replaced, notes = [], []
    for name in _find(table, (*PROMPT_CHATS, *RESPONSE_CHATS), nested=True):
        chats = [chat for cell in table.frame[name].to_list() if (chat := _read_chat(cell)) is not None]
        if len(chats) < len(table.frame):
            continue
        replaced.append(name)
        if normalise_name(name) in RESPONSE_CHATS:
            columns[name] = [chat[-1] if chat else "" for chat in chats]
            if normalise_name(name) == "chosen" and "prompt" not in columns and not _find(table, PROMPT_NAMES):
                columns["prompt"] = ["\n".join(chat[:-1]) for chat in chats]
            continue
        if len(chats) > 1 and all(len(chat) > 1 and chat[0] == chats[0][0] for chat in chats):
            chats = [chat[1:] for chat in chats]
            notes.append(f"the first message of '{name}', the same in all rows, is left out")
        if normalise_name(name) in FULL_CHATS and not _has_answers(table) and _end_with_answers(table, name):
            columns["response"] = [chat[-1] for chat in chats]
            chats = [chat[:-1] for chat in chats]
            notes.append(f"the last message of '{name}' is the reference")
        columns["prompt"] = ["\n".join(chat) for chat in chats]
    return UnfoldedColumns(tuple(replaced), columns, note="; ".join(notes)) if columns else None


def _end_with_answers(table: RawTable, name: str) -> bool:
    """Return whether every chat of a column has several messages and ends with one of the assistant."""
    for cell in table.frame[name].to_list():
        messages = parse_cell(cell)
        last = messages[-1] if isinstance(messages, list) and len(messages) > 1 else None
        speakers = {str(last.get(key, "")).lower() for key, _ in SPEAKER_KEYS} if isinstance(last, dict) else set()
        if not speakers & ASSISTANTS:
            return False
    return True


def _has_answers(table: RawTable) -> bool:
    names = {normalise_name(name) for name in table.frame.columns}
    return bool(names & {*RESPONSE_CHATS, *ANSWER_NAMES, *(name for row in LABEL_NAMES for name in row)})


def _unfold_right_and_wrong(table: RawTable) -> UnfoldedColumns | None:
    """GPQA, SciQ: a column for the right option, and columns or a list for the wrong ones."""
    rights = _find(table, RIGHT_NAMES)
    if not rights:
        return None
    right = table.frame[rights[0]].to_list()
    wrong_names = next((names for pattern in WRONG_PATTERNS if (names := _follow(table, pattern))), ())
    lists = _find(table, WRONG_LISTS, nested=True)
    if wrong_names:
        wrong = list(zip(*(table.frame[name].to_list() for name in wrong_names), strict=True))
    elif lists:
        wrong = [tuple(parse_list(cell) or ()) for cell in table.frame[lists[0]].to_list()]
        wrong_names = (lists[0],)
    else:
        return None
    choices = [
        json.dumps(sorted(option for option in (answer, *others) if option), ensure_ascii=False)
        for answer, others in zip(right, wrong, strict=True)
    ]
    note = "the options are in alphabetical order: the data does not say in which order they are shown"
    return UnfoldedColumns(
        (rights[0], *wrong_names), {"choices": choices, "answer": right}, lists=("choices",), note=note
    )


def _join_instructions(table: RawTable) -> UnfoldedColumns | None:
    """Alpaca: an instruction, and an input that may be empty."""
    return _join_columns(
        table,
        ("instruction",),
        ("input",),
        ("output", "response", "chosen", "responsea", "response1", "outputa", "output1"),
    )


def _join_question_types(table: RawTable) -> UnfoldedColumns | None:
    """COPA: the question is one of a few types (cause, effect), and the premise is the text."""
    for name in _find(table, ("question",)) if _find(table, ("premise",)) else ():
        types, n_rows = table.frame[name].n_unique(), len(table.frame)
        if types <= MAX_QUESTION_TYPES and 10 * types < n_rows:
            return _join_columns(table, ("premise",), ("question",), ("choice1", "choices", "option1"))
    return None


def _join_columns(
    table: RawTable, firsts: Iterable[str], seconds: Iterable[str], others: Iterable[str]
) -> UnfoldedColumns | None:
    """Join two columns of text if one of some others is next to them."""
    first, second = _find(table, firsts), _find(table, seconds)
    if not first or not second or not (_find(table, others) or _find(table, others, nested=True)):
        return None
    pairs = zip(table.frame[first[0]].to_list(), table.frame[second[0]].to_list(), strict=True)
    joined = ["\n".join(text for text in pair if text) for pair in pairs]
    note = f"the text is column '{first[0]}' followed by column '{second[0]}'"
    return UnfoldedColumns((first[0], second[0]), {first[0]: joined}, note=note)


LAYOUTS: tuple[Callable[[RawTable], UnfoldedColumns | None], ...] = (
    _unfold_question,
    _unfold_translation,
    _unfold_targets,
    _unfold_aliases,
    _unfold_chats,
    _unfold_right_and_wrong,
    _join_instructions,
    _join_question_types,
)


def _find(table: RawTable, names: Iterable[str], *, nested: bool = False) -> list[str]:
    """Return the columns with one of some names that hold lists or objects, or that hold text."""
    wanted = list(names)
    found = [name for name in table.frame.columns if normalise_name(name) in wanted]
    found = [name for name in found if (name in table.nested) == nested and (nested or _has_text(table, name))]
    return sorted(found, key=lambda name: wanted.index(normalise_name(name)))


def _has_text(table: RawTable, name: str) -> bool:
    return bool((table.frame[name].str.len_bytes() > 0).any())


def _follow(table: RawTable, pattern: str) -> tuple[str, ...]:
    """Return the columns named by a pattern with the numbers from 1."""
    names: list[str] = []
    for number in range(1, MAX_WRONG_OPTIONS):
        found = _find(table, (pattern.replace("#", str(number)),))
        if not found:
            break
        names.append(found[0])
    return tuple(names)


def _read_objects(table: RawTable, name: str, keys: set[str]) -> list[JsonObject] | None:
    """Return the objects of a column; None if a cell holds none, or not all keys."""
    objects = []
    for cell in table.frame[name].to_list():
        value = parse_cell(cell)
        if not isinstance(value, dict) or not keys <= set(value):
            return None
        objects.append(value)
    return objects


def _read_chat(cell: str | None) -> list[str] | None:
    """Return the messages of a chat, or the texts of a list; None if the cell holds neither."""
    value = parse_cell(cell)
    if not isinstance(value, list):
        return None
    if all(isinstance(each, str) for each in value):
        return value
    for speaker, content in SPEAKER_KEYS:
        if all(isinstance(each, dict) and {speaker, content} <= set(each) for each in value):
            return [to_text(each[content]) for each in value]
    return None


def _unique(values: Iterable[object]) -> list[str]:
    return list(dict.fromkeys(to_text(value) for value in values))
