"""CoNLL files: a token per line with its tags, an empty line after each sentence; CoNLL-U with its comments."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import polars as pl

from assay.base.errors import AssayError
from assay.data import Dataset, read_table
from assay.data.columns.parts import find_part_in_path, sort_parts
from assay.data.columns.table import RawTable
from assay.data.readers.compression import read_content
from assay.data.readers.encoding import decode_text
from assay.data.readers.formats import get_format_suffix, list_suffixes
from assay.system.links import check_links
from assay.wording.letters import parse_count

SUFFIXES = (".conll", ".conllu", ".bio", ".iob", ".iob2", ".conll03", ".conll2003")
N_UNIVERSAL_COLUMNS = 10
UNIVERSAL_COLUMNS = {"upos_tags": 3, "xpos_tags": 4}  # of the ten columns of CoNLL-U
_TAG = re.compile(r"^(O|[BIESLU]-\S+)$")
_HEAD_BYTES = 20_000
SENTENCE_NAMES = ("sentence", "sentence_id", "sent", "sent_id")


@dataclass
class TaggedSentence:
    """The lines of a sentence cut into columns, and what its comments say."""

    lines: list[list[str]] = field(default_factory=list)
    name: str | None = None
    document: str | None = None


def load_conll(path: Path, encoding: str) -> dict[str, RawTable] | None:
    """Return the tables of a CoNLL file, or of a folder of such files by part; None for anything else."""
    if path.is_dir():
        files = [file for file in sorted(path.iterdir()) if file.is_file() and get_format_suffix(file) in SUFFIXES]
        check_links(files, path)
        parts: dict[str, list[Path]] = {}
        for file in files:
            parts.setdefault(find_part_in_path(file) or "", []).append(file)
        if not files or any(len(group) > 1 for group in parts.values()):
            return None
        return {part: _read_table(parts[part][0], encoding) for part in sort_parts(parts)}
    return {"": _read_table(path, encoding)} if path.is_file() and is_conll(path) else None


def is_conll(path: Path) -> bool:
    """Return True if the file is in CoNLL format, by its name or its first lines."""
    suffix = get_format_suffix(path)
    if suffix in SUFFIXES:
        return True
    if suffix in list_suffixes() and suffix not in (".txt", ".tsv"):
        return False
    try:
        head = read_content(path)[:_HEAD_BYTES].to_pybytes().decode("utf-8", errors="replace")
    except (AssayError, OSError):
        return False
    lines = head.splitlines()[:-1]
    filled = [line.split() for line in lines if line.strip() and not line.startswith("#")]
    has_gaps = any(not line.strip() for line in lines)
    return has_gaps and bool(filled) and all(len(cells) > 1 and _TAG.match(cells[-1]) for cells in filled)


def read_sentences(path: Path, encoding: str = "utf-8") -> list[TaggedSentence]:
    """Read the sentences of a file; multiword tokens (1-2) and empty nodes (8.1) of CoNLL-U are left out."""
    text = decode_text(read_content(path), encoding, path).lstrip("\ufeff")
    lines = text.splitlines()
    is_universal = _is_universal(lines, path)
    sentences, current, document = [], TaggedSentence(), None
    for line in [*lines, ""]:
        if not line.strip():
            if current.lines:
                sentences.append(current)
            current = TaggedSentence(document=document)
            continue
        if line.startswith("# "):
            key, _, value = (part.strip() for part in line[2:].partition("="))
            document = value if key == "newdoc id" else document
            current.document = document
            current.name = value if key == "sent_id" else current.name
            if value or key.startswith("newdoc"):
                continue
        if is_universal and line.startswith("#"):
            continue  # a comment without a key
        if line.startswith("-DOCSTART-"):
            number = parse_count(document or "0")
            document = document if number is None else str(number + 1)
            current = TaggedSentence(document=document)
            continue
        cells = line.rstrip().split("\t") if "\t" in line.strip() else line.split()
        if len(cells) == N_UNIVERSAL_COLUMNS and not cells[0].isdigit():
            continue
        current.lines.append(cells)
    return sentences


def _is_universal(lines: Iterable[str], path: Path) -> bool:
    """Return True for CoNLL-U: apart from comments and empty lines, lines have ten columns; raise if only some have."""
    rows = [(number, line) for number, line in enumerate(lines, 1) if line.strip() and not line.startswith("#")]
    others = [number for number, line in rows if line.count("\t") != N_UNIVERSAL_COLUMNS - 1]
    if others and len(others) < len(rows) / 2:
        raise AssayError("the line does not have ten columns like the others", place=f"{path}, line {others[0]}")
    return bool(rows) and not others


def _read_table(path: Path, encoding: str) -> RawTable:
    sentences = read_sentences(path, encoding)
    if not sentences:
        raise AssayError("the file holds no sentences", place=path)
    widths = {len(cells) for sentence in sentences for cells in sentence.lines}
    universal = widths == {N_UNIVERSAL_COLUMNS}
    token = 1 if universal else 0
    columns: dict[str, list[str | None]] = {"tokens": [_write(sentence, token) for sentence in sentences]}
    if universal:
        columns |= {
            name: [_write(sentence, place) for sentence in sentences] for name, place in UNIVERSAL_COLUMNS.items()
        }
    else:
        if min(widths) < 2:
            raise AssayError(
                "a line has a token and no tag", place=path, hint="Predictions are given with {predictions}."
            )
        columns["tags"] = [_write(sentence, -1) for sentence in sentences]
    names = [sentence.name for sentence in sentences]
    if all(names) and len(set(names)) == len(names):
        columns["id"] = names
    if any(sentence.document for sentence in sentences):
        columns["document"] = [sentence.document for sentence in sentences]
    nested = {name: "lists" for name in columns if name not in ("id", "document")}
    return RawTable(pl.DataFrame(columns, schema=dict.fromkeys(columns, pl.String)), nested=nested)


def _write(sentence: TaggedSentence, place: int) -> str:
    return json.dumps([cells[place] for cells in sentence.lines], ensure_ascii=False)


def load_answers(path: Path, data: Dataset) -> pl.DataFrame | None:
    """Return the tags that a system, or a table of systems with one row per token, gives to the sentences."""
    if path.is_file() and is_conll(path):
        name = path.name.removesuffix(".gz").removesuffix(".zst").removesuffix(get_format_suffix(path))
        tags = [" ".join(cells[-1] for cells in sentence.lines) for sentence in read_sentences(path)]
        table = pl.DataFrame({"id": _find_ids(len(tags), data, path), "predicted": tags})
        return table.with_columns(system=pl.lit(name))
    if not path.is_file() or get_format_suffix(path) not in (".tsv", ".csv"):
        return None
    frame = read_table(path)
    sentence = next((name for name in SENTENCE_NAMES if name in frame.columns), None)
    if sentence is None or "token" not in frame.columns or "id" in frame.columns:
        return None
    known = {sentence, "token", "gold", "tag", "tags"}
    systems = [name for name in frame.columns if name not in known]
    table = frame.group_by(sentence, maintain_order=True).agg(pl.col(systems).fill_null("O").str.join(" "))
    return table.select(pl.Series("id", _find_ids(table.height, data, path)), *systems)


def _find_ids(n: int, data: Dataset, path: Path) -> Sequence[str]:
    """Return the ids of the sentences that a file answers in order: all, or those of one part."""
    if n == len(data):
        return data.ids.to_list()
    for part in reversed(data.part_names):
        rows = data.part(part)
        if len(rows) == n:
            return rows.ids.to_list()
    fact = f"{n:,} sentences, while the data has {len(data):,}"
    raise AssayError(fact, place=path, hint="Predictions are in the order of the data, or of one of its parts.")
