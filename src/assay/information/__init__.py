"""Information about labels beyond shortcuts (Zhu et al. 2021), and labels that are probably wrong."""

from assay.base.lazy import name_function
from assay.information.accuracy_loss import fit_accuracy_loss
from assay.information.baselines import BaselineGain, ShortcutBaseline, measure_gains
from assay.information.cues.context import measure_word_context
from assay.information.cues.search import Cue, search_cues
from assay.information.cues.selection import CueGroup, WordCue, measure_cue_group, select_word_cues
from assay.information.cues.word_kinds import is_function_word
from assay.information.dataset import measure_information
from assay.information.item_texts import ItemTexts
from assay.information.results import ControlModel, Information, ShortcutModel
from assay.information.settings import InformationSettings
from assay.information.shortcuts import SHORTCUTS
from assay.information.task_information import measure_task_information

__all__ = [
    "SHORTCUTS",
    "BaselineGain",
    "ControlModel",
    "Cue",
    "CueGroup",
    "Information",
    "InformationSettings",
    "ItemTexts",
    "ShortcutBaseline",
    "ShortcutModel",
    "WordCue",
    "fit_accuracy_loss",
    "is_function_word",
    "measure_cue_group",
    "measure_gains",
    "measure_information",
    "measure_task_information",
    "measure_word_context",
    "search_cues",
    "select_word_cues",
]

name_function(__name__, "measure_information")
