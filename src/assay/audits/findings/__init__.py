"""The findings of an audit, one file each, by code."""

from assay.audits.finding import Check
from assay.audits.findings.backwards_items import BACKWARDS
from assay.audits.findings.collapse import COLLAPSE
from assay.audits.findings.conflicting_labels import CONFLICTS
from assay.audits.findings.dead_items import DEAD
from assay.audits.findings.doubtful_labels import DOUBTFUL_LABELS
from assay.audits.findings.duplicates import DUPLICATES
from assay.audits.findings.exact_leaks import EXACT_LEAKS
from assay.audits.findings.flipped_system import FLIPPED
from assay.audits.findings.forecast_low import LOW
from assay.audits.findings.forecast_range import RANGE
from assay.audits.findings.group_leaks import GROUPS
from assay.audits.findings.imbalance import IMBALANCE
from assay.audits.findings.label_drift import LABEL_DRIFT
from assay.audits.findings.length_drift import LENGTH_DRIFT
from assay.audits.findings.little_information import LITTLE
from assay.audits.findings.near_leaks import NEAR_LEAKS
from assay.audits.findings.no_discrimination import NO_DISCRIMINATION
from assay.audits.findings.no_signal import NO_SIGNAL
from assay.audits.findings.number_shortcuts import NUMBERS
from assay.audits.findings.obvious_items import OBVIOUS
from assay.audits.findings.odd_texts import ODD_TEXTS
from assay.audits.findings.one_side import ONE_SIDE
from assay.audits.findings.optimistic_split import OPTIMISTIC
from assay.audits.findings.outvoted import OUTVOTED
from assay.audits.findings.rare_labels import RARE_LABELS
from assay.audits.findings.reversed_key import REVERSED_KEY
from assay.audits.findings.shortcut_baselines import BASELINES
from assay.audits.findings.smallest_gap import GAP
from assay.audits.findings.solved_by_shortcuts import SOLVED
from assay.audits.findings.temporal_drift import TEMPORAL
from assay.audits.findings.tied_top import TIED
from assay.audits.findings.token_shortcuts import TOKENS
from assay.audits.findings.unreliable import UNRELIABLE
from assay.audits.findings.used_up import USED_UP
from assay.audits.findings.word_drift import WORD_DRIFT
from assay.base.registry import Registry

_ALL = (
    EXACT_LEAKS, NEAR_LEAKS, DUPLICATES, CONFLICTS, IMBALANCE, RARE_LABELS, ODD_TEXTS, DOUBTFUL_LABELS,
    GROUPS,
    OPTIMISTIC, WORD_DRIFT, LENGTH_DRIFT, LABEL_DRIFT, TEMPORAL, REVERSED_KEY,
    COLLAPSE, OBVIOUS,
    TOKENS, ONE_SIDE, BASELINES, LITTLE, NO_SIGNAL, SOLVED, NUMBERS,
    NO_DISCRIMINATION, TIED, DEAD, BACKWARDS, FLIPPED, UNRELIABLE, GAP, USED_UP, OUTVOTED,
    RANGE, LOW,
)  # fmt: skip

FINDINGS: Registry[Check] = Registry("finding", {check.code: check for check in _ALL})

__all__ = ["FINDINGS"]
