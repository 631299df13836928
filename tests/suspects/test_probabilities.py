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


def test_rows_without_any_probability_are_no_evidence():
    table = np.array([[0.0, 0.0], [np.nan, 0.8], [0.5, 0.5]])
    given = read_probabilities(table, IDS, LABELS)
    assert (given.rows.tolist(), given.table.tolist()) == ([2], [[0.5, 0.5]])
    assert given.notes == ("Probabilities: 2 rows have only zeros or an empty cell, and are no evidence.",)


def test_an_empty_cell_of_a_file_is_no_evidence(tmp_path):
    path = tmp_path / "shares.tsv"
    path.write_text("id\tneg\tpos\n1\t\t0.75\n2\t0.25\t0.75\n", encoding="utf-8")
    given = read_probabilities(path, IDS, LABELS)
    assert given.rows.tolist() == [1]
    assert given.notes == ("Probabilities: 1 row has only zeros or an empty cell, and is no evidence.",)


def test_rows_that_do_not_add_up_to_one_are_scaled_with_a_note():
    given = read_probabilities(np.array([[0.3, 0.1], [0.9, 0.6], [0.5, 0.505]]), IDS, LABELS)
    np.testing.assert_allclose(given.table.sum(axis=1), 1)
    np.testing.assert_allclose(given.table[0], [0.75, 0.25])
    assert given.notes == (
        "Probabilities: 2 rows do not add up to 1 and are divided by the sum (sums are 0.4 to 1.5).",
    )


def test_rounded_rows_are_taken_without_a_note():
    table = np.array([[0.333, 0.666], [0.2, 0.8], [0.5, 0.5]])
    given = read_probabilities(table, IDS, LABELS)
    assert given.notes == ()
    assert given.table.tolist() == table.tolist()


def draw_given(n: int = 200) -> tuple[dict[str, list[str]], np.ndarray]:
    """Return items with two labels, the first of which is wrong, and probabilities that know them."""
    rng = np.random.default_rng(0)
    codes = np.arange(n) % 2
    own = rng.uniform(0.7, 0.99, n)
    own[0] = 0.02
    table = np.where(codes[:, None] == 0, np.stack([own, 1 - own], axis=1), np.stack([1 - own, own], axis=1))
    return {"id": [f"q{row:03d}" for row in range(n)], "label": [LABELS[code] for code in codes.tolist()]}, table


def test_items_without_probabilities_are_not_judged_and_the_notes_are_in_the_json():
    data, table = draw_given()
    whole = find_suspects(pl.DataFrame(data), probabilities=table, text="none")
    assert (whole.n_judged, whole.notes) == (200, [])
    table[3], table[4], table[5] = 0.0, np.nan, table[5] / 2
    result = find_suspects(pl.DataFrame(data), probabilities=table, text="none")
    assert result.n_judged == 198
    assert set(result.items.filter(pl.col("suspicion").is_null())["id"]) == {"q003", "q004"}
    assert [note.split(":")[0] for note in result.to_dict()["notes"]] == ["Probabilities", "Probabilities"]
    assert "2 items were not judged" in " ".join(block.text for block in result.blocks() if hasattr(block, "text"))


def test_probabilities_without_any_evidence_are_refused():
    data, table = draw_given()
    with pytest.raises(AssayError, match="only rows of zeros"):
        find_suspects(pl.DataFrame(data), probabilities=table * 0, text="none")
