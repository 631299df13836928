import numpy as np
import pytest

from assay.discrimination import redundancy


def test_a_copy_is_redundant_and_noise_is_not():
    generator = np.random.default_rng(0)
    x = generator.normal(size=80)
    table = np.stack([x, x + 0.01 * generator.normal(size=80), generator.normal(size=80)], axis=1)
    found = redundancy(table)
    assert found.r_squared[:2].min() > 0.99
    assert found.r_squared[2] < 0.2
    assert found.nearest.tolist()[:2] == [1, 0]


def test_the_leave_one_out_error_equals_a_refit_without_each_system():
    from sklearn.linear_model import Ridge

    z = np.random.default_rng(1).normal(size=(15, 3))
    z[:, 2] += z[:, 0]
    z = (z - z.mean(axis=0)) / z.std(axis=0)
    best = -np.inf
    for penalty in 10.0 ** np.arange(-3, 4) * 15:
        errors = []
        for row in range(15):
            kept = np.arange(15) != row
            model = Ridge(alpha=penalty).fit(z[kept, :2], z[kept, 2])
            errors.append(z[row, 2] - model.predict(z[[row], :2])[0])
        left_out = z[:, 2] - (z[:, 2].sum() - z[:, 2]) / 14
        best = max(best, 1 - np.square(errors).sum() / np.square(left_out).sum())
    assert redundancy(z).r_squared[2] == pytest.approx(best, abs=0.03)


def test_too_few_systems_say_so():
    assert "at least 4 systems" in redundancy([[1, 2], [2, 1]]).reason


def test_a_constant_dataset_is_undefined():
    table = np.random.default_rng(0).random((10, 3))
    table[:, 1] = 5
    assert np.isnan(redundancy(table).r_squared[1])
