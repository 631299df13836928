import numpy as np

from assay.discrimination import keep_datasets, keep_items


def test_one_of_many_copies_is_enough():
    x = np.random.default_rng(0).normal(size=30)
    found = keep_datasets(np.stack([x, 2 * x + 1, x - 3, 5 * x], axis=1))
    assert (found.size, found.agreement) == (1, 1.0)


def test_independent_datasets_are_all_needed():
    found = keep_datasets(np.random.default_rng(0).normal(size=(40, 6)))
    assert found.size == 6


def test_agreement_is_measured_on_systems_held_out():
    # Pure noise: the chosen datasets fit the systems at hand better than the others.
    found = keep_datasets(np.random.default_rng(1).normal(size=(30, 12)))
    assert found.front[0]["agreement"] < found.front[0]["agreement_all_systems"]


def test_the_front_rises_with_size():
    found = keep_datasets(np.random.default_rng(0).normal(size=(40, 8)) + np.linspace(0, 2, 40)[:, None])
    sizes, taus = zip(*((row["size"], row["agreement"]) for row in found.front), strict=True)
    assert list(sizes) == sorted(set(sizes))
    assert list(taus) == sorted(set(taus))


def test_few_items_keep_the_order_of_very_different_systems():
    generator = np.random.default_rng(0)
    table = (generator.random((20, 800)) < np.linspace(0.05, 0.95, 20)[:, None]).astype(float)
    found = keep_items(table)
    assert found.size < 600
    assert len(found.chosen) == found.size


def test_too_few_systems_say_so():
    assert "at least 6 systems" in keep_datasets(np.ones((3, 4))).reason


def test_equal_systems_say_so():
    assert "same mean" in keep_datasets(np.ones((10, 4))).reason
