"""Judges of answers: agreement with gold and with each other, position and length bias, corrected scores."""

from assay.base.lazy import name_function
from assay.judges.agreement import JudgePair
from assay.judges.auditing import ConstantVerdict, Judge, JudgeAudit, audit_judges
from assay.judges.systems import CorrectedScore, JudgedSystem
from assay.judges.verdicts import Verdicts, read_verdicts

__all__ = [
    "ConstantVerdict",
    "CorrectedScore",
    "Judge",
    "JudgeAudit",
    "JudgePair",
    "JudgedSystem",
    "Verdicts",
    "audit_judges",
    "read_verdicts",
]

name_function(__name__, "audit_judges")
