"""Given probabilities: reading, and the doubt they throw on labels."""

import itertools

import numpy as np
import polars as pl
import pytest

from assay.base.errors import AssayError
from assay.suspects import find_suspects
from assay.suspects.probabilities import doubt_labels, measure_doubt, read_probabilities

IDS = pl.Series(["1", "2", "3"])
LABELS = ["neg", "pos"]
TABLE = np.array([[0.9, 0.1], [0.2, 0.8], [0.5, 0.5]])


def test_with_two_labels_the_order_is_that_of_the_own_probability():
    own = np.random.default_rng(0).random(500)
    doubt = measure_doubt(np.stack([own, 1 - own], axis=1), np.zeros(500, np.int64))
    assert np.argsort(doubt.order).tolist() == np.argsort(-own).tolist()


def test_the_doubt_of_all_labels_is_that_of_one_after_the_other():
    table = np.random.default_rng(0).dirichlet([0.2, 0.3, 0.5], 200)
    doubts = [measure_doubt(table, np.full(200, label)).order for label in range(3)]
    np.testing.assert_array_equal(doubt_labels(table), np.stack(doubts, axis=1))


def test_blocks_give_the_same_as_one_pass(monkeypatch):
    shares = np.random.default_rng(0).dirichlet(np.ones(4), 50)
    codes = np.arange(50) % 4
    whole = measure_doubt(shares, codes)
    monkeypatch.setattr("assay.suspects.probabilities.BLOCK_ROWS", 7)
    assert (measure_doubt(shares, codes).order == whole.order).all()


def test_rows_are_matched_by_id():
    frame = pl.DataFrame({"id": ["3", "1"], "prob:neg": [0.5, 0.9], "prob:pos": [0.5, 0.1]})
    given = read_probabilities(frame, IDS, LABELS)
    assert given.rows.tolist() == [0, 2]
    assert given.table.tolist() == [[0.9, 0.1], [0.5, 0.5]]


@pytest.mark.parametrize("source", [TABLE, {"neg": TABLE[:, 0], "pos": TABLE[:, 1]}])
def test_arrays_are_in_the_order_of_the_items(source):
    assert read_probabilities(source, IDS, LABELS).table.tolist() == TABLE.tolist()


def test_files_are_read(tmp_path):
    path = tmp_path / "shares.tsv"
    path.write_text("id\tneg\tpos\n2\t0.25\t0.75\n", encoding="utf-8")
    given = read_probabilities(path, IDS, LABELS)
    assert (given.rows.tolist(), given.table.tolist()) == ([1], [[0.25, 0.75]])


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (TABLE[:2], "2 rows × 2 columns for 3 items with 2 labels"),
        (TABLE * 2, "not between 0 and 1"),
        (pl.DataFrame({"id": ["1"], "neg": [0.5]}), "no column for pos"),
        (pl.DataFrame({"id": ["1", "1"], "neg": [0.5, 0.5], "pos": [0.5, 0.5]}), "ids more than once"),
        (pl.DataFrame({"id": ["x"], "neg": [0.5], "pos": [0.5]}), "no id of the data"),
        (pl.DataFrame({"id": ["1"], "neg": ["a"], "pos": ["b"]}), "not numbers"),
    ],
)
def test_what_is_wrong_is_said(source, message):
    with pytest.raises(AssayError, match=message):
        read_probabilities(source, IDS, LABELS)


@pytest.mark.parametrize("seed", range(3))
def test_more_confidence_against_a_label_never_lowers_suspicion(seed):
    """Each step moves probability from the label of one item to the most probable other label."""
    rng = np.random.default_rng(seed)
    n, n_labels = 300, 4
    labels = rng.integers(0, n_labels, n)
    logits = rng.normal(0, 1, (n, n_labels)) + 3 * np.eye(n_labels)[labels]
    table = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
    data = {"id": [f"q{row:03d}" for row in range(n)], "label": [f"l{code}" for code in labels.tolist()]}
    for row in rng.choice(n, 3, replace=False).tolist():
        values = []
        others = np.delete(np.arange(n_labels), labels[row])
        rival = others[table[row, others].argmax()]
        for part in (0.0, 0.3, 0.6, 0.9):
            moved = table.copy()
            moved[row, rival] += part * table[row, labels[row]]
            moved[row, labels[row]] *= 1 - part
            items = find_suspects(pl.DataFrame(data), probabilities=moved, text="none").items
            values.append(items.filter(id=f"q{row:03d}")["suspicion"][0])
        assert all(later >= earlier - 1e-3 for earlier, later in itertools.pairwise(values))
        assert values[-1] > values[0]


def test_items_with_different_probabilities_have_different_suspicion():
    rng = np.random.default_rng(0)
    own = rng.permutation(np.linspace(0.3, 0.98, 200))
    is_first = np.arange(200) % 2 == 0
    table = np.where(is_first[:, None], np.stack([own, 1 - own], axis=1), np.stack([1 - own, own], axis=1))
    data = pl.DataFrame({"id": [str(row) for row in range(200)], "label": np.where(is_first, "a", "b").tolist()})
    items = find_suspects(data, probabilities=table, text="none").items
    assert items["suspicion"].n_unique() == 200
