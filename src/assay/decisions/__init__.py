"""Decisions between two systems: verdicts with intervals, gates, plans, and changes between runs."""

from assay.decisions.history import History, trace_history
from assay.decisions.results import Decision
from assay.decisions.run import decide
from assay.decisions.settings import DecisionSettings

__all__ = ["Decision", "DecisionSettings", "History", "decide", "trace_history"]
