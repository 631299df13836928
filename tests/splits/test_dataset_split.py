"""Whole datasets split by the name of a method."""

import numpy as np
import pytest
from tests.marks import unmarked_fields

import assay
from assay.base.codec import to_json
from assay.base.errors import AssayError, UsageError
from assay.kinds import read
from assay.splits import SPLITS, FoldAssignment, FoldSplitter, SplitResult, read_folds, split
from assay.text import Corpus

DATA = {
    "id": list("abcdefgh"),
    "text": [f"text {letter}" for letter in "abcdefgh"],
    "label": ["x", "y"] * 3 + ["x", None],
    "writer": list("kkllmmnn"),
}
RNG = np.random.default_rng(0)
WORDS = "ash bay cod doe elk fir gum hay ivy jay kit log".split()
TEXTS = [" ".join(RNG.choice(WORDS, size=2 + row % 5)) + f" w{row % 19}" for row in range(60)]
MANY = {"text": TEXTS, "label": ["xy"[row % 2] for row in range(60)]}


def test_it_is_a_function_of_the_package():
    assert assay.split is split


def test_requested_and_actual_sizes_and_label_shares_are_reported():
    result = split(DATA, "stratified", test_size=0.25)
    train, test = result.sizes
    assert (train.part, train.requested, train.n, test.part, test.requested, test.n) == ("train", 6, 6, "test", 2, 2)
    assert result.notes == ["1 row has no label; methods that use labels treat them as one more label."]
    assert sum(train.labels.values()) == pytest.approx(1)


def test_groups_of_the_data_stay_whole():
    result = split(read(DATA, group="writer"), "random", n_splits=2)
    folds = result.draws[0].folds.tolist()
    assert folds[0::2] == folds[1::2]
    assert "4 groups of 8 rows stay whole." in result.notes


def test_groups_that_are_passed_replace_those_of_the_data():
    result = split(read(DATA, group="writer"), "random", n_splits=2, groups=[0, 0, 0, 0, 1, 1, 1, 1])
    assert len(set(result.draws[0].folds[:4])) == 1
    assert "2 groups of 8 rows stay whole." in result.notes


def test_a_row_without_a_group_is_a_group_of_its_own():
    data = read({**DATA, "writer": ["k", "k"] + [None] * 6}, group="writer")
    assert "7 groups of 8 rows stay whole." in split(data, "random", n_splits=2).notes


def test_near_duplicates_can_be_kept_together():
    texts = [f"a rather long text about {word} and the sea, with number {row}" for row, word in enumerate(WORDS)]
    texts[7] = texts[2]
    for seed in range(3):
        result = split({"text": texts}, "random", n_splits=4, keep_together="duplicates", random_state=seed)
        assert result.draws[0].folds[7] == result.draws[0].folds[2]
    with pytest.raises(UsageError, match="keep_together can only be 'duplicates', not 'labels'"):
        split({"text": texts}, "random", keep_together="labels")


def test_a_size_missed_by_more_than_a_tenth_is_reported():
    data = {"text": ["one two"] * 4 + ["one"] * 16, "label": ["x"] * 20}
    notes = split(data, "length", test_size=0.1).notes
    assert notes == ["test has 4 rows instead of 2: rows that belong together are not separated."]


def test_only_the_parts_that_are_named_are_split():
    data = read({**DATA, "split": ["train"] * 4 + ["dev"] * 2 + ["test"] * 2})
    assert split(data, "random", n_splits=2, parts=["train", "dev"]).ids == list("abcdef")
    with pytest.raises(AssayError, match="no part 'training'"):
        split(data, "random", n_splits=2, parts=["training"])


def test_dates_come_from_the_data():
    data = read({**DATA, "date": [f"2020-01-0{day}" for day in range(1, 9)]}, time="date")
    assert split(data, "temporal", test_size=2).draws[0].parts.tolist() == ["train"] * 6 + ["test"] * 2


def test_the_frame_is_the_folds_file(tmp_path):
    for options in ({"n_splits": 3}, {"test_size": 2, "dev_size": 1, "n_repeats": 2}):
        result = split(DATA, "random", **options)
        result.write_folds(tmp_path / "folds.tsv")
        written = read_folds(tmp_path / "folds.tsv").frame
        frame = result.to_frame()
        assert frame.columns[:2] == written.columns[:2]
        assert frame.rows() == written.select(frame.columns).rows()


