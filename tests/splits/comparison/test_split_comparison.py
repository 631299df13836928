"""Splits compared side by side."""

import numpy as np
import pytest
from tests.marks import unmarked_fields

import assay.text
from assay.base.codec import from_plain, to_json, to_plain
from assay.base.errors import AssayError, UsageError
from assay.splits import (
    LengthSplit,
    PartAssignment,
    RandomSplit,
    SplitComparison,
    StratifiedSplit,
    compare_splits,
)
from assay.text import Corpus, exact_duplicates, near_duplicates

WORDS = "ash bay cod doe elk fir gum hay ivy jay kit log mud nut oak".split()
RNG = np.random.default_rng(0)
TEXTS = [" ".join(RNG.choice(WORDS, size=3 + row % 9)) for row in range(240)]
LABELS = ["xy"[row % 2] for row in range(240)]
SPLITS = {
    "random": RandomSplit(test_size=0.2).partition(TEXTS),
    "length": LengthSplit(test_size=0.2, dev_size=0.1).partition(TEXTS),
    "folds": StratifiedSplit(n_splits=3).partition(TEXTS, LABELS),
    "repeats": list(RandomSplit(test_size=0.2, n_repeats=2).iterate_partitions(TEXTS)),
}
WORD_MEASURES = {"oov", "jsd", "overlap"}


@pytest.fixture(scope="module")
def comparisons():
    return compare_splits(TEXTS, SPLITS, LABELS, n_permutations=40)


def test_parts_are_described_by_name(comparisons):
    assert list(comparisons["length"].parts) == ["train", "dev", "test"]
    assert list(comparisons["folds"].parts) == ["1", "2", "3"]
    assert list(comparisons["repeats"].parts) == [f"{part} (repeat {n})" for n in (0, 1) for part in ("train", "test")]
    train, test = comparisons["length"].parts["train"], comparisons["length"].parts["test"]
    assert train.length_max < test.length_min
    assert train.n + test.n + comparisons["length"].parts["dev"].n == 240
    assert sum(test.labels.values()) == pytest.approx(1)
    assert train.against == {}


def test_every_measure_has_a_value_and_a_null(comparisons):
    for comparison in comparisons.values():
        for name in ("oov", "jsd", "wasserstein", "mmd", "a_distance"):
            divergence = comparison.divergence[name]
            assert divergence.null.low <= divergence.null.high
            assert divergence.n_permutations == 40


def test_the_summary_of_folds_is_the_mean_over_folds(comparisons):
    folds = comparisons["folds"].parts.values()
    mean = np.mean([part.against["jsd"].value for part in folds])
    assert comparisons["folds"].divergence["jsd"].value == pytest.approx(mean)


def test_the_length_split_differs_and_the_random_split_does_not():
    texts = [
        " ".join(RNG.choice(WORDS[:5] if row % 10 else WORDS[5:], size=3 if row % 10 else 9)) for row in range(300)
    ]
    splits = {"random": RandomSplit(test_size=0.1).partition(texts), "length": LengthSplit().partition(texts)}
    comparisons = compare_splits(texts, splits, n_permutations=60)
    for name in ("oov", "jsd", "mmd", "a_distance", "wasserstein"):
        far, near = comparisons["length"].divergence[name], comparisons["random"].divergence[name]
        assert far.value > far.null.high
        assert far.p < 0.05
        assert near.p > 0.005
    assert comparisons["length"].domain_accuracy == 1.0


def test_duplicates_on_both_sides_are_counted():
    texts = ["one and the same text occurs here"] * 4 + [f"text number {row} about {WORDS[row]}" for row in range(12)]
    parts = np.array(["train"] * 2 + ["test"] * 2 + ["train"] * 10 + ["test"] * 2, dtype=object)
    leaks = compare_splits(texts, {"given": PartAssignment(parts)}, include=["duplicates"])["given"].leaks
    assert leaks.exact == 2
    assert leaks.near >= 2
    assert leaks.examples[0] == ["2", "0"]


@pytest.mark.parametrize("backend", [None, "processes"])
def test_jobs_and_the_back_end_change_no_byte(comparisons, backend):
    again = compare_splits(TEXTS, SPLITS, LABELS, n_permutations=40, n_jobs=2, backend=backend)
    assert to_json(again) == to_json(comparisons)


def test_the_within_variance_is_that_of_the_parts(comparisons):
    parts = comparisons["folds"].parts.values()
    assert comparisons["folds"].within_variance == pytest.approx(
        sum(part.n * part.within_variance for part in parts) / 240
    )


@pytest.mark.parametrize(
    ("piece", "measures"),
    [
        ("words", WORD_MEASURES),
        ("vectors", {"wasserstein", "mmd"}),
        ("domain", {"a_distance"}),
        ("duplicates", set()),
        ("typical-words", set()),
        ("projection", set()),
    ],
)
def test_a_piece_computed_alone_is_that_of_the_whole(comparisons, piece, measures):
    split, whole = SPLITS["length"], comparisons["length"]
    only = compare_splits(TEXTS, {"length": split}, LABELS, n_permutations=40, include=[piece])["length"]
    assert only.divergence == {name: whole.divergence[name] for name in measures}
    assert only.leaks == (whole.leaks if piece == "duplicates" else None)
    assert only.projection == (whole.projection if piece == "projection" else None)
    assert np.isnan(only.domain_accuracy) == (piece != "domain")
    words = [part.typical_words for part in whole.parts.values()]
    assert [part.typical_words for part in only.parts.values()] == (words if piece == "typical-words" else [[]] * 3)
    assert only.parts["test"].n_words == whole.parts["test"].n_words


