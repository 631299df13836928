"""Train models under the parts or folds of a dataset: what `assay train` does."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from assay.base.errors import AssayError, join_names
from assay.base.files import open_for_writing
from assay.base.results import Result
from assay.models.cuts import Cut, folds_cuts, own_cuts
from assay.models.fits import Fit, Fitted, run_fits, settings_for
from assay.models.inputs import joined

if TYPE_CHECKING:
    from assay.data import Dataset
    from assay.splits import Folds


@dataclass(frozen=True)
class SystemFit(Result):
    """One fit: its system, the cut it learnt from, and how often it was right on the rows it predicted."""

    system: str
    accuracy: float
    n_right: int
    n_test: int
    n_train: int
    fold: int | None = None
    repeat: int | None = None


@dataclass(frozen=True)
class Trained(Result):
    """All fits of a run, their predictions and what was said on the way."""

    _table: ClassVar[str] = "fits"

    fits: list[SystemFit]
    notes: list[str]
    labels: list[str] = field(repr=False)
    cuts: list[tuple[str, Cut, Fitted]] = field(repr=False, compare=False)
    ids: list[str] = field(repr=False, compare=False)

    def to_dict(self) -> dict[str, Any]:
        """Return the fits and notes; predictions go to their own file."""
        return {"fits": [fit.to_dict() for fit in self.fits], "labels": self.labels, "notes": self.notes}


def train(
    data: Dataset,
    models: Sequence[str] = ("linear",),
    *,
    folds: Folds | None = None,
    settings: dict[str, Any] | None = None,
    predict: Sequence[str] = (),
    random_state: int = 0,
    n_jobs: int = 1,
    backend: str | None = None,
    cache: str | Path | None = None,
) -> Trained:
    """Fit every model under every fold of `folds`, or on the data's own parts, and predict the held-out rows.

    Without folds: learn from train, stop by dev, predict test (or the parts that `predict` names). Where there is no
    dev part, models that stop early hold out 12.5 % of training.
    """
    chosen = {model: settings_for(model, settings or {}, models) for model in dict.fromkeys(models)}
    filled = data.fill_texts()
    cuts, notes = (folds_cuts(filled, folds), []) if folds else own_cuts(filled, predict, random_state)
    jobs_to_do = [(model, cut) for model in chosen for cut in cuts]
    fits = [_fit(model, cut, chosen[model]) for model, cut in jobs_to_do]
    X, y = joined(tuple(side.to_list() for side in filled.sides)), _labels(filled)
    made = run_fits(fits, X, y, random_state=random_state, n_jobs=n_jobs, backend=backend, cache=cache)
    done = [(model, cut, fitted) for (model, cut), fitted in zip(jobs_to_do, made, strict=True)]
    said = dict.fromkeys([*notes, *(note for fitted in made for note in fitted.notes)])
    labels = sorted({label for fitted in made for label in fitted.classes})
    return Trained([_system(*one, y) for one in done], list(said), labels, done, filled.ids.to_list())


def write_predictions(path: str | Path, trained: Trained) -> None:
    """Write the long layout: system, id, predicted, fold and repeat where there are any, and prob:<label> columns."""
    some = [cut for _, cut, _ in trained.cuts]
    more = [name for name in ("fold", "repeat") if any(getattr(cut, name) is not None for cut in some)]
    _refuse_breaks([*trained.labels, *trained.ids])
    with open_for_writing(path) as file:
        header = ["system", "id", "predicted", *more, *(f"prob:{label}" for label in trained.labels)]
        file.write("\t".join(header) + "\n")
        for system, cut, fitted in trained.cuts:
            places = [str(getattr(cut, name)) for name in more]
            shares = _all_labels(fitted, trained.labels)
            for row, predicted, share in zip(cut.test.tolist(), fitted.predicted, shares, strict=True):
                cells = [system, trained.ids[row], predicted, *places, *(f"{value:.8g}" for value in share)]
                file.write("\t".join(cells) + "\n")


def _fit(model: str, cut: Cut, settings: dict[str, Any]) -> Fit:
    name = ", ".join(part for part in (model, cut.named()) if part)
    if not len(cut.train):
        raise AssayError(f"{name}: no labelled row to learn from.")
    return Fit(model, settings, cut.train, cut.test, cut.dev, name)


def _labels(data: Dataset) -> list[str]:
    assert data.labels is not None
    return [label if label is not None else "" for label in data.labels.to_list()]


def _system(model: str, cut: Cut, fitted: Fitted, y: list[str]) -> SystemFit:
    gold = np.array([y[row] for row in cut.test.tolist()], dtype=object)
    known = gold != ""
    right, n = int((fitted.predicted[known] == gold[known]).sum()), int(known.sum())
    return SystemFit(model, right / n if n else float("nan"), right, n, len(cut.train), cut.fold, cut.repeat)


def _all_labels(fitted: Fitted, labels: list[str]) -> np.ndarray:
    """Return probabilities with a column for every label of the run; 0 where this fit never saw one."""
    place = {label: number for number, label in enumerate(labels)}
    shares = np.zeros((len(fitted.probabilities), len(labels)))
    shares[:, [place[label] for label in fitted.classes]] = fitted.probabilities
    return shares


def _refuse_breaks(cells: Sequence[str]) -> None:
    broken = [repr(cell) for cell in cells if any(mark in cell for mark in "\t\n\r")]
    if broken:
        raise AssayError(f"A TSV file cannot hold tabs or line breaks in ids or labels: {join_names(broken)}.")
