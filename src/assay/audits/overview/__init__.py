"""The first screen of an audit, as a typed result."""

from assay.audits.overview.building import (
    DOES_NOT_APPLY,
    NOT_REQUESTED,
    FirstAction,
    Overview,
    OverviewRow,
    build_overview,
    rank_by_effect,
)

__all__ = [
    "DOES_NOT_APPLY",
    "NOT_REQUESTED",
    "FirstAction",
    "Overview",
    "OverviewRow",
    "build_overview",
    "rank_by_effect",
]
