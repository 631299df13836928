"""Cross-validated predictions of the quick model, and its scores under challenging splits."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from assay.base.arrays import Array
from assay.base.errors import AssayError

if TYPE_CHECKING:
    from assay.audits.benchmark import Benchmark as Case
    from assay.data import Dataset
    from assay.models.cuts import Cut

FAMILIES = ("length", "rare-words", "wasserstein", "sds-k-means", "temporal")
RANDOM, STANDARD = "random", "standard"
# Ten fits and more must not take hours; on the test part of trec this network scores 0.89, as the linear model does.
MODEST: dict[str, Any] = {"vector_size": 100, "n_filters": 64, "min_count": 2, "max_words": 256, "batch_size": 64}
MODEST |= {"epochs": 10, "patience": 3, "verbose": False}
# Terms of one training text are four fifths of all: without them a fit is 2 to 5 times as fast, and its loss lower.
FEW_TERMS: dict[str, Any] = {"char_ngrams": None, "min_word_count": 2}
LEAST = 50
LEAST_PROBABILITY = 1e-6
N_FOLDS = 5
TEST_SHARE = 0.2


@dataclass(frozen=True)
class Scored:
    """What a model predicted for the rows that one cut holds out."""

    split: str
    model: str
    fold: int
    rows: Array = field(repr=False)
    probabilities: Array = field(repr=False)
    predicted: Array = field(repr=False)


@dataclass(frozen=True)
class HeldOut:
    """A sample of the labelled rows, the label numbers, and what models predicted under every split."""

    data: Dataset
    names: list[str]
    codes: Array = field(repr=False)
    scored: list[Scored] = field(repr=False)
    folds: dict[str, Array] = field(repr=False)
    notes: list[str]

    def of(self, split: str, model: str | None = None) -> list[Scored]:
        """Return the cuts of a split, of one model (the first where none is named)."""
        wanted = model or self.scored[0].model
        return [one for one in self.scored if one.split == split and one.model == wanted]

    def probabilities(self) -> Array:
        """Return the probabilities every row got when a random fold held it out: the models' geometric mean."""
        logs = np.zeros((len(self.codes), len(self.names)))
        for one in self.scored:
            if one.split == RANDOM:
                logs[one.rows] += np.log(np.maximum(one.probabilities, LEAST_PROBABILITY))
        shares = np.exp(logs / len({one.model for one in self.scored}))
        return np.asarray(shares / shares.sum(axis=1, keepdims=True))

    def right(self, split: str, model: str | None = None) -> tuple[Array, Array]:
        """Return the held-out rows of a split and whether the model was right on them."""
        found = self.of(split, model)
        if not found:
            return np.zeros(0, np.int64), np.zeros(0)
        rows = np.concatenate([one.rows for one in found])
        guesses = np.concatenate([one.predicted for one in found])
        return rows, (guesses == self.codes[rows]).astype(float)


def held_out(case: Case) -> HeldOut:
    """Fit the models under five random folds, the data's own parts and every challenging split that applies."""
    from assay.models.fits import Fit, run_fits
    from assay.models.inputs import joined

    data = usable(case)
    y = [] if data.labels is None else data.labels.to_list()
    names = data.label_names
    cuts, folds, notes = all_cuts(case, data)
    plan = [(model, split, cut) for model in models(case) for split, cut in cuts]
    fits = [Fit(model, settings_of(model, case), cut.train, cut.test, cut.dev, "") for model, _, cut in plan]
    made = run_fits(fits, joined(tuple(side.to_list() for side in data.sides)), y, **case.settings.task_options)
    codes = np.array([names.index(label) for label in y])
    scored = []
    for (model, split, cut), fitted in zip(plan, made, strict=True):
        table = np.zeros((len(cut.test), len(names)))
        table[:, [names.index(label) for label in fitted.classes]] = fitted.probabilities
        scored.append(Scored(split, model, cut.fold or 0, cut.test, table, table.argmax(axis=1)))
    return HeldOut(data, names, codes, scored, folds, notes)


def usable(case: Case) -> Dataset:
    """Return a sample of the labelled rows without the labels that only one or two rows have."""
    data = case.sample(case.classes, case.settings.choose(6_000, 20_000))
    assert data.labels is not None
    counts = dict(data.labels.value_counts().iter_rows())
    kept = data.take(np.array([counts[label] > 2 for label in data.labels.to_list()], dtype=bool))
    if len(kept) < LEAST or len(kept.label_names) < 2:
        raise AssayError(f"{len(kept)} labelled items are too few to train on; at least {LEAST} are needed.")
    return kept


def models(case: Case) -> list[str]:
    """Name the models: the linear one, and in a full audit a neural one where torch is installed."""
    from importlib.util import find_spec

    return ["linear"] if case.settings.quick or find_spec("torch") is None else ["linear", "cnn"]


def settings_of(model: str, case: Case) -> dict[str, Any]:
    """Return the settings of a model: repeated words and word pairs in a quick audit, and a network of modest size."""
    if model == "cnn":
        return MODEST
    return FEW_TERMS if case.settings.quick else {}


def all_cuts(case: Case, data: Dataset) -> tuple[list[tuple[str, Cut]], dict[str, Array], list[str]]:
    """Return every cut by the name of its split, the test rows of each split, and what was left out."""
    from assay.models.cuts import own_cuts

    cuts = [(RANDOM, cut) for cut in _drawn(case, data, "stratified", {"n_splits": N_FOLDS})]
    notes: list[str] = []
    if {"train", "test"} <= set(data.part_names):
        cuts += [(STANDARD, cut) for cut in own_cuts(data, random_state=case.settings.random_state)[0]]
    for name in FAMILIES:
        try:
            cuts += [(name, cut) for cut in _drawn(case, data, name, {"test_size": TEST_SHARE})]
        except AssayError as error:
            notes.append(f"The {name} split is left out: {error}")
    cuts = [(name, cut) for name, cut in cuts if cut.train is not None and _has_two(data, cut.train)]
    folds: dict[str, Array] = {}
    for name, cut in cuts:
        folds.setdefault(name, np.zeros(len(data), np.int64))[cut.test] = cut.fold or 1
    return cuts, folds, notes


def _has_two(data: Dataset, rows: Array) -> bool:
    assert data.labels is not None
    return data.labels.gather(rows).n_unique() > 1


def _drawn(case: Case, data: Dataset, name: str, options: dict[str, Any]) -> list[Cut]:
    from assay.models.cuts import drawn_cuts
    from assay.splits import SPLITS

    if name == "temporal":
        if data.times is None:
            raise AssayError("there is no column with dates (--time).")
        options = {**options, "times": data.times}
    assert data.labels is not None
    groups = None if data.groups is None else data.groups.to_list()
    splitter = SPLITS[name](random_state=case.settings.random_state, **options)
    return drawn_cuts(data, splitter.partition(data.texts.to_list(), data.labels.to_list(), groups), None)
