"""Tables with one row per token: a column numbers the sentences, others hold the tokens and their tags."""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import replace

import polars as pl

from assay.data.columns.names import normalise_name
from assay.data.columns.table import RawTable

SENTENCE_NAMES = ("sentence", "sentenceid", "sentid", "sent", "sentenceidx", "sentenceindex", "sentencenumber")
TOKEN_NAMES = ("token", "word", "tokens", "words", "form")
# Columns of tags, with the name that they have as lists.
TAG_NAMES = {
    "tag": "tags",
    "tags": "tags",
    "label": "labels",
    "labels": "labels",
    "ner": "ner_tags",
    "nertag": "ner_tags",
    "nertags": "ner_tags",
    "pos": "pos_tags",
    "postag": "pos_tags",
    "postags": "pos_tags",
    "upos": "upos_tags",
    "xpos": "xpos_tags",
    "chunk": "chunk_tags",
    "chunktag": "chunk_tags",
    "chunktags": "chunk_tags",
}
MIN_TOKENS = 1.5  # per sentence
MAX_SPACED_SHARE = 0.05  # of the tokens: words with spaces between them are not tokens


def group_tokens(table: RawTable, named: Collection[str]) -> RawTable:
    """Return one row per sentence for a table with one row per token; any other table as it is.

    Columns that the user names stay as they are.

    >>> from assay.data.columns.table import RawTable
    >>> rows = {"sentence": ["1", "1", "2", "2"], "word": ["I", "am", "We", "are"], "tag": ["P", "V", "P", "V"]}
    >>> group_tokens(RawTable(pl.DataFrame(rows)), ()).frame.rows()
    [('1', '["I", "am"]', '["P", "V"]'), ('2', '["We", "are"]', '["P", "V"]')]
    """
    names = {normalise_name(name): name for name in reversed(table.frame.columns) if name not in table.nested}
    sentence = next((names[name] for name in SENTENCE_NAMES if name in names), None)
    token = next((names[name] for name in TOKEN_NAMES if name in names), None)
    tags = {names[name]: new for name, new in TAG_NAMES.items() if name in names}
    if sentence is None or token is None or not tags or {sentence, token, *tags} & set(named):
        return table
    sentences = table.frame[sentence].replace("", None).fill_null(strategy="forward")
    starts = (sentences != sentences.shift(1)).fill_null(value=True)
    n_sentences, n_tokens = int(starts.sum()), len(table.frame)
    words = table.frame[token].fill_null("")
    if n_tokens < MIN_TOKENS * n_sentences or words.str.contains(r"\s").mean() > MAX_SPACED_SHARE:  # type: ignore[operator]
        return table
    numbers = starts.cast(pl.Int64).cum_sum()
    rest = [name for name in table.frame.columns if name not in {sentence, token, *tags}]
    groups = table.frame.with_columns(sentences.alias(sentence), numbers.alias("\0number"))
    firsts = groups.group_by("\0number", maintain_order=True)
    grouped = firsts.agg(pl.col(sentence).first(), pl.col(token, *tags), pl.col(rest).first())
    lists = {token: "tokens", **tags}
    columns = [grouped[sentence].alias("id")] if grouped[sentence].n_unique() == n_sentences else []
    columns += [_write_lists(grouped[name]).alias(new) for name, new in lists.items()]
    columns += [grouped[name] for name in rest if name not in {"id", *lists.values()}]
    note = f"one row per token: {n_tokens:,} tokens in {n_sentences:,} sentences, by column '{sentence}'"
    return replace(
        table,
        frame=pl.DataFrame(columns),
        notes=(*table.notes, note),
        nested={**dict.fromkeys(lists.values(), "lists")},
    )


def _write_lists(cells: pl.Series) -> pl.Series:
    lists = [json.dumps([cell or "" for cell in row], ensure_ascii=False) for row in cells.to_list()]
    return pl.Series(cells.name, lists, dtype=pl.String)
