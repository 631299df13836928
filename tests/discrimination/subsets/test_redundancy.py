import numpy as np
import pytest

from assay.discrimination.subsets.redundancy import measure_redundancy


def test_a_copy_is_redundant_and_noise_is_not():
    generator = np.random.default_rng(0)
    x = generator.normal(size=80)
    table = np.stack([x, x + 0.01 * generator.normal(size=80), generator.normal(size=80)], axis=1)
    result = measure_redundancy(table)
    assert result.r_squared[:2].min() > 0.99
    assert result.r_squared[2] < 0.2
    assert result.nearest.tolist()[:2] == [1, 0]


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
    assert measure_redundancy(z).r_squared[2] == pytest.approx(best, abs=0.03)


def test_too_few_systems_give_a_reason():
    assert "at least 4 systems" in measure_redundancy([[1, 2], [2, 1]]).reason


def test_a_constant_dataset_is_undefined():
    table = np.random.default_rng(0).random((10, 3))
    table[:, 1] = 5
    assert np.isnan(measure_redundancy(table).r_squared[1])


def predict_column(z, column):
    """Return the best leave-one-out R² of a ridge regression on the other columns, by their singular values."""
    others, target = np.delete(z, column, axis=1), z[:, column]
    left, values, _ = np.linalg.svd(others, full_matrices=False)
    n = len(target)
    base = np.square((target - target.mean()) / (1 - 1 / n)).sum()
    errors = []
    for penalty in 10.0 ** np.arange(-3, 4) * n:
        shrink = values**2 / (values**2 + penalty)
        freedom = 1 - (left**2 * shrink).sum(axis=1) - 1 / n
        residual = target - left @ (shrink * (left.T @ target))
        errors.append(np.square(residual / np.maximum(freedom, 1e-9)).sum())
    return 1 - min(errors) / base


@pytest.mark.parametrize(("n_systems", "n_datasets"), [(30, 6), (8, 20), (12, 12)])
def test_all_columns_at_once_equal_one_regression_per_column(n_systems, n_datasets):
    generator = np.random.default_rng(n_systems)
    scores = generator.normal(size=(n_systems, n_datasets)) + generator.normal(size=(n_systems, 1))
    scores[:, 2] = scores[:, 0] + 1e-3 * scores[:, 1]
    z = (scores - scores.mean(axis=0)) / scores.std(axis=0)
    expected = [predict_column(z, column) for column in range(n_datasets)]
    assert measure_redundancy(scores).r_squared == pytest.approx(expected, rel=1e-9, abs=1e-9)


def test_the_frame_has_one_row_per_dataset():
    frame = measure_redundancy(np.random.default_rng(0).random((10, 3))).to_frame()
    assert frame.columns == ["r_squared", "nearest", "nearest_correlation"]
    assert frame.height == 3
