"""Whether the quick model learned anything: without that, most problems of a benchmark cannot show."""

from __future__ import annotations

import math

from assay.checks.discrimination.results import DiscriminationEvidence
from assay.checks.information.results import InformationEvidence
from assay.checks.measured import Measurements
from assay.discrimination.items.gold import SystemAgreement
from assay.models.quick.results import QuickStudy

MIN_AGREEMENT = 0.03  # kappa, of a model whose lack of information says something


def find_best_system(measured: Measurements) -> SystemAgreement | None:
    """Return the given system that agrees best with the gold labels, if it does so beyond chance."""
    discrimination = measured.find(DiscriminationEvidence)
    if discrimination is None or discrimination.basis != "predictions":
        return None
    beyond = [row for row in discrimination.agreement if row.kappa.low > 0]
    return max(beyond, key=lambda row: row.kappa.value) if beyond else None


def describe_missing_signal(measured: Measurements) -> str:
    """Say that the quick model learned nothing beyond chance; empty if it did, or if a given system did."""
    if find_best_system(measured) is not None:
        return ""
    information, study = measured.find(InformationEvidence), measured.find(QuickStudy)
    if information is not None and information.agreement is not None and not information.agreement.low > MIN_AGREEMENT:
        how = "hardly" if information.agreement.low > 0 else "no"
        return f"the quick model predicts the labels {how} better than chance, so most problems could not show"
    if study is not None and study.whole is not None and math.isfinite(study.floor):
        floor = "the constant answer" if math.isnan(study.chance) else "a blind guess"
        if not study.whole.low > study.floor:
            return f"the quick model does no better than {floor}, so most problems could not show"
    return ""
