import math

import pytest

from assay.discrimination import DatasetDiscrimination, propose_actions
from assay.discrimination.lambdas.verdicts import CANNOT_TELL, DISCRIMINATES, DOES_NOT_DISCRIMINATE
from assay.statistics import Interval


def make_dataset(verdict, headroom, n_within_one, side="above"):
    lambdas = dict.fromkeys(("lambda_var", "lambda_sva", "lambda_hit"), Interval(math.nan, math.nan, math.nan))
    return DatasetDiscrimination(
        benchmark="b",
        dataset="d",
        metric="m",
        n_systems=8,
        n_items=None,
        mean=90.0,
        upper=100.0,
        **lambdas,
        verdict=verdict,
        verdict_var=side,
        verdict_sva=side,
        verdict_basis="interval",
        reason=None,
        headroom=headroom,
        top_range=1.0,
        compression=0.5,
        n_within_one=n_within_one,
    )


@pytest.mark.parametrize(
    ("verdict", "headroom", "n_within_one", "expected"),
    [
        (DISCRIMINATES, 20.0, 1, ("keep", DISCRIMINATES)),
        (DISCRIMINATES, 0.5, 1, ("keep", DISCRIMINATES)),
        (DISCRIMINATES, 0.5, 3, ("repair", "saturated at the top")),
        (DOES_NOT_DISCRIMINATE, 20.0, 3, ("repair", DOES_NOT_DISCRIMINATE)),
        (DOES_NOT_DISCRIMINATE, 0.5, 1, ("retire", "saturated")),
        (DOES_NOT_DISCRIMINATE, math.nan, 1, ("repair", DOES_NOT_DISCRIMINATE)),
    ],
)
def test_a_dataset_is_judged_by_its_verdict_and_its_headroom(verdict, headroom, n_within_one, expected):
    (row,) = propose_actions([make_dataset(verdict, headroom, n_within_one)])
    assert (row.proposal, row.proposal_reason) == expected
    assert (row.benchmark, row.dataset, row.metric) == ("b", "d", "m")


@pytest.mark.parametrize(("side", "expected"), [("above", "keep"), ("below", "retire")])
def test_without_items_the_reference_values_decide(side, expected):
    (row,) = propose_actions([make_dataset(CANNOT_TELL, 0.5, 1, side)])
    assert row.proposal == expected
