import numpy as np
import pytest

from assay.base.errors import UsageError
from assay.discrimination import fit_item_response


def draw_answers(seed=0, n_systems=200, n_items=150):
    generator = np.random.default_rng(seed)
    ability, difficulty = generator.normal(size=n_systems), generator.normal(size=n_items)
    slope = generator.lognormal(0.3, 0.4, n_items)
    chance = 1 / (1 + np.exp(-slope * (ability[:, None] - difficulty)))
    return (generator.random(chance.shape) < chance).astype(float), ability, difficulty, slope


def test_abilities_and_difficulties_are_recovered():
    table, ability, difficulty, slope = draw_answers()
    result = fit_item_response(table)
    assert np.corrcoef(result.ability, ability)[0, 1] > 0.95
    assert np.corrcoef(np.clip(result.difficulty, -4, 4), difficulty)[0, 1] > 0.9
    assert np.corrcoef(result.discrimination, slope)[0, 1] > 0.5
    assert result.converged


def test_the_fit_predicts_hidden_answers_and_its_control_does_not():
    result = fit_item_response(draw_answers()[0])
    assert result.gain > 0.02
    assert result.gain_shuffled < 0.01


def test_missing_answers_are_allowed():
    table = draw_answers()[0]
    table[0, :50] = np.nan
    assert np.isfinite(fit_item_response(table, control=False).ability).all()


def test_numbers_are_refused():
    with pytest.raises(UsageError, match="outcomes of 0 and 1"):
        fit_item_response([[0.5, 1], [0, 1]])


@pytest.mark.parametrize("typical", [1.0, 2.2])
def test_slopes_have_the_scale_of_abilities_with_unit_variance(typical):
    generator = np.random.default_rng(0)
    ability, difficulty = generator.normal(size=100), generator.normal(size=200)
    slope = typical * np.exp(0.3 * generator.normal(size=200))
    chance = 1 / (1 + np.exp(-slope * (ability[:, None] - difficulty)))
    table = (generator.random(chance.shape) < chance).astype(float)
    result = fit_item_response(table, control=False)
    assert np.median(result.discrimination) == pytest.approx(np.median(slope), rel=0.1)
    assert result.ability.std() == pytest.approx(1.0, abs=0.1)


@pytest.mark.parametrize("chance", [None, 0.25])
def test_many_items_are_fitted_in_blocks(monkeypatch, chance):
    """As if all were in one, but for the rounding of sums."""
    table = draw_answers(n_systems=20)[0]
    chances = None if chance is None else np.full(table.shape[1], chance)
    whole = fit_item_response(table, 5, chances=chances)
    monkeypatch.setattr("assay.discrimination.items.item_response.BLOCK_ITEMS", 40)
    cut = fit_item_response(table, 5, chances=chances)
    for name in ("ability", "difficulty", "discrimination", "gain", "gain_shuffled", "log_likelihood"):
        assert getattr(cut, name) == pytest.approx(getattr(whole, name), rel=1e-9), name
