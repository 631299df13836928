"""A few cheap systems, where nobody gives any."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from assay.evaluation import Predictions

if TYPE_CHECKING:
    from assay.audits.benchmark import Benchmark as Case

# What each changes of the audit's usual terms.
QUICK: dict[str, dict[str, Any]] = {
    "words": {"word_ngrams": (1, 1)},
    "words, cautious": {"word_ngrams": (1, 1), "C": 0.1},
    "word pairs": {},
    "words and characters": {"char_ngrams": (2, 3)},
}


def quick_predictions(case: Case) -> Predictions:
    """Train cheap linear systems on train and let them predict test, or a fifth where there are no parts."""
    from assay.audits.held_out import FEW_TERMS, usable
    from assay.models.cuts import own_cuts
    from assay.models.fits import Fit, run_fits
    from assay.models.inputs import joined

    data = usable(case)
    assert data.labels is not None
    cut = own_cuts(data, random_state=case.settings.random_state)[0][0]
    fits = [Fit("linear", FEW_TERMS | settings, cut.train, cut.test, cut.dev, "") for settings in QUICK.values()]
    y = data.labels.to_list()
    made = run_fits(fits, joined(tuple(side.to_list() for side in data.sides)), y, **case.settings.task_options)
    gold = [y[row] for row in cut.test.tolist()]
    answers = {f"linear ({name})": fitted.predicted for name, fitted in zip(QUICK, made, strict=True)}
    return Predictions.from_arrays(gold, answers, ids=data.ids.gather(cut.test).to_list())
