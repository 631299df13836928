"""The sections of an audit, in the order people read them."""

from assay.audits.sections import (  # noqa: F401 # isort: skip, the order of the report
    profile,
    contamination,
    task,
    splits,
    model,
    difficulty,
    information,
    discrimination,
    leaderboard,
    forecast,
    votes,
    judges,
)
from assay.audits.sections.base import SECTIONS, Measurement, section

__all__ = ["SECTIONS", "Measurement", "section"]
