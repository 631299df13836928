"""Kinds of task: what the columns of a benchmark mean, and what counts as an answer. `read` finds out which it is."""

from assay.base.lazy import import_modules
from assay.kinds.facts import BaselineAnswers, Distribution, Figure, KindProfile
from assay.kinds.kind import KINDS, Certainty, Match, TaskKind, check_text_labels, has_grades, kind_of, register_kind
from assay.kinds.parts import AnswerTexts, Gold, Layout, Learning, Scoring, TaskTexts
from assay.kinds.quick_models import QuickModel
from assay.kinds.reading import TaskData, read, read_tasks

__all__ = [
    "KINDS",
    "AnswerTexts",
    "BaselineAnswers",
    "Certainty",
    "Distribution",
    "Figure",
    "Gold",
    "KindProfile",
    "Layout",
    "Learning",
    "Match",
    "QuickModel",
    "Scoring",
    "TaskData",
    "TaskKind",
    "TaskTexts",
    "check_text_labels",
    "has_grades",
    "kind_of",
    "read",
    "read_tasks",
    "register_kind",
]

import_modules(__name__, __path__)  # every kind registers itself
