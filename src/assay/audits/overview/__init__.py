"""The first screen of an audit, as a typed result."""

from assay.audits.overview.building import FirstAction, Overview, OverviewRow, build_overview, rank_by_effect
from assay.audits.overview.topics import TOPICS, find_topic

__all__ = [
    "TOPICS",
    "FirstAction",
    "Overview",
    "OverviewRow",
    "build_overview",
    "find_topic",
    "rank_by_effect",
]
