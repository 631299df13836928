"""The random-length split."""

from hypothesis import given, reject
from hypothesis import strategies as st

from assay.base.errors import AssayError
from assay.splits import RandomLengthSplit


@given(lengths=st.lists(st.integers(0, 6), min_size=2, max_size=40), seed=st.integers(0, 20))
def test_no_length_is_on_two_sides(lengths, seed):
    texts = [" ".join(["word"] * n) for n in lengths]
    try:
        parts = RandomLengthSplit(test_size=0.2, dev_size=0.2, random_state=seed).partition(texts).parts
    except AssayError:  # too few lengths for three parts
        reject()
    sides = [{n for n, name in zip(lengths, parts, strict=True) if name == part} for part in ("train", "dev", "test")]
    assert len(set.union(*sides)) == sum(map(len, sides))


def test_the_size_is_close_to_the_requested_one():
    texts = [" ".join(["word"] * (1 + row % 30)) for row in range(900)]
    sizes = {RandomLengthSplit(random_state=seed).partition(texts).sizes["test"] for seed in range(10)}
    assert sizes == {90}
