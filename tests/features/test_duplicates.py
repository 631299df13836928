import numpy as np

from assay.features.duplicates import duplicates

LONG = "the quick brown fox jumps over the lazy dog while the old farmer sleeps under a tall green tree near the river"
TEXTS = [LONG, LONG.upper(), LONG + " again", "nothing like it", "short one", "short one"]


def test_counts_are_of_items():
    found = duplicates(
        TEXTS,
        ids=list("abcdef"),
        labels=np.array([0, 0, 0, 1, 0, 1]),
        parts=["train", "train", "test", "test", "train", "test"],
    )
    assert found.exact == 4  # a b, e f
    assert found.near == 3  # a b c: the group holds two different texts
    assert found.across_parts == 5  # a b c, e f
    assert found.conflicting_labels == 2  # e f
    assert found.examples["conflicting_labels"] == [["e", "f"]]
    assert found.leaks["test in train"] == {"exact": 1, "near": 1}


def test_unlabelled_copies_do_not_conflict():
    found = duplicates(["same text"] * 2, ids=["a", "b"], labels=np.array([0, -1]))
    assert (found.exact, found.conflicting_labels, found.across_parts) == (2, 0, 0)


def test_no_items_have_no_duplicates():
    assert duplicates([], ids=[]).exact == 0
