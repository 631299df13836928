"""Siblings of items in a corpus, which differ in a number, a symbol or a rare word, are not the items."""

from __future__ import annotations

import gzip

import numpy as np
import polars as pl
import pytest

from assay import find_contamination
from assay.contamination.verification import align_item, compare_item, cut_tokens, find_rare_words, separate_symbols
from assay.data import read_table

FORMULA = "Find the value of the expression f(x) = x + 3 at the point where the curve meets the first axis."
PAIRS = [
    (FORMULA, FORMULA.replace("x + 3", "x - 3")),
    (FORMULA, FORMULA.replace("x + 3", "x + 4")),
    (FORMULA, FORMULA.replace("f(x) = x", "f(y) = y")),
    (
        "Which river flows through the old town of Heidelberg before it joins another river?",
        "Which river flows through the old town of Strasbourg before it joins another river?",
    ),
]


@pytest.mark.parametrize(("item", "sibling"), PAIRS)
def test_a_sibling_of_an_item_is_listed_but_is_not_a_hit(item, sibling):
    result = find_contamination({"text": [item]}, pl.Series([f"Some words before. {sibling} And some after."]))
    assert (result.contaminated, result.hits) == (0, ())
    (found,) = result.siblings
    assert found.text_seen > 0.8
    assert found.item_seen < 1
    assert any("similar item" in note for note in result.notes)
    same = find_contamination({"text": [item]}, pl.Series([f"Some words before. {item} And some after."]))
    assert (same.contaminated, same.hits[0].item_seen, same.siblings) == (1, 1.0, ())


def test_the_item_that_has_more_words_of_a_passage_is_the_one_that_was_seen():
    passage = "The king gave the land to the farmers who had served him for seven years in the long war. "
    items = [passage + "Why did the king give the land away?", passage + "How long was the war in the story?"]
    result = find_contamination({"text": items}, pl.Series([items[0]]))
    assert [hit.id for hit in result.hits] == ["0"]
    assert [hit.id for hit in result.siblings] == ["1"]


def test_dropped_words_and_changed_punctuation_are_not_a_conflict():
    rare = find_rare_words([FORMULA])
    shorter = FORMULA.replace("the first axis.", "first axis!").replace(" of the expression", "")
    assert compare_item(FORMULA, f"before {shorter} after", rare).item_seen == 1


def plant(questions: list[str], paragraphs: list[str], rng: np.random.Generator) -> list[str]:
    """Put each question between the words of another paragraph."""
    documents = list(paragraphs)
    for row, question in zip(rng.permutation(len(documents)).tolist(), questions, strict=False):
        words = documents[row].split()
        half = len(words) // 2
        documents[row] = " ".join([*words[:half], question, *words[half:]])
    return documents


@pytest.mark.parametrize("subject", ["abstract_algebra", "formal_logic", "high_school_us_history"])
def test_planted_questions_of_a_subject_are_found_without_their_siblings(subject, shared):
    table = read_table(shared("mmlu_redux/items.tsv.gz")).filter(pl.col("subject") == subject)
    with gzip.open(shared("wikitext2/valid.txt.gz"), "rt", encoding="utf-8") as file:
        paragraphs = [line for line in file if len(line.split()) > 40][:200]
    rng = np.random.default_rng(7)
    planted = set(rng.choice(len(table), 30, replace=False).tolist())
    documents = plant([table["question"][row] for row in sorted(planted)], paragraphs, rng)
    items = table.select("id", "question", "A", "B", "C", "D", "answer")
    hits = {hit.id for hit in find_contamination(items, pl.Series(documents)).hits}
    expected = {table["id"][row] for row in planted}
    assert expected <= hits
    assert len(hits - expected) <= 1
    assert find_contamination(items, pl.Series(paragraphs)).contaminated == 0


@pytest.mark.parametrize(
    ("item", "document"),
    [
        ("What is 3 + 4?", "They ask: what is 3 + 4? Seven."),
        ("Name the <b>river</b> in Paris", "1,500 people said: name the <b>river</b> in Paris, please"),
        ("Ada wrote 1,500 notes.", "In 1843 Ada  wrote 1,500\nnotes. They were long. Mary read 1,500 books."),
    ],
)
def test_a_verbatim_item_is_found_as_by_words(item, document):
    words = align_item(separate_symbols(cut_tokens(item)), cut_tokens(document), ())
    assert compare_item(item, document, ()) == words
    assert words.item_seen == words.closeness == 1


def test_a_part_of_a_number_is_not_verbatim():
    assert compare_item("Pay 500 now", "Pay 500,75 now. Pay 1,500 now", ()).item_seen < 1
