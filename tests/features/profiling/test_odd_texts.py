import numpy as np
import polars as pl
import pytest

from assay.features.profiling.odd_texts import find_odd_texts


@pytest.mark.parametrize(
    ("text", "oddity"),
    [
        ("  ", "empty"),
        ("?!", "no_words"),
        ("a\x00b", "control_characters"),
        ("caf\ufffd", "replacement_characters"),
        ("5 &lt; 6", "escaped_characters"),
        ("line<br/>break", "markup"),
        ("it #39;s", "escaped_characters"),
        ("caf&#xe9;", "escaped_characters"),
        ("cafÃ©", "wrong_encoding"),
        ("it\x92s", "wrong_encoding"),
        ("https://example.org/x", "only_a_link"),
    ],
)
def test_each_oddity_is_found(text, oddity):
    lengths = np.array([0 if oddity in ("empty", "no_words") else 1, 1])
    odd = find_odd_texts(pl.Series([text, "fine"]), lengths, pl.Series(["x", "y"]))
    assert odd.counts == {oddity: 1}
    assert odd.examples == {oddity: ("x",)}


def test_a_plain_comparison_is_not_markup():
    assert not find_odd_texts(pl.Series(["a < b > c"]), np.array([3]), pl.Series(["x"])).counts


def test_a_text_far_longer_than_the_rest_is_found():
    odd = find_odd_texts(pl.Series(["w"] * 9), np.array([1] * 8 + [50]), pl.Series(list("abcdefghi")))
    assert odd.examples == {"very_long": ("i",)}
