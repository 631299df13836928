import numpy as np
import pytest

from assay.discrimination import measure_hit_rate
from assay.discrimination.lambdas.hit_null import approximate_null_rate


def draw_equal_systems(generator, n_systems, n_items):
    right = generator.uniform(0.2, 0.9, n_items)
    return (generator.random((n_systems, n_items)) < right).astype(float)


@pytest.mark.parametrize(("resampling", "share"), [("bootstrap", 0.8), ("subsample", 0.8), ("subsample", 0.5)])
def test_equal_systems_have_this_hit_rate_on_average(resampling, share):
    generator = np.random.default_rng(0)
    results = [measure_hit_rate(draw_equal_systems(generator, 5, 120), resampling, share) for _ in range(60)]
    observed = np.mean([result.lambda_hit for result in results])
    expected = np.mean([result.null for result in results])
    assert observed == pytest.approx(expected, abs=0.02)


def test_many_items_approach_the_limit():
    table = draw_equal_systems(np.random.default_rng(1), 3, 20_000)
    assert measure_hit_rate(table).null == pytest.approx(0.75, abs=0.005)
    assert approximate_null_rate("bootstrap", 0.8) == 0.75


def test_systems_with_equal_answers_have_no_winner():
    assert measure_hit_rate(np.ones((3, 10))).null == 0
