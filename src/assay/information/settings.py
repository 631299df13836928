"""The settings of a measurement of task-specific information."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypedDict

from assay.information.controls import CONTROLS
from assay.kinds.arguments import ReadingArguments
from assay.tasks.running import Cache


@dataclass(frozen=True)
class InformationSettings:
    """The models to fit, in how many folds, and where to compute.

    Without `search`, baselines and cues are left out. Results do not depend on `n_jobs`, `backend` and `cache`.
    """

    models: str | Sequence[str] = ("linear",)
    controls: str | Sequence[str] = CONTROLS
    n_splits: int = 5
    search: bool = True
    random_state: int = 0
    n_jobs: int = 1
    backend: str | None = None
    cache: Cache = None


class FittingArguments(TypedDict, total=False):
    """The fields of `InformationSettings`."""

    models: str | Sequence[str]
    controls: str | Sequence[str]
    n_splits: int
    search: bool
    random_state: int
    n_jobs: int
    backend: str | None
    cache: Cache


class InformationArguments(FittingArguments, ReadingArguments, total=False):
    """The fields of `InformationSettings`, and the arguments of `assay.read`."""
