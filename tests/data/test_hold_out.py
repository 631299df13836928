"""One rule says which part takes the place of a missing one, and every stratified draw goes through one function."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.base.errors import AssayError
from assay.data.hold_out import (
    choose_parts,
    draw_per_class,
    hold_out_per_class,
    sample_per_class,
    select_part_rows,
    split_train_test,
)
from assay.kinds import read

CODES = st.lists(st.integers(0, 4), min_size=1, max_size=60).map(np.array)


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        ({"train", "dev", "test"}, ("train", "test")),
        ({"train", "test"}, ("train", "test")),
        ({"train", "dev"}, ("train", "dev")),
        ({"dev", "test"}, ("dev", "test")),
        ({"train", "unused"}, None),
        ({"test"}, None),
        (set(), None),
    ],
)
def test_dev_takes_the_place_of_a_missing_part(names, expected):
    assert choose_parts(names) == expected
    only_train = None if "train" not in names else expected
    assert choose_parts(names, train=("train",)) == only_train


def test_rows_are_selected_by_part():
    rows = select_part_rows(["test", "train", "dev", None, "train", "other"])
    assert [part.tolist() for part in (rows.train, rows.dev, rows.test)] == [[1, 4], [2], [0]]
    rows = select_part_rows(pl.Series(["test", "dev", None]), train="dev")
    assert [part.tolist() for part in (rows.train, rows.dev, rows.test)] == [[1], [], [0]]


@pytest.mark.parametrize(
    ("splits", "train", "test", "message"),
    [
        (["train", "dev", "test"], "a", "c", None),
        (["train", "dev", "dev"], "a", "b", "There is no test part: dev takes its place."),
        (["dev", "dev", "test"], "a", "c", "There is no train part: dev takes its place."),
        (["train", "test", "unused"], "a", "b", None),
    ],
)
def test_train_and_test_are_what_the_parts_say(splits, train, test, message):
    first, second, note = read({"text": ["a", "b", "c"], "split": splits}).split_train_test()
    assert (first.texts[0], second.texts[0]) == (train, test)
    assert note == message


def test_dev_is_kept_apart_where_there_are_three_parts():
    rows, _ = split_train_test(read({"text": ["a", "b", "c"], "split": ["train", "dev", "test"]}))
    assert (rows.train.tolist(), rows.dev.tolist(), rows.test.tolist()) == ([0], [1], [2])


@pytest.mark.parametrize("split", [None, "train", "dev", "other"])
def test_without_two_parts_a_stratified_split_is_drawn(split):
    source = {"text": [f"text {i}" for i in range(100)], "label": ["a"] * 60 + ["b"] * 40}
    data = read({**source, **({"split": [split] * 100} if split else {})})
    train, test, note = data.split_train_test(random_state=3)
    assert sorted(train.ids.to_list() + test.ids.to_list()) == sorted(data.ids.to_list())
    assert test.labels.to_list().count("a") == 12
    assert len(test) == 20
    assert "a stratified split of 80 to 20 (seed 3)" in note
    assert data.split_train_test(random_state=3)[1].fingerprint == test.fingerprint
    assert data.split_train_test(random_state=4)[1].fingerprint != test.fingerprint


@given(st.lists(st.sampled_from(["a", "b", "c", None]), min_size=2, max_size=60), st.integers(0, 5))
@settings(max_examples=60, deadline=None)
def test_every_label_gives_its_fifth_to_one_row(labels, seed):
    data = read(pl.DataFrame({"text": ["t"] * len(labels), "label": labels}, schema={"text": str, "label": str}))
    train, test, _ = data.split_train_test(random_state=seed)
    assert len(train)
    assert len(test)
    for label in set(labels) - {None}:
        assert abs(test.labels.to_list().count(label) - labels.count(label) / 5) < 1


def test_one_row_cannot_be_split():
    with pytest.raises(AssayError, match="data: 1 row: too few to split"):
        read(["a"]).split_train_test()


@given(CODES, st.integers(0, 5))
def test_draws_match_a_loop_over_classes(codes, seed):
    """The draws of the first version: one permutation per class, in the order of the codes."""
    random, expected = np.random.default_rng(seed), np.zeros(len(codes), dtype=bool)
    for code in sorted(set(codes.tolist())):
        members = np.array([row for row in range(len(codes)) if codes[row] == code])
        expected[random.permutation(members)[: round(0.125 * len(members))]] = True
    drawn = draw_per_class(codes, lambda size: round(0.125 * size), np.random.default_rng(seed))
    assert drawn.tolist() == expected.tolist()


@given(CODES, st.sampled_from([0.1, 0.125, 0.5, 0.9]), st.integers(0, 5))
def test_every_class_keeps_a_row_for_training(codes, share, seed):
    held_out = hold_out_per_class(codes, share, seed)
    for code in np.unique(codes):
        size = int((codes == code).sum())
        count = int(held_out[codes == code].sum())
        assert count <= size - 1
        assert count <= max(1, round(share * size + 1e-9))
    assert held_out.any() == (len(codes) > len(np.unique(codes)))


@given(CODES, st.integers(1, 60), st.integers(0, 5))
def test_a_sample_keeps_the_shares_of_the_classes(codes, size, seed):
    rows = np.arange(0, len(codes), 2)
    sample = sample_per_class(codes, rows, size, seed)
    assert set(sample.tolist()) <= set(rows.tolist())
    for code in np.unique(codes[rows]):
        n = int((codes[rows] == code).sum())
        assert int((codes[sample] == code).sum()) == min(n, max(2, round(size * n / len(rows))))


def test_draws_are_those_of_the_first_version():
    assert np.flatnonzero(hold_out_per_class(np.array([0] * 8 + [1] * 8 + [2]), 0.125, 0)).tolist() == [2, 14]
    assert sample_per_class(np.array([0] * 10 + [1] * 10), np.arange(20), 6, 0).tolist() == [2, 4, 6, 12, 13, 19]
