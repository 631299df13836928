"""Cues: cheap features of texts that are tied to a label."""

from assay.information.cues.context import measure_cue_contexts, measure_word_context
from assay.information.cues.features import build_cue_features
from assay.information.cues.search import Cue, search_cues
from assay.information.cues.selection import CueGroup, WordCue, measure_cue_group, select_word_cues
from assay.information.cues.word_kinds import is_function_word

__all__ = [
    "Cue",
    "CueGroup",
    "WordCue",
    "build_cue_features",
    "is_function_word",
    "measure_cue_contexts",
    "measure_cue_group",
    "measure_word_context",
    "search_cues",
    "select_word_cues",
]