def refuse_to_compute(*_arguments, **_options):
    raise AssertionError("computed again")


@pytest.fixture
def computes_nothing(monkeypatch):
    """Let encoders and searches for duplicates fail."""
    for name in ("make_encoder", "near_duplicates", "exact_duplicates"):
        monkeypatch.setattr(assay.text, name, refuse_to_compute)


@pytest.mark.usefixtures("computes_nothing")
def test_a_comparison_of_words_encodes_no_text_and_searches_no_duplicate():
    compare_splits(TEXTS, {"length": SPLITS["length"]}, include=["words", "typical-words"], n_permutations=2)
    with pytest.raises(AssertionError, match="computed again"):
        compare_splits(TEXTS, {"length": SPLITS["length"]}, include=["vectors"], n_permutations=2)


def test_ready_words_vectors_and_duplicates_change_no_byte(comparisons, monkeypatch):
    ready = {
        "corpus": Corpus.from_texts(TEXTS),
        "vectors": assay.text.make_encoder("tfidf").fit_transform(TEXTS),
        "exact_duplicates": exact_duplicates(TEXTS),
        "near_duplicates": near_duplicates(TEXTS),
    }
    for name in ("make_encoder", "near_duplicates", "exact_duplicates"):
        monkeypatch.setattr(assay.text, name, refuse_to_compute)
    monkeypatch.setattr(Corpus, "from_texts", refuse_to_compute)
    again = compare_splits(TEXTS, SPLITS, LABELS, n_permutations=40, **ready)
    assert to_json(again) == to_json(comparisons)


def test_a_corpus_can_take_the_place_of_texts(comparisons):
    by_words = compare_splits(Corpus.from_texts(TEXTS), SPLITS, LABELS, n_permutations=40)
    assert to_json(by_words) == to_json(comparisons)  # these texts are nothing but their words


def test_a_comparison_read_back_from_its_dictionary_is_the_same(comparisons):
    for comparison in comparisons.values():
        back = from_plain(SplitComparison, to_plain(comparison))
        assert to_json(back) == to_json(comparison)


def test_the_frame_has_one_line_per_measure(comparisons):
    frame = comparisons["length"].to_frame()
    assert frame.columns == ["measure", "value", "null_low", "null_high", "p", "n_permutations"]
    assert set(frame["measure"]) == WORD_MEASURES | {"wasserstein", "mmd", "a_distance"}
    value = comparisons["length"].divergence["oov"].value
    assert repr(comparisons["length"]).startswith(f"SplitComparison(3 parts of 240 rows: oov {value:.4g}, jsd ")
    points = comparisons["length"].projection.to_frame()
    assert points.columns == ["id", "x", "y", "part"]
    assert len(points) == 240


def test_every_field_that_holds_text_is_marked():
    assert list(unmarked_fields(SplitComparison)) == []


def test_wrong_requests_are_errors():
    with pytest.raises(UsageError, match=r"No piece of a comparison 'word'\. Did you mean 'words'"):
        compare_splits(TEXTS, SPLITS, include=["word"])
    with pytest.raises(AssayError, match="10 texts, but the split assigns 240 rows"):
        compare_splits(TEXTS[:10], {"random": SPLITS["random"]}, include=["words"])
    with pytest.raises(AssayError, match="240 texts, but 3 labels"):
        compare_splits(TEXTS, {"random": SPLITS["random"]}, ["x", "y", "x"])


def test_splits_of_the_same_sizes_share_their_random_splits():
    """Which rows a split takes, and how its folds are numbered, does not change what random splits give."""
    from assay.splits.assignments import FoldAssignment
    from assay.splits.comparison.compared_texts import ComparedTexts
    from assay.splits.comparison.measuring import measure_pairs
    from assay.splits.comparison.pairs import pair_parts

    rng = np.random.default_rng(0)
    texts = ComparedTexts([" ".join(rng.choice(list("abcdefgh"), 5)) for _ in range(60)])
    folds = np.repeat([1, 2, 3], [10, 20, 30])
    others = np.array([0, 3, 1, 2])[rng.permutation(folds)]  # fold 3 has 10 rows, fold 1 has 20
    include = ("words", "vectors")
    (_, first), (_, second), (_, other) = (
        measure_pairs(texts, pair_parts([FoldAssignment(numbers)]), include, 20)
        for numbers in (folds, others, np.repeat([1, 2, 3], 20))
    )
    for name in first:
        np.testing.assert_array_equal(second[name], first[name][:, [1, 2, 0]])
    assert not np.array_equal(other["jsd"], first["jsd"])
    assert first["jsd"][:, 0].mean() > first["jsd"][:, 2].mean()  # the fold of 10 rows
