"""Runnable checks of the method: toy data, training size, and the estimator that fails."""

from collections.abc import Callable
from typing import Any

from assay.base.registry import Registry
from assay.information.studies.ksg import ksg_study
from assay.information.studies.size import size_study
from assay.information.studies.toy import toy_study

_STUDIES: dict[str, Callable[..., Any]] = {"toy": toy_study, "size": size_study, "ksg": ksg_study}
STUDIES: Registry[Callable[..., Any]] = Registry("study", _STUDIES)

__all__ = ["STUDIES", "ksg_study", "size_study", "toy_study"]