def test_parts_are_written_as_files(tmp_path):
    paths = split(DATA, "random", test_size=2).write_parts(tmp_path / "parts")
    assert [path.name for path in paths] == ["train.tsv", "test.tsv"]
    assert len(read(tmp_path / "parts").part("test")) == 2


@pytest.mark.parametrize(
    "options",
    [
        {"method": "sds-k-means", "n_splits": 3},
        {"method": "stratified", "n_splits": 3},
        {"method": "random", "n_splits": 3},
        {"method": "bootstrap", "test_size": 0.2, "n_repeats": 2},
    ],
    ids=lambda options: options["method"],
)
def test_a_result_read_back_from_its_dictionary_is_the_same(options):
    result = split(MANY, **options)
    back = SplitResult.from_dict(result.to_dict())
    assert back.to_dict() == result.to_dict()
    assert back.details == result.details
    assert (
        back.draws[0].iterate_splits().__next__().test.tolist() == next(result.draws[0].iterate_splits()).test.tolist()
    )
    with pytest.raises(UsageError, match="has no data to write"):
        back.write_parts("folder")


def test_the_representation_is_short():
    result = split(MANY, "random", n_splits=4, n_repeats=2)
    assert repr(result) == "SplitResult('random', FoldAssignment(60 rows, 4 folds of 15 rows), 2 repeats)"


def test_every_field_that_holds_text_is_marked():
    assert [name for name in unmarked_fields(SplitResult) if not name.startswith("Dataset.")] == []


@pytest.mark.parametrize(
    ("method", "options"),
    [
        ("sds-k-means", {"n_splits": 3, "n_init": 4}),
        ("sds-k-means", {"test_size": 0.3, "n_init": 3, "n_repeats": 2}),
        ("wasserstein", {"test_size": 0.2, "n_repeats": 4}),
        ("random", {"n_splits": 3, "n_repeats": 4}),
        ("k-means", {"n_splits": 3, "n_repeats": 2}),
    ],
)
@pytest.mark.parametrize("backend", [None, "processes"])
def test_jobs_and_the_back_end_change_no_byte(method, options, backend):
    reference = split(MANY, method, **options)
    assert to_json(split(MANY, method, n_jobs=2, backend=backend, **options)) == to_json(reference)


@pytest.mark.parametrize("method", ["length", "random-length", "rare-words", "wasserstein"])
def test_a_ready_corpus_changes_no_byte(method):
    reference = split(MANY, method, test_size=0.2)
    assert to_json(split(MANY, method, test_size=0.2, corpus=Corpus.from_texts(TEXTS))) == to_json(reference)


def test_ready_vectors_are_used_in_place_of_the_encoder():
    vectors = np.random.default_rng(1).normal(size=(60, 4))
    by_vectors = split(MANY, "sds-k-means", n_splits=3, vectors=vectors)
    assert by_vectors.draws[0].folds.tolist() != split(MANY, "sds-k-means", n_splits=3).draws[0].folds.tolist()
    assert by_vectors.details[0].gap < 1e-9


def test_details_of_a_new_splitter_survive_json(monkeypatch):
    from dataclasses import dataclass

    from assay.splits.assignments import SplitDetails

    @dataclass(frozen=True)
    class AlternateDetails(SplitDetails):
        n_even: int

    @dataclass(frozen=True, kw_only=True)
    class AlternateSplit(FoldSplitter):
        details_type = AlternateDetails

        def _assign(self, X, y, groups, random_state):
            return FoldAssignment(np.arange(len(X)) % self.n_folds + 1, AlternateDetails(len(X) // 2))

    monkeypatch.setattr(SPLITS, "_methods", dict(SPLITS._methods))
    SPLITS.put("alternate", AlternateSplit)
    result = split({"text": ["a", "b", "c", "d"]}, "alternate", n_splits=2)
    assert SplitResult.from_dict(result.to_dict()).details == [AlternateDetails(2)]


def test_a_split_says_how_many_rows_its_parts_have():
    result = split({"text": ["a", "b", "c", "d"], "label": ["x", "y", "x", "y"]}, "stratified", n_splits=2)
    assert result.summary == "The stratified split of 4 rows: 2 folds of 2 rows."
    assert result.to_csv().splitlines()[0] == "part,requested,rows,share,x,y"
