from __future__ import annotations

import numpy as np
import pytest

from assay.base.errors import AssayError, UsageError
from assay.evaluation import evaluate, read_predictions
from assay.kinds import read


def pairs(n=60):
    """Half of the pairs share all words, half none; labels agree with that for two thirds."""
    rows = []
    for number in range(n):
        same, obvious = number % 2 == 0, number % 3 != 0
        label = "1" if same == obvious else "0"
        rows.append(
            {"id": str(number), "text_a": "one two", "text_b": "one two" if same else "three four", "label": label}
        )
    return rows


@pytest.fixture
def predictions(tmp_path):
    rows = pairs(180)
    lexical = ["1" if row["text_a"] == row["text_b"] else "0" for row in rows]
    generator = np.random.default_rng(0)
    careful = [row["label"] if generator.random() < 0.5 else "10"[int(row["label"])] for row in rows]
    lines = [f"{row['id']}\t{a}\t{b}\n" for row, a, b in zip(rows, lexical, careful, strict=True)]
    (tmp_path / "p.tsv").write_text("id\tlexical\tcareful\n" + "".join(lines))
    return read_predictions(tmp_path / "p.tsv", read(rows))


def test_a_system_that_only_compares_words_fails_on_the_non_obvious(predictions):
    found = evaluate(predictions, by=["difficulty"], threshold=0.5).by["difficulty"]
    rows = {row.system: row.rates for row in found.systems}
    assert (rows["lexical"].TPR_o, rows["lexical"].TPR_n, rows["lexical"].F1_o, rows["lexical"].F1_n) == (
        1.0,
        0.0,
        1.0,
        0.0,
    )
    assert rows["(random guesser)"].TPR_o == 0.5
    assert sum(found.counts.values()) == 180


def test_rank_changes_are_tested(predictions):
    found = {row.system: row for row in evaluate(predictions, by=["difficulty"], threshold=0.5).by["difficulty"].ranks}
    assert (found["lexical"].rank, found["lexical"].rank_non_obvious, found["lexical"].change) == (1, 2, -1)
    assert found["lexical"].p < 0.05
    assert found["lexical"].p_adjusted >= found["lexical"].p


def test_single_texts_are_sorted_by_their_neighbours(tmp_path):
    generator = np.random.default_rng(0)
    words = {"a": "red green blue", "b": "cat dog bird"}
    rows = []
    for number in range(60):
        label = "ab"[number % 2]
        seen = label if generator.random() < 0.8 else "ab"[(number + 1) % 2]
        text = " ".join(generator.permutation((words[seen] + f" w{number % 7}").split()))
        rows.append({"id": str(number), "text": text, "label": label, "split": "train" if number < 40 else "test"})
    (tmp_path / "p.tsv").write_text("id\tx\n" + "".join(f"{n}\ta\n" for n in range(40, 60)))
    found = evaluate(read_predictions(tmp_path / "p.tsv", read(rows)), by=["difficulty"]).by["difficulty"]
    assert sum(found.counts.values()) == 20
    assert {row.system for row in found.systems} == {"x", "(random guesser)"}


def test_it_needs_the_texts():
    with pytest.raises(UsageError, match="--by difficulty needs DATA"):
        evaluate(["1", "0"], {"x": ["1", "0"]}, by=["difficulty"])


def test_it_needs_a_positive_label(tmp_path):
    rows = [{**row, "label": "abc"[number % 3]} for number, row in enumerate(pairs(12))]
    (tmp_path / "p.tsv").write_text("id\tx\n" + "".join(f"{n}\ta\n" for n in range(12)))
    with pytest.raises(AssayError, match="which label is positive: name it with --positive"):
        evaluate(read_predictions(tmp_path / "p.tsv", read(rows)), by=["difficulty"])
