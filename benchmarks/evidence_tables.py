"""Tables of labelled texts and pairs for parents of the evidence whose files have another layout.

Multiple choice becomes pairs of question and option with the label right or wrong: the right option and one wrong one
(seeded), so that both labels are equally frequent; both rows of a question form a group.
"""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

RIGHT, WRONG = "right", "wrong"


def read_tsv(path: Path) -> pl.DataFrame:
    return pl.read_csv(path, separator="\t", quote_char=None, infer_schema_length=0).fill_null("")


def load_snli(path: Path) -> pl.DataFrame:
    """Return SNLI's test pairs with a gold label; pairs of one premise form a group."""
    table = read_tsv(path).filter(pl.col("gold") != "-")
    return table.select("id", "text_a", "text_b", label="gold", group="text_a")


def load_xnli_es(path: Path) -> pl.DataFrame:
    return load_xnli(path, "es")


def load_xnli_zh(path: Path) -> pl.DataFrame:
    return load_xnli(path, "zh")


def load_xnli(path: Path, language: str) -> pl.DataFrame:
    table = read_tsv(path).filter(pl.col("lang") == language)
    return table.select("id", "text_a", "text_b", label="gold", group="text_a")


def load_emotions(path: Path) -> pl.DataFrame:
    """Return the texts of GoEmotions that have exactly one emotion."""
    table = read_tsv(path).filter(~pl.col("labels").str.contains(r"[,;| ]"))
    return table.select("id", "text", label="labels")


def load_basic_emotions(path: Path) -> pl.DataFrame:
    """Return the same with the six emotions of Ekman and neutral."""
    groups = json.loads((path.parent / "ekman_mapping.json").read_text(encoding="utf-8"))
    names = {emotion: basic for basic, emotions in groups.items() for emotion in emotions}
    return load_emotions(path).with_columns(pl.col("label").replace(names))


def load_mmlu(path: Path) -> pl.DataFrame:
    rows = read_tsv(path).to_dicts()
    items = [(row["id"], row["question"], [row[name] for name in "ABCD"], "ABCD".find(row["answer"])) for row in rows]
    return pair_options(items)


def load_commonsense(path: Path) -> pl.DataFrame:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    choices = [(row["choices"]["text"], row["choices"]["label"].index(row["answerKey"])) for row in rows]
    return pair_options([(row["id"], row["question"], *choice) for row, choice in zip(rows, choices, strict=True)])


def load_figqa(path: Path) -> pl.DataFrame:
    rows = read_tsv(path).to_dicts()
    return pair_options([(r["id"], r["text"], [r["option0"], r["option1"]], int(r["gold"])) for r in rows])


def load_arct(path: Path) -> pl.DataFrame:
    """Return reason and claim with each of the two warrants."""
    rows = read_tsv(path).to_dicts()
    contexts = [f"{row['reason']} {row['claim']}" for row in rows]
    items = [(r["id"], c, [r["text_a"], r["text_b"]], int(r["label"])) for r, c in zip(rows, contexts, strict=True)]
    return pair_options(items)


def pair_options(items: list[tuple[Any, ...]]) -> pl.DataFrame:
    """Return the right option and one wrong option of each item (id, question, options, place of the right one)."""
    draw = np.random.default_rng(0)
    rows = []
    for identity, question, options, right in items:
        wrong = [place for place in range(len(options)) if place != right]
        for place, label in ((right, RIGHT), (wrong[draw.integers(len(wrong))], WRONG)):
            cells = {"text_a": question, "text_b": str(options[place]), "label": label}
            rows.append({"id": f"{identity}-{place}", **cells, "group": str(identity)})
    return pl.DataFrame(rows)
