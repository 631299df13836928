"""The length split."""

from hypothesis import assume, given
from hypothesis import strategies as st

from assay.splits import LengthSplit


def by_part(lengths, parts):
    return {part: [n for n, name in zip(lengths, parts, strict=True) if name == part] for part in set(parts)}


@given(lengths=st.lists(st.integers(0, 6), min_size=2, max_size=40), size=st.floats(0.05, 0.7))
def test_every_test_text_is_longer_than_any_training_text(lengths, size):
    texts = [" ".join(["word"] * n) for n in lengths]
    assume(len(set(lengths)) > 1 and round(size * len(texts)) < len(texts))
    sides = by_part(lengths, LengthSplit(test_size=size).partition(texts).parts)
    assert min(sides["test"]) > max(sides["train"])


def test_the_dev_set_holds_the_next_longest():
    lengths = [3, 1, 5, 2, 4, 6, 1, 2, 3, 1]
    texts = [" ".join(["word"] * n) for n in lengths]
    sides = by_part(lengths, LengthSplit(test_size=2, dev_size=3).partition(texts).parts)
    assert (sorted(sides["test"]), sorted(sides["dev"])) == ([5, 6], [3, 3, 4])


def test_the_size_is_the_nearest_one_possible_and_stands_beside_the_one_asked_for():
    draw = LengthSplit(test_size=0.3).partition(["a b"] * 2 + ["a"] * 4 + ["a b c"] * 2 + [""] * 2)
    assert draw.asked["test"] == 3
    assert draw.sizes["test"] == 2
