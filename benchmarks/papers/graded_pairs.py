"""Graded lexical similarity on multiple choice, reading comprehension and community answers."""

from __future__ import annotations

import gzip
import json
from functools import cache
from typing import Any

import polars as pl

from benchmarks.papers.rows import DATA, read_table, write_table


@cache
def rate_choices() -> list[tuple[str, Any]]:
    """Return the similarity of questions to right and wrong options, by dataset."""
    from assay.difficulty import rate_options

    mmlu = read_table("mmlu_redux/items.tsv.gz").fill_null("").to_dicts()
    arct = read_table("arct/arct.tsv.gz").fill_null("").to_dicts()
    figqa = read_table("explainaboard/figqa_preds.tsv.gz").fill_null("").to_dicts()
    with gzip.open(DATA / "commonsenseqa" / "dev_rand_split.jsonl.gz", "rt", encoding="utf-8") as file:
        common = [json.loads(line) for line in file]
    items = {
        "MMLU-Redux": [(row["question"], [row[name] for name in "ABCD"], "ABCD".find(row["answer"])) for row in mmlu],
        "CommonsenseQA": [
            (row["question"], row["choices"]["text"], row["choices"]["label"].index(row["answerKey"])) for row in common
        ],
        "Fig-QA": [(row["text"], [row["option0"], row["option1"]], int(row["gold"])) for row in figqa],
        "ARCT": [
            (f"{row['reason']} {row['claim']}", [row["text_a"], row["text_b"]], int(row["label"])) for row in arct
        ],
    }
    return [(name, rate_options(*(list(part) for part in zip(*rows, strict=True)))) for name, rows in items.items()]


@cache
def relate_answers() -> list[tuple[str, Any]]:
    """Return similarity and outcome: community answers by their label, contexts and questions of XQuAD."""
    from assay.difficulty import relate_similarity

    answers = read_table("semeval2016_cqa/cqa_A.tsv.gz").filter(pl.col("label").is_in(["0", "1"]))
    results = [
        (
            "SemEval-2016 A, question and comment (good = 1)",
            relate_similarity(answers["text_a"], answers["text_b"], answers["label"].cast(pl.Float64).to_list()),
        )
    ]
    with gzip.open(DATA / "xquad_en" / "xquad.en.json.gz", "rt", encoding="utf-8") as file:
        articles = json.load(file)["data"]
    pairs = [
        (paragraph["context"], question["question"])
        for article in articles
        for paragraph in article["paragraphs"]
        for question in paragraph["qas"]
    ]
    results.append(
        ("XQuAD, context and question", relate_similarity(*(list(part) for part in zip(*pairs, strict=True))))
    )
    return results


def write_choices() -> str:
    rows = [
        [
            name,
            f"{found.n_items:,}",
            f"{found.gold.mean:.3f}",
            f"{found.others.mean:.3f}",
            f"{found.auc:.3f}",
            f"{100 * found.choice.value:.1f} [{100 * found.choice.low:.1f}, {100 * found.choice.high:.1f}]",
            f"{100 * found.chance:.1f}",
        ]
        for name, found in rate_choices()
    ]
    header = ["multiple choice", "items", "right option", "others", "AUC", "most similar is right, %", "chance, %"]
    return write_table(header, rows)


def write_relations() -> str:
    rows = []
    for name, found in relate_answers():
        trend = "–"
        if found.correlation is not None:
            trend = f"{found.correlation.value:.2f} [{found.correlation.low:.2f}, {found.correlation.high:.2f}]"
        fifths = ", ".join(f"{group.outcome:.2f}" for group in found.groups) or "–"
        rows.append([name, f"{found.similarity.n_items:,}", f"{found.similarity.median:.3f}", trend, fifths])
    return write_table(["texts", "items", "median similarity", "Spearman with outcome", "outcome by fifth"], rows)


def summarise() -> str:
    parts = [
        f"{name} {100 * found.choice.value:.0f}% (chance {100 * found.chance:.0f}%)" for name, found in rate_choices()
    ]
    return "choosing the option most similar to the question is right on " + ", ".join(parts)
