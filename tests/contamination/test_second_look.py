"""Possible paraphrases: candidates by shared words, compared by sentence vectors, and never counted."""

from __future__ import annotations

import json

import numpy as np
import polars as pl
import pytest

from assay import find_contamination
from assay.cli.main import status
from assay.data import read_table

ITEM = "Which treaty ended the long war between the two northern kingdoms in sixteen sixty?"
PARAPHRASE = "What treaty finished the war that the northern kingdoms fought until sixteen sixty?"
OTHERS = [
    "The committee met again on Monday and talked about money, roads and the price of bread.",
    "Nothing else here.",
]


class LetterCounts:
    """An encoder without a model: counts of letters."""

    def fit_transform(self, texts):
        return np.array([[text.lower().count(letter) for letter in "abcdefghijklmnopqrstuvwxyz"] for text in texts])

    transform = fit_transform


def test_a_paraphrase_is_listed_and_not_counted():
    text = f"{OTHERS[0]} {PARAPHRASE} {OTHERS[1]}"
    result = find_contamination({"text": [ITEM]}, pl.Series([OTHERS[1], text]), second_look=LetterCounts())
    assert (result.contaminated, result.hits) == (0, ())
    (candidate,) = result.paraphrases
    assert (candidate.id, candidate.row) == ("0", 1)
    assert PARAPHRASE in candidate.passage
    assert 0.7 <= candidate.similarity <= 1
    assert result.from_dict(result.to_dict()) == result


def test_the_similarity_is_the_cosine_of_the_vectors():
    result = find_contamination({"text": [ITEM]}, pl.Series([PARAPHRASE]), second_look=LetterCounts(), similarity=0.5)
    a, b = LetterCounts().fit_transform([ITEM, PARAPHRASE])
    expected = a @ b / np.linalg.norm(a) / np.linalg.norm(b)
    assert result.paraphrases[0].similarity == pytest.approx(expected)


def test_items_that_are_found_and_other_texts_are_not_listed():
    result = find_contamination({"text": [ITEM]}, pl.Series([ITEM, PARAPHRASE]), second_look=LetterCounts())
    assert (result.contaminated, result.paraphrases) == (1, ())
    assert find_contamination({"text": [ITEM]}, pl.Series(OTHERS), second_look=LetterCounts()).paraphrases == ()
    assert find_contamination({"text": [ITEM]}, pl.Series([PARAPHRASE])).paraphrases == ()


def test_files_give_what_texts_in_memory_give(tmp_path):
    for name, text in {"a.txt": OTHERS[0], "b.txt": f"{OTHERS[1]}\n\n{PARAPHRASE}"}.items():
        (tmp_path / name).write_text(text)
    result = find_contamination({"text": [ITEM]}, tmp_path, second_look=LetterCounts(), cache=tmp_path / "cache")
    assert [(each.file, each.row) for each in result.paraphrases] == [(str(tmp_path / "b.txt"), 1)]
    again = find_contamination({"text": [ITEM]}, tmp_path, second_look=LetterCounts(), cache=tmp_path / "cache")
    assert again == result


def test_the_command_lists_possible_paraphrases(tmp_path):
    pytest.importorskip("wordllama", reason="the extra [embeddings] is not installed")
    pl.DataFrame({"text": [ITEM]}).write_csv(tmp_path / "items.csv")
    (tmp_path / "corpus.txt").write_text(PARAPHRASE)
    arguments = ["contamination", str(tmp_path / "items.csv"), "--corpus", str(tmp_path / "corpus.txt")]
    assert status([*arguments, "--second-look", "word-vectors", "--json", str(tmp_path / "out.json")]) == 0
    result = json.loads((tmp_path / "out.json").read_text())["result"]
    assert result["contaminated"] == 0
    assert [each["id"] for each in result["paraphrases"]] == ["0"]


def test_rephrased_questions_are_listed(shared):
    pytest.importorskip("wordllama", reason="the extra [embeddings] is not installed")
    rephrased = read_table(shared("contamination/gsm8k_test_rephrased.tsv.gz")).head(300)
    items = read_table(shared("gsm8k/items.tsv.gz")).join(rephrased, on="id", suffix="_rephrased")
    data = items.select("id", text="question")
    result = find_contamination(data, items["question_rephrased"], second_look="word-vectors")
    rows = dict(zip(items["id"], range(items.height), strict=True))
    n_right = sum(rows[each.id] == each.row for each in result.paraphrases)
    assert n_right / (items.height - result.contaminated) > 0.7
    assert n_right / len(result.paraphrases) > 0.95
