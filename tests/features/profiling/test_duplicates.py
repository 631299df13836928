import numpy as np

from assay.features.profiling.duplicates import LeakCount, count_duplicates
from assay.text import Corpus, exact_duplicates, near_duplicates

LONG = "the quick brown fox jumps over the lazy dog while the old farmer sleeps under a tall green tree near the river"
TEXTS = [LONG, LONG.upper(), LONG + " again", "nothing like it", "short one", "short one"]
IDS = list("abcdef")


def test_counts_are_of_items():
    counted = count_duplicates(
        TEXTS,
        ids=IDS,
        labels=np.array([0, 0, 0, 1, 0, 1]),
        parts=["train", "train", "test", "test", "train", "test"],
    )
    assert counted.exact == 4  # a b, e f
    assert counted.near == 3  # a b c: the group has two different texts
    assert counted.across_parts == 5  # a b c, e f
    assert counted.conflicting_labels == 2  # e f
    assert counted.examples["conflicting_labels"] == (("e", "f"),)
    assert counted.leaks["test in train"] == LeakCount(exact=1, near=1)


def test_unlabelled_copies_do_not_conflict():
    counted = count_duplicates(["same text"] * 2, ids=["a", "b"], labels=np.array([0, -1]))
    assert (counted.exact, counted.conflicting_labels, counted.across_parts) == (2, 0, 0)


def test_no_items_have_no_duplicates():
    assert count_duplicates([], ids=[]).exact == 0


def test_words_and_groups_computed_before_are_used_as_they_are():
    plain = count_duplicates(TEXTS, IDS)
    assert count_duplicates(TEXTS, IDS, corpus=Corpus.from_texts(TEXTS)) == plain
    groups = {"exact_groups": exact_duplicates(TEXTS), "near_groups": near_duplicates(TEXTS)}
    assert count_duplicates(None, IDS, **groups) == plain
