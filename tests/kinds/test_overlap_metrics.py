"""ROUGE and chrF: cases by hand, equality with rouge-score and sacrebleu on texts of several scripts."""

from __future__ import annotations

import numpy as np
import pytest

import assay
from assay.kinds import read
from assay.kinds.tools.bleu import compute_bleu, count_bleu, split_words
from assay.kinds.tools.overlap_metrics import compute_chrf, count_chrf, has_words, score_rouge

PIECES = [
    *("The", "cat", "sat", "on", "a", "mat.", "Über", "naïve", "12", "3,5", "don't", "我们", "去", "घर", "  ", "\t"),
    *("İstanbul", "É", "the", "x\x00y"),
]


def draw_texts(seed, n=120):
    rng = np.random.default_rng(seed)
    return [" ".join(rng.choice(PIECES, rng.integers(0, 14))) for _ in range(n)]


def make_data(seed, several=False):
    rng = np.random.default_rng(seed)
    references = [[text or "x"] for text in draw_texts(seed)]
    if several:
        references = [row + draw_texts(seed + 10 + n, 1) * int(rng.integers(0, 3)) for n, row in enumerate(references)]
        references = [[text or "x" for text in row] for row in references]
    return read({"source": ["s"] * len(references), "references": references}, task="generation"), references


def test_rouge_by_hand():
    """Four of five words in order, three of them in pairs."""
    data = read({"source": ["s"], "reference": ["the cat sat on the mat"]}, task="generation")
    answers = ["The cat on the mat!"]
    assert score_rouge(data, answers).tolist() == pytest.approx([2 * 5 / 11])
    assert score_rouge(data, answers, 1).tolist() == pytest.approx([2 * 5 / 11])
    assert score_rouge(data, answers, 2).tolist() == pytest.approx([2 * 3 / 9])


@pytest.mark.parametrize("several", [False, True])
@pytest.mark.parametrize(("order", "name"), [(None, "rougeL"), (1, "rouge1"), (2, "rouge2")])
def test_rouge_is_that_of_rouge_score(order, name, several):
    scorer = pytest.importorskip("rouge_score.rouge_scorer", reason="needs the extra metrics (rouge-score)")
    rouge = scorer.RougeScorer([name])
    data, references = make_data(1, several)
    answers = draw_texts(2)
    expected = [
        max(rouge.score(text, answer)[name].fmeasure for text in row)
        for row, answer in zip(references, answers, strict=True)
    ]
    assert score_rouge(data, answers, order) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("several", [False, True])
def test_chrf_is_that_of_sacrebleu(several):
    sacrebleu = pytest.importorskip("sacrebleu", reason="needs the extra metrics (sacrebleu)")
    data, references = make_data(3, several)
    answers = draw_texts(4)
    streams = [[row[k] if k < len(row) else None for row in references] for k in range(max(map(len, references)))]
    table = count_chrf(data, answers)
    assert compute_chrf(table.sum(axis=0)) == pytest.approx(sacrebleu.corpus_chrf(answers, streams).score / 100)
    each = [sacrebleu.sentence_chrf(text, row).score / 100 for text, row in zip(answers, references, strict=True)]
    assert np.nan_to_num(compute_chrf(table)) == pytest.approx(each)


@pytest.mark.parametrize("several", [False, True])
def test_bleu_is_that_of_sacrebleu(several):
    metrics = pytest.importorskip("sacrebleu.metrics", reason="needs the extra metrics (sacrebleu)")
    data, references = make_data(5, several)
    answers = [text if row % 3 else references[row][0] for row, text in enumerate(draw_texts(6))]
    streams = [[row[k] if k < len(row) else None for row in references] for k in range(max(map(len, references)))]
    table = count_bleu(data, answers)
    plain = metrics.BLEU(force=True)
    assert compute_bleu(table.sum(axis=0)) == pytest.approx(plain.corpus_score(answers, streams).score / 100)
    assert table.tolist() == plain._extract_corpus_statistics(answers, streams)


def test_words_of_bleu_are_those_of_sacrebleu():
    tokenizers = pytest.importorskip("sacrebleu.tokenizers.tokenizer_13a", reason="needs the extra metrics (sacrebleu)")
    rng = np.random.default_rng(7)
    pieces = [*"ab1.,-'&<>\n\t \x1c\x85\xa0()[]{}~`!%*/:;@\\^_|\"$#+=?é我\x00", "&quot;", "&amp;", "&lt;", "-\n", "3-4"]
    texts = [
        "",
        " ",
        "\t<skipped>",
        "<skipped>",
        *("".join(rng.choice(pieces, rng.integers(0, 25))) for _ in range(1000)),
    ]
    split = split_words(texts)
    words = split.words.to_list()
    tokenize = tokenizers.Tokenizer13a()
    for row, text in enumerate(texts):
        assert words[split.starts[row] : split.starts[row + 1]] == tokenize(text.rstrip()).split(), text
    assert split.starts[-1] == len(words)


def test_rouge_says_why_it_has_no_words():
    """The words of ROUGE are Latin; chrF has no such limit."""
    data = read({"source": ["a", "b"], "reference": ["我们今天回家吃饭去", "他在车站等火车来到"]}, task="generation")
    assert not has_words(data)
    (system,) = assay.evaluate(
        data, {"x": ["我们今天回家吃饭去", "他在车站"]}, metrics=["chrf", "rouge-l"], compare=False
    ).systems
    assert np.isnan(system.metrics["rouge-l"].value)
    assert system.metrics["rouge-l"].reason.startswith("ROUGE counts words of the letters a to z")
    assert system.metrics["chrf"].value > 0.5
