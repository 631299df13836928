"""Planted questions and clean items in real text, and the rephrased test sets of Yang et al. (2023)."""

from __future__ import annotations

import gzip
import json
import re

import numpy as np
import polars as pl
import pytest

from assay import find_contamination
from assay.data import read_table

N_ITEMS = 2000


def read_paragraphs(path):
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return [line for line in file if len(line.split()) > 40]


@pytest.fixture(scope="module")
def corpus(shared):
    return read_paragraphs(shared("wikitext2/valid.txt.gz"))


@pytest.fixture(scope="module")
def questions(shared):
    texts, rng = read_paragraphs(shared("wikitext2/test.txt.gz")), np.random.default_rng(0)
    return draw_questions(texts, rng)


def draw_questions(texts, rng):
    drawn = []
    while len(drawn) < N_ITEMS:
        words = [word for word in texts[rng.integers(len(texts))].split() if re.search(r"\w", word)]
        size = int(rng.integers(8, 41))
        if len(words) > size:
            start = rng.integers(len(words) - size)
            drawn.append(" ".join(words[start : start + size]))
    return drawn


def keep(text, _rng):
    return text


def change_case(text, rng):
    words = [re.sub(r"[^\w\s]", "", word) + str(rng.choice(["", ",", ".", "!"])) for word in text.split()]
    return " ".join(word.upper() if rng.random() < 0.5 else word.title() for word in words)


def drop_words(text, rng):
    words = text.split()
    dropped = rng.choice(len(words), round(len(words) / 10), replace=False)
    return " ".join(word for number, word in enumerate(words) if number not in dropped)


def split_lines(text, rng):
    return "".join(word + ("\n" if rng.random() < 0.3 else " ") for word in text.split())


@pytest.mark.parametrize(
    ("change", "recall"), [(keep, 0.99), (change_case, 0.95), (drop_words, 0.95), (split_lines, 0.99)]
)
def test_planted_questions_are_found(change, recall, corpus, questions, tmp_path):
    rng = np.random.default_rng(1)
    words = [text.split() for text in corpus]
    for question in questions:
        target = words[rng.integers(len(words))]
        target.insert(int(rng.integers(len(target) + 1)), change(question, rng))
    (tmp_path / "corpus.txt").write_text("\n\n".join(" ".join(target) for target in words), encoding="utf-8")
    result = find_contamination({"text": questions}, tmp_path / "corpus.txt")
    assert result.items == N_ITEMS
    assert result.contaminated / N_ITEMS >= recall


def test_clean_items_are_not_found(corpus, questions):
    assert find_contamination({"text": questions}, pl.Series(corpus)).contaminated <= 1


def test_clean_reviews_and_questions_are_not_found(corpus, shared):
    rng = np.random.default_rng(2)
    for name, column in (("gsm8k/items.tsv.gz", "question"), ("yelp_reviews/yelp_reviews.tsv.gz", "text")):
        items = draw_questions(read_table(shared(name))[column].to_list(), rng)
        assert find_contamination({"text": items}, pl.Series(corpus)).contaminated <= 1


@pytest.fixture(scope="module")
def pairs(shared):
    with gzip.open(shared("contamination/humaneval_codealpaca_pairs.jsonl.gz"), "rt", encoding="utf-8") as file:
        return pl.DataFrame([json.loads(line) for line in file])


def test_the_judge_found_eighteen_rephrased_problems(pairs):
    assert (pairs.height, pairs["rephrased"].sum()) == (164, 18)


def test_rephrased_problems_are_out_of_reach(pairs):
    data = pairs.select(id="task_id", text="test")
    verbatim = find_contamination(data, pairs["test"])
    assert (verbatim.contaminated, verbatim.share) == (164, 1)
    result = find_contamination(data, pairs["train"])
    judged = set(pairs.filter("rephrased")["task_id"])
    found = {hit.id for hit in result.hits}
    assert (len(found & judged), len(found)) == (0, 0)


def test_rephrased_questions_keep_their_answers_and_are_mostly_out_of_reach(shared):
    rephrased = read_table(shared("contamination/gsm8k_test_rephrased.tsv.gz"))
    original = read_table(shared("gsm8k/items.tsv.gz")).join(rephrased, on="id", suffix="_rephrased")
    assert original.height == 1319
    finals = [
        original[column].str.replace_all(",", "").str.extract(r"(-?[\d.]+)\D*$").cast(float)
        for column in ("answer", "answer_rephrased")
    ]
    assert (finals[0] == finals[1]).sum() == 1319
    data = original.select("id", text="question")
    assert find_contamination(data, original["question"]).contaminated == 1319
    assert find_contamination(data, rephrased["question"]).contaminated == 60
