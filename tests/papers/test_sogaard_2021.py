"""Søgaard et al. (2021), Table 2: the errors of split families against new samples, from the printed cells.

The cells are error reductions of seven tasks. A system per task is right on as many of 2,000 items of two equally
frequent labels as its cell says, so that `evaluate` must come to the cells and to their errors.
"""

from __future__ import annotations

import numpy as np
import pytest

from assay.evaluation import evaluate, read_predictions
from assay.splits import read_folds

N_ITEMS = 2_000
NEW = [0.927, 0.279, 0.450, 0.069, 0.767, 0.091, 0.618]
FAMILIES = {
    "standard": [0.961, 0.520, 0.800, 0.073, 0.502, None, None],
    "random": [0.962, 0.527, 0.808, 0.095, 0.626, 0.125, 0.681],
    "heuristic": [0.960, 0.232, 0.695, 0.062, 0.621, 0.196, 0.720],
    "adversarial": [0.944, 0.250, 0.706, 0.040, 0.711, -0.040, 0.634],
}
PRINTED = {"standard": 0.179, "random": 0.030, "heuristic": 0.015, "adversarial": 0.011}


def write_answers(path, cells):
    """Write the answers of a system per task, with the error reduction of its cell over guessing (one half)."""
    lines = ["system\tid\tgold\tpredicted"]
    for task, cell in enumerate(cells):
        if cell is not None:
            n_right = round(N_ITEMS / 2 * (1 + cell))
            lines += [f"task {task}\t{row}\t{row % 2}\t{(row + (row >= n_right)) % 2}" for row in range(N_ITEMS)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def compared(tmp_path_factory):
    folder = tmp_path_factory.mktemp("sogaard_2021")
    folds = []
    for family in FAMILIES:
        path = folder / f"{family} folds.tsv"
        rows = "".join(f"{row}\t{1 + row // 2 % 2}\n" for row in range(N_ITEMS))
        path.write_text(f"id\tfold\n{rows}", encoding="utf-8")
        folds.append(read_folds(path))
    predictions = read_predictions(
        [write_answers(folder / f"{family}.tsv", cells) for family, cells in FAMILIES.items()]
    )
    new = read_predictions(write_answers(folder / "new.tsv", NEW))
    options = {"metrics": ["accuracy"], "n_permutations": 20, "n_resamples": 20}
    return evaluate(None, predictions, folds=folds, new_sample=new, **options).new_sample


def test_the_estimates_are_the_printed_cells(compared):
    for family, cells in FAMILIES.items():
        rows = [row for row in compared.estimates if row.split == f"{family} folds.tsv"]
        assert [row.error_reduction_estimate for row in rows] == pytest.approx(
            [cell for cell in cells if cell is not None]
        )
        assert [row.error_reduction_new_sample for row in rows] == pytest.approx(NEW[: len(rows)])


@pytest.mark.parametrize(("family", "mse"), [("random", 0.031), ("heuristic", 0.015), ("adversarial", 0.013)])
def test_three_of_the_printed_errors_follow_up_to_rounding(compared, family, mse):
    (error,) = [row for row in compared.splits if row.split == f"{family} folds.tsv"]
    assert error.mse_error_reduction == pytest.approx(mse, abs=0.0005)
    assert error.mse_error_reduction == pytest.approx(PRINTED[family], abs=0.002)
    assert error.mse == pytest.approx(error.mse_error_reduction / 4)  # half of the errors of guessing
    assert error.n_systems == 7


def test_the_printed_error_of_standard_splits_is_a_mean_absolute_one(compared):
    (error,) = [row for row in compared.splits if row.split == "standard folds.tsv"]
    rows = [row for row in compared.estimates if row.split == "standard folds.tsv"]
    gaps = [row.error_reduction_estimate - row.error_reduction_new_sample for row in rows]
    assert np.mean(np.abs(gaps)) == pytest.approx(PRINTED["standard"], abs=0.0005)
    assert error.mse_error_reduction == pytest.approx(0.050, abs=0.0005)
    assert error.n_systems == 5
