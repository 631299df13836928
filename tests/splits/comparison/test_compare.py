"""Splits compared side by side."""

import numpy as np
import pytest

from assay.errors import UsageError
from assay.results import to_json
from assay.splits import LengthSplit, Parts, RandomSplit, StratifiedSplit, compare

WORDS = "ash bay cod doe elk fir gum hay ivy jay kit log mud nut oak".split()
DRAWN = np.random.default_rng(0).choice(WORDS, size=(240, 11))
TEXTS = [" ".join(words[: 3 + row % 9]) for row, words in enumerate(DRAWN)]
LABELS = ["xy"[row % 2] for row in range(240)]
SPLITS = {
    "random": RandomSplit(test_size=0.2).partition(TEXTS),
    "length": LengthSplit(test_size=0.2, dev_size=0.1).partition(TEXTS),
    "folds": StratifiedSplit(n_splits=3).partition(TEXTS, LABELS),
    "repeats": list(RandomSplit(test_size=0.2, n_repeats=2).partitions(TEXTS)),
}


@pytest.fixture(scope="module")
def found():
    return compare(TEXTS, SPLITS, LABELS, n_permutations=40)


def test_parts_are_described_by_name(found):
    assert list(found["length"].parts) == ["train", "dev", "test"]
    assert list(found["folds"].parts) == ["1", "2", "3"]
    assert list(found["repeats"].parts) == [f"{part} (repeat {n})" for n in (0, 1) for part in ("train", "test")]
    train, test = found["length"].parts["train"], found["length"].parts["test"]
    assert train.length_max < test.length_min
    assert train.n + test.n + found["length"].parts["dev"].n == 240
    assert sum(test.labels.values()) == pytest.approx(1)
    assert train.against == {}


def test_every_measure_has_a_value_and_a_null(found):
    for result in found.values():
        for name in ("oov", "jsd", "wasserstein", "mmd", "a_distance"):
            one = result.divergence[name]
            assert one.null_low <= one.null_high
            assert one.n_permutations == 40


def test_the_summary_of_folds_is_the_mean_over_folds(found):
    folds = found["folds"].parts.values()
    mean = np.mean([part.against["jsd"].value for part in folds])
    assert found["folds"].divergence["jsd"].value == pytest.approx(mean)


def test_the_length_split_differs_and_the_random_split_does_not():
    rng = np.random.default_rng(0)
    texts = [
        " ".join(rng.choice(WORDS[:5] if row % 10 else WORDS[5:], size=3 if row % 10 else 9)) for row in range(300)
    ]
    splits = {"random": RandomSplit(test_size=0.1).partition(texts), "length": LengthSplit().partition(texts)}
    found = compare(texts, splits, n_permutations=60)
    for name in ("oov", "jsd", "mmd", "a_distance", "wasserstein"):
        far, near = found["length"].divergence[name], found["random"].divergence[name]
        assert far.value > far.null_high
        assert far.p < 0.05
        assert near.p > 0.005
    assert found["length"].domain_accuracy == 1.0


def test_duplicates_across_the_cut_are_counted():
    texts = ["one and the same text stands here"] * 4 + [f"text number {row} about {WORDS[row]}" for row in range(12)]
    parts = np.array(["train"] * 2 + ["test"] * 2 + ["train"] * 10 + ["test"] * 2, dtype=object)
    leaks = compare(texts, {"given": Parts(parts, {})}, n_permutations=2)["given"].leaks
    assert leaks.exact == 2
    assert leaks.near >= 2
    assert leaks.examples[0] == ["2", "0"]


def test_one_seed_gives_the_same_bytes(found):
    again = compare(TEXTS, SPLITS, LABELS, n_permutations=40)
    assert to_json(again) == to_json(found)


def test_the_within_variance_is_that_of_the_parts(found):
    parts = found["folds"].parts.values()
    assert found["folds"].within_variance == pytest.approx(sum(part.n * part.within_variance for part in parts) / 240)


def test_without_folds_or_parts_there_is_nothing_to_compare():
    from assay.data import read
    from assay.splits.comparison.files import compare_splits

    with pytest.raises(UsageError, match="No folds file given, and the data has no parts of its own"):
        compare_splits(read({"text": ["a", "b"], "label": ["x", "y"]}), [])
