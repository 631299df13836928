"""Words that were put into texts do not belong to their sentences."""

from __future__ import annotations

import math

import numpy as np
import pytest

import assay
from assay.information.cues.insertion import count_neighbours, measure_belonging
from assay.text import Corpus

SENTENCES = ["the cat sat on the mat", "a dog ran to the old house", "the old cat ran to a dog", "a dog sat on a mat"]


def make_sentences(n: int = 200) -> list[str]:
    rng = np.random.default_rng(0)
    return [SENTENCES[row] for row in rng.integers(len(SENTENCES), size=n)]


def measure(texts: list[str], *words: str):
    corpus = Corpus.from_texts(texts)
    return measure_belonging(count_neighbours([corpus]), [corpus.vocabulary.index(word) for word in words])


def put_in(texts: list[str], word: str, place: str, n: int = 60) -> list[str]:
    rng = np.random.default_rng(1)
    changed = [text.split() for text in texts]
    for words in changed[:n]:
        where = {"start": 0, "end": len(words), "random": int(rng.integers(len(words) + 1))}[place]
        words.insert(where, word)
    return [" ".join(words) for words in changed]


@pytest.mark.parametrize("place", ["start", "end", "random"])
def test_a_word_put_into_sentences_does_not_belong_to_them(place):
    belonging, at_edge = measure(put_in(make_sentences(), "zq", place), "zq")
    assert belonging.value < 0.5
    assert at_edge == (place != "random")


def test_a_word_of_the_sentences_belongs_to_them():
    belonging, at_edge = measure(put_in(make_sentences(), "zq", "random"), "sat")
    assert belonging.low > 2
    assert not at_edge


def test_several_words_in_a_row_are_one():
    texts = [text.replace("zq", "zq yz") for text in put_in(make_sentences(), "zq", "random")]
    assert measure(texts, "zq", "yz")[0].value < 0.5


def test_a_rare_word_cannot_be_judged():
    assert math.isnan(measure(put_in(make_sentences(), "zq", "random", n=9), "zq")[0].value)


def count_warned_words(data) -> list[str]:
    result = assay.audit(data, only=["information"], cache=False)
    return [row.subject for row in result.findings if row.code == "A401" and row.severity == "warning"]


@pytest.mark.slow
def test_words_of_the_topic_are_a_note_and_a_planted_token_is_a_warning(shared):
    data = assay.read(shared("waimai_zh/waimai.tsv.gz"))
    rows = np.sort(np.random.default_rng(5).permutation(len(data))[:2_000])
    texts, labels = data.texts.gather(rows).to_list(), data.labels.gather(rows).to_list()
    assert count_warned_words({"text": texts, "label": labels}) == []
    chosen = [row for row, label in enumerate(labels) if label == "negative"][:40]
    for row in chosen:
        texts[row] += " qzxv"
    assert count_warned_words({"text": texts, "label": labels}) == ["qzxv"]
