"""The predictor that ships: a line in the probes' error and boosted trees for the rest; text and JSON, no pickle."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np

from assay.base.arrays import Array
from assay.base.errors import import_extra
from assay.base.files import open_for_writing
from assay.forecast.conformal import Margins, held_out_residuals, margins
from assay.forecast.describing import SETS
from assay.forecast.evidence import TARGETS, Evidence
from assay.forecast.regressors import trained

CONFIDENCE = 0.8
NEIGHBOURS = 5
# Features of the texts themselves tell a predictor which parent it looks at, and mislead it on new families.
CHOSEN = "probes"
SEEN = SETS["light"]
LEADING = "probe.error"
N_NEARBY = 400
SLACK = 0.05  # of a feature's span: beyond its range by more than this is out of range


@dataclass(frozen=True)
class Predictor:
    """Boosters by target, and what was known when they were trained."""

    boosters: dict[str, Any]
    facts: dict[str, Any]

    def predict(self, target: str, X: Array) -> Array:
        """Return λ of rows of the chosen features."""
        return Line(*self.facts["lines"][target]).back(X, self.boosters[target].predict(X))

    def margins(self, target: str) -> Margins:
        """Return how far λ may lie from its prediction."""
        return Margins(**self.facts["margins"][target])

    def factors(self, target: str, x: Array) -> Array:
        """Return by how much each feature multiplies 1 + λ: SHAP values of the trees, and the line in its feature."""
        found = self.boosters[target].predict(x[None, :], pred_contrib=True)[0][:-1]
        line = Line(*self.facts["lines"][target])
        if line.column is not None:
            found[line.column] += line.slope * (float(np.log1p(x[line.column])) - self.facts["middle"])
        return np.asarray(np.exp(found))

    def outside(self, x: Array) -> list[str]:
        """Name the light features that lie outside of what the evidence covers."""
        low, high = np.array(self.facts["low"]), np.array(self.facts["high"])
        room = SLACK * (high - low)
        with np.errstate(invalid="ignore"):
            beyond = (x < low - room) | (x > high + room)
        return [SEEN[number] for number in np.flatnonzero(beyond)]

    def far(self, x: Array) -> bool:
        """Tell whether the nearest evidence is farther than it was for most of the families held out."""
        centre, spread = np.array(self.facts["centre"]), np.array(self.facts["spread"])
        return bool(
            distance(standardised(x[None, :], centre, spread), np.array(self.facts["nearby"]))[0] > self.facts["limit"]
        )


@dataclass(frozen=True)
class Line:
    """log(1 + λ) as a line in log(1 + error of the probes): what holds for every family; flat without a column."""

    start: float
    slope: float
    column: int | None

    def at(self, X: Array) -> Array:
        """Return the line's value at rows of features."""
        if self.column is None:
            return np.full(len(X), self.start)
        return np.asarray(self.start + self.slope * np.log1p(np.nan_to_num(X[:, self.column])))

    def back(self, X: Array, rest: Array) -> Array:
        """Return λ from what lies above the line."""
        return np.maximum(np.expm1(np.minimum(self.at(X) + rest, 12.0)), 0.0)


def fit(X: Array, y: Array, chosen: str = CHOSEN) -> tuple[Line, Any]:
    """Fit the line, and boosted trees to what it leaves."""
    logs = np.log1p(y)
    line = Line(float(logs.mean()), 0.0, None)
    if LEADING in SETS[chosen]:
        column = SETS[chosen].index(LEADING)
        slope, start = np.polyfit(np.log1p(X[:, column]), logs, 1)
        line = Line(float(start), float(slope), column)
    return line, trained("lightgbm", X, logs - line.at(X), {}, log=False).model


def predicted(X: Array, y: Array, asked: Array, chosen: str = CHOSEN) -> Array:
    """Fit the kind of predictor that ships and ask it; the one place that says what that kind is."""
    line, model = fit(X, y, chosen)
    return line.back(asked, np.asarray(model.predict(asked)))


def distance(asked: Array, rows: Array) -> Array:
    """Return the mean distance to the five nearest rows."""
    squares = ((asked[:, None, :] - rows[None, :, :]) ** 2).mean(axis=2)
    return np.asarray(np.sqrt(np.sort(squares, axis=1)[:, :NEIGHBOURS]).mean(axis=1))


def standardised(X: Array, centre: Array, spread: Array) -> Array:
    """Return features in units of their spread, at most three from the middle, missing ones in the middle."""
    return np.asarray(np.nan_to_num(np.clip((X - centre) / spread, -3, 3)))


def build(evidence: Evidence) -> tuple[dict[str, str], dict[str, Any]]:
    """Train on all evidence; return the boosters as text, and margins, ranges and neighbours as plain values."""
    X, families = evidence.features(CHOSEN), evidence.families
    texts, told, lines = {}, {}, {}
    for target in TARGETS:
        y = evidence.target(target)
        line, model = fit(X, y)
        texts[target], lines[target] = model.booster_.model_to_string(), [line.start, line.slope, line.column]
        residuals = held_out_residuals(X, y, families, predicted)
        told[target] = margins(residuals, families, CONFIDENCE).to_dict()
    middle = float(np.log1p(X[:, SETS[CHOSEN].index(LEADING)]).mean())
    return texts, {"lines": lines, "middle": middle, "margins": told, **ranges(evidence.features("light"), families)}


def ranges(X: Array, families: Array) -> dict[str, Any]:
    """Return the range of every feature, and how far a family lies from the others at most (95th percentile)."""
    centre = np.nanmedian(X, axis=0)
    spread = np.maximum(np.nanpercentile(X, 84, axis=0) - np.nanpercentile(X, 16, axis=0), 1e-9) / 2
    scaled = standardised(X, centre, spread)
    chosen = np.sort(np.random.default_rng(0).permutation(len(X))[:N_NEARBY])
    far = [_far_off(scaled, families, chosen, family) for family in np.unique(families)]
    return {
        "low": np.nanmin(X, axis=0).tolist(),
        "high": np.nanmax(X, axis=0).tolist(),
        "centre": centre.tolist(),
        "spread": spread.tolist(),
        "limit": float(np.percentile(np.concatenate(far), 95)),
        "nearby": np.round(scaled[chosen], 3).tolist(),
    }


def _far_off(scaled: Array, families: Array, chosen: Array, family: str) -> Array:
    """Return how far the rows of a family lie from the kept rows of the others."""
    return distance(scaled[families == family], scaled[chosen[families[chosen] != family]])


def write(evidence: Evidence, folder: Path) -> None:
    """Train and write the files that ship."""
    texts, facts = build(evidence)
    for target, text in texts.items():
        with open_for_writing(folder / f"{target}.txt") as file:
            file.write(text)
    with open_for_writing(folder / "predictor.json") as file:
        file.write(json.dumps(facts) + "\n")


@lru_cache(maxsize=1)
def read_predictor() -> Predictor:
    """Read the predictor that ships."""
    found = import_extra("lightgbm", "forecast", "assay forecast")
    home = resources.files("assay.forecast")
    texts = {target: (home / f"{target}.txt").read_text(encoding="utf-8") for target in TARGETS}
    boosters = {target: found.Booster(model_str=text) for target, text in texts.items()}
    return Predictor(boosters, json.loads((home / "predictor.json").read_text(encoding="utf-8")))
