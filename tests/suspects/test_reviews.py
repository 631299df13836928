"""Suspects next to the verdicts of people."""

from __future__ import annotations

import pytest

import assay
from assay.base.errors import AssayError
from assay.data.bundled import BUNDLED, find_bundled
from assay.suspects import compare_with_review, find_suspects, read_verdicts


@pytest.fixture(scope="module")
def mmlu():
    return assay.read(find_bundled("data", "mmlu-redux"))


def test_the_bundled_verdicts_are_those_of_the_annotators(mmlu):
    verdicts = read_verdicts(mmlu, "error_type")
    assert (len(verdicts), int(verdicts["verdict"].sum())) == (2900, 2900 - 2738)


def test_suspects_of_the_bundled_benchmark_are_confirmed_far_above_chance(mmlu):
    result = find_suspects(mmlu, find_bundled("predictions", "mmlu-redux"), text_model=False, reviewed="error_type")
    suspects = result.choose()["id"].to_list()
    bad = {
        row["id"] for row in mmlu.frame.select("id", "error_type").iter_rows(named=True) if row["error_type"] != "ok"
    }
    review = result.review
    assert (review.n_suspects, review.n_confirmed) == (len(suspects), len(bad & set(suspects)))
    assert review.confirmed.low > 3 * review.n_bad / review.n_reviewed


def test_items_that_nobody_reviewed_count_nowhere():
    data = assay.read({"text": list("abcd"), "label": list("xyxy"), "verdict": ["ok", "wrong", None, ""]})
    verdicts = read_verdicts(data, "verdict")
    review = compare_with_review(["1", "2", "3"], verdicts)
    assert (review.n_reviewed, review.n_bad, review.n_suspects, review.n_confirmed) == (2, 1, 1, 1)


@pytest.mark.parametrize(("cells", "message"), [([None, None], "is empty"), (["bad", "worse"], "calls every item bad")])
def test_a_column_that_says_nothing_is_an_error(cells, message):
    data = assay.read({"text": ["a", "b"], "label": ["x", "y"], "verdict": cells, "other": ["1", "2"]})
    with pytest.raises(AssayError, match=message):
        read_verdicts(data, "verdict")


def test_the_demos_have_a_licence_and_small_files():
    for bundled in BUNDLED.values():
        size = sum(bundled.find(file).stat().st_size for file in bundled.files)
        assert bundled.licence
        assert size < 400_000
