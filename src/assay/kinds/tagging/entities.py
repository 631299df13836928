"""Entities of tag sequences, counted as conlleval and seqeval do, in arrays over all sentences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from assay.base.arrays import Array
from assay.kinds.tools.remembering import remember_last

if TYPE_CHECKING:
    import polars as pl

    from assay.data import Dataset

# Prefixes in the order of their numbers; L and U of BILOU are E and S of BIOES.
_PREFIXES = "OBIES"
_ALIASES = {"L": "E", "U": "S"}
_O, _B, _I, _E, _S = range(5)
Span = tuple[int, int, str]


@dataclass(frozen=True, eq=False)
class FlatTags:
    """The prefix and the type of every tag, all sentences in a row with an O after each."""

    prefixes: Array
    types: Array


class TagCodes:
    """Numbers for tags: their prefix, and their type in the order of appearance."""

    def __init__(self) -> None:
        self.types: dict[str, int] = {"": 0}
        self._known: dict[str, tuple[int, int]] = {}

    def encode(self, tag: str) -> tuple[int, int]:
        """Return the numbers of prefix and type."""
        if tag not in self._known:
            prefix, _, kind = tag.partition("-")
            prefix = _ALIASES.get(prefix, prefix)
            if prefix == "O" or prefix not in _PREFIXES or len(prefix) != 1:
                self._known[tag] = _O, 0
            else:
                kind = kind or "_"
                self._known[tag] = _PREFIXES.index(prefix), self.types.setdefault(kind, len(self.types))
        return self._known[tag]

    def flatten(self, sequences: Iterable[Sequence[str]]) -> FlatTags:
        """Put sequences in a row, each with an O after it."""
        codes: dict[str, tuple[int, int]] = {}
        flat: list[tuple[int, int]] = []
        outside = (_O, 0)
        for sequence in sequences:
            for tag in sequence:
                code = codes.get(tag)
                if code is None:
                    code = codes[tag] = self.encode(tag)
                flat.append(code)
            flat.append(outside)
        table = np.array(flat, dtype=np.int64).reshape(-1, 2)
        return FlatTags(table[:, 0], table[:, 1])


def find_spans(tags: FlatTags) -> tuple[Array, Array, Array]:
    """Return start, end (inclusive) and type of every entity: where a tag begins one, and where the next ends it."""
    now, kinds = tags.prefixes, tags.types
    before, kinds_before = np.concatenate([[_O], now[:-1]]), np.concatenate([[0], kinds[:-1]])
    changed = kinds_before != kinds
    closed = np.isin(before, (_O, _E, _S))
    starts = (now == _B) | (now == _S) | (np.isin(now, (_I, _E)) & closed) | ((now != _O) & changed)
    ends = np.isin(before, (_E, _S)) | (np.isin(before, (_B, _I)) & np.isin(now, (_B, _S, _O)))
    ends |= (before != _O) & changed
    last = np.flatnonzero(ends) - 1
    first = np.flatnonzero(starts)
    chosen = first[np.searchsorted(first, last, side="right") - 1] if len(first) else last
    return chosen, last, kinds[last] if len(last) else kinds[:0]


def list_entities(sequences: Sequence[Sequence[str] | None]) -> list[list[Span]]:
    """Return the entities of every sequence: start, end (inclusive), type.

    >>> list_entities([["B-per", "I-per", "O", "I-loc"], ["S-loc", "O"]])
    [[(0, 1, 'per'), (3, 3, 'loc')], [(0, 0, 'loc')]]
    """
    codes = TagCodes()
    filled = [sequence or () for sequence in sequences]
    starts, ends, kinds = find_spans(codes.flatten(filled))
    names = list(codes.types)
    offsets = np.concatenate([[0], np.cumsum([len(sequence) + 1 for sequence in filled])])
    rows = np.searchsorted(offsets, starts, side="right") - 1
    entities: list[list[Span]] = [[] for _ in filled]
    for row, start, end, kind in zip(rows.tolist(), starts.tolist(), ends.tolist(), kinds.tolist(), strict=True):
        entities[row].append((start - int(offsets[row]), end - int(offsets[row]), names[kind]))
    return entities


def describe_entities(answers: Sequence[str | None], texts: Sequence[str | None]) -> list[str | None]:
    """Write tags as the words of the entities with their types; if the words are not known, the types alone.

    >>> describe_entities(["B-per I-per O B-loc", "O O", None, "B-loc"], ["Ada Lovelace in London", "no one", "x", None])
    ['Ada Lovelace (per), London (loc)', 'no entity', None, '(loc)']
    """
    described: list[str | None] = []
    entities = list_entities([None if answer is None else answer.split() for answer in answers])
    for answer, text, spans in zip(answers, texts, entities, strict=True):
        words = (text or "").split(" ")
        names = [f"{' '.join(words[start : end + 1])} ({kind})".strip() for start, end, kind in spans]
        described.append(None if answer is None else ", ".join(names) or "no entity")
    return described


def align_tags(data: Dataset, answers: Sequence[str | None]) -> tuple[list[list[str]], list[list[str]]]:
    """Return gold and predicted tags of equal length: missing tags are O, and those that are too many are left out.

    An empty answer has no tags at all, not even O.
    """
    gold = [tags or [] for tags in data.fields["tags"].to_list()]
    return gold, [_fit_tags(answer, len(tags)) for tags, answer in zip(gold, answers, strict=True)]


def _fit_tags(answer: str | None, length: int) -> list[str]:
    cells = answer.split() if answer else []
    if not cells:
        return [NO_TAG] * length
    return cells[:length] + ["O"] * (length - len(cells))


NO_TAG = "(none)"  # of an empty answer; equal to no tag of gold


@dataclass(frozen=True, eq=False)
class CodedTags:
    """Tags of all sentences in a row as numbers of `names`, and where each sentence begins, with the end."""

    codes: Array
    starts: Array
    names: dict[str, int]

    @property
    def rows(self) -> Array:
        """The sentence of every tag."""
        return np.repeat(np.arange(len(self.starts) - 1), np.diff(self.starts))

    def flatten(self, codes: TagCodes) -> FlatTags:
        """Return prefixes and types, with an O after each sentence."""
        table = np.array([codes.encode(name) for name in self.names] or [(_O, 0)], dtype=np.int64)
        flat = np.zeros((len(self.codes) + len(self.starts) - 1, 2), dtype=np.int64)
        flat[np.arange(len(self.codes)) + self.rows] = table[self.codes]
        return FlatTags(flat[:, 0], flat[:, 1])


@remember_last
def code_gold(data: Dataset) -> CodedTags:
    """Number the gold tags."""
    lists = data.fields["tags"]
    names: dict[str, int] = {}
    flat = [names.setdefault(tag, len(names)) for row in lists.to_list() for tag in row or ()]
    lengths = lists.list.len().fill_null(0).to_numpy()
    return CodedTags(np.array(flat, dtype=np.int64), np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64), names)


def code_answers(answers: Sequence[str | None], gold: CodedTags) -> CodedTags:
    """Number the tags of answers, as many as gold has; tags of gold keep their numbers."""
    import polars as pl

    lengths = np.diff(gold.starts)
    column = pl.Series("tags", [answer or "" for answer in answers], dtype=pl.String)
    n_tags = column.str.count_matches(" ").to_numpy() + 1
    odd = (n_tags != lengths) | column.str.contains(r"[^\S ]|  |^ | $|^$").to_numpy()
    if odd.any():
        cells = column.to_list()
        for row in np.flatnonzero(odd).tolist():
            cells[row] = " ".join(_fit_tags(cells[row], int(lengths[row])))
        column = pl.Series("tags", cells, dtype=pl.String)
    flat = column.filter(pl.Series(lengths > 0)).str.split(" ").explode()
    names = dict(gold.names)
    for tag in flat.unique(maintain_order=True).to_list():
        names.setdefault(tag, len(names))
    codes = flat.replace_strict(list(names), list(range(len(names))), return_dtype=pl.Int64) if len(flat) else flat
    return CodedTags(np.asarray(codes.to_numpy(), dtype=np.int64), gold.starts, names)


def count_entities(data: Dataset, answers: Sequence[str | None], *, unseen: bool = False) -> Array:
    """Return for every sentence the entities that are right, in gold, and predicted; with `unseen` only new words."""
    gold = code_gold(data)
    said = code_answers(answers, gold)
    codes = TagCodes()
    spans = [find_spans(tags.flatten(codes)) for tags in (gold, said)]
    offsets = gold.starts + np.arange(len(gold.starts))
    if unseen:
        words = [word.casefold() for row in data.fields["tokens"].to_list() for word in (*row, "")]
        known = _read_training(data, "training entities")
        spans = [_keep_unseen(each, words, known) for each in spans]
    n_flat, n_types = int(offsets[-1]), len(codes.types)
    keys = [(start * n_flat + end) * n_types + kind for start, end, kind in spans]
    right = np.isin(keys[0], keys[1])
    rows = [np.searchsorted(offsets, each[0], side="right") - 1 for each in spans]
    columns = (rows[0][right], rows[0], rows[1])
    return np.stack([np.bincount(each, minlength=len(data)) for each in columns], axis=1).astype(float)


def count_surfaces(data: Dataset, answers: Sequence[str | None]) -> Array:
    """Return for every sentence its part of the distinct entities that are right, in gold, and predicted.

    An entity is its words and type. One that is in three sentences counts a third in each, so that sums over all
    sentences are numbers of distinct entities.
    """
    tokens = data.fields["tokens"].to_list()
    gold, said = (_list_forms(tags, tokens) for tags in align_tags(data, answers))
    counts = [Counter(form for row in each for form in row) for each in (gold, said)]
    table = np.zeros((len(data), 3))
    for row, (first, second) in enumerate(zip(gold, said, strict=True)):
        table[row, 0] = sum(1 / counts[0][form] for form in first if form in counts[1])
        table[row, 1] = sum(1 / counts[0][form] for form in first)
        table[row, 2] = sum(1 / counts[1][form] for form in second)
    return table


def _list_forms(tags: Sequence[Sequence[str]], tokens: Sequence[Sequence[str]]) -> list[set[tuple[str, str]]]:
    return [
        {(" ".join(words[start : end + 1]), kind) for start, end, kind in row}
        for row, words in zip(list_entities(tags), tokens, strict=True)
    ]


def _keep_unseen(
    spans: tuple[Array, Array, Array], words: list[str], known: set[str] | None
) -> tuple[Array, Array, Array]:
    if known is None:
        return spans[0][:0], spans[1][:0], spans[2][:0]
    pairs = zip(spans[0].tolist(), spans[1].tolist(), strict=True)
    new = np.array([" ".join(words[start : end + 1]) not in known for start, end in pairs], dtype=bool)
    return spans[0][new], spans[1][new], spans[2][new]


def count_tokens(data: Dataset, answers: Sequence[str | None], *, unseen: bool = False) -> Array:
    """Return for every sentence the tokens with the right tag, and all tokens; with `unseen` only of new words."""
    gold = code_gold(data)
    said = code_answers(answers, gold)
    counted = np.ones(len(gold.codes), dtype=bool)
    if unseen:
        known = _read_training(data, "training words")
        tokens = zip(data.fields["tokens"].to_list(), np.diff(gold.starts).tolist(), strict=True)
        words = [word.casefold() for row, length in tokens for word in row[:length]]
        counted = np.array([known is not None and word not in known for word in words], dtype=bool)
    columns = ((gold.codes == said.codes) & counted, counted)
    return np.stack([np.bincount(gold.rows, weights=each, minlength=len(data)) for each in columns], axis=1)


def _read_training(data: Dataset, name: str) -> set[str] | None:
    frame = data.attachments.get(name)
    return None if frame is None else set(frame.to_series().to_list())


def collect_training(data: Dataset) -> dict[str, pl.DataFrame]:
    """Return the words and the entities of the training part, in lower case; nothing if there is none."""
    if "train" not in data.part_names or len(data.part_names) < 2:
        return {}
    return list_training(data.part("train"))


def list_training(train: Dataset) -> dict[str, pl.DataFrame]:
    """Return the words and the entities of training sentences, in lower case."""
    import polars as pl

    words = sorted({word.casefold() for row in train.fields["tokens"].to_list() for word in row})
    entities = sorted({text for row in list_surfaces(train) for text in row})
    return {
        "training words": pl.DataFrame({"word": words}, schema={"word": pl.String}),
        "training entities": pl.DataFrame({"entity": entities}, schema={"entity": pl.String}),
    }


def list_surfaces(data: Dataset) -> list[list[str]]:
    """Return the words of every entity, in lower case, sentence by sentence."""
    spans, tokens = list_entities(data.fields["tags"].to_list()), data.fields["tokens"].to_list()
    return [
        [" ".join(words[start : end + 1]).casefold() for start, end, _ in row]
        for row, words in zip(spans, tokens, strict=True)
    ]


def list_entity_texts(data: Dataset) -> pl.Series:
    """Return the words of all entities of every sentence as one text."""
    import polars as pl

    return pl.Series("entities", ["\n".join(row) for row in list_surfaces(data)], dtype=pl.String)


def has_entities(data: Dataset) -> bool:
    """Return whether tags mark entities: some begin with B-, I-, S- or the like, and all others are O."""
    tags = set(data.fields["tags"].explode().drop_nulls().unique().to_list())
    marked = {tag for tag in tags if tag[1:2] == "-" and tag[0] in "BIESLU"}
    return bool(marked) and tags - marked <= {"O"}
