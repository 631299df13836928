"""What a dataset asks for beyond its shortcuts (paper 003)."""

from assay.information.cues import Cue, search_cues
from assay.information.shortcuts import SHORTCUTS
from assay.information.tsi import Control, Full, Information, task_specific_information

__all__ = ["SHORTCUTS", "Control", "Cue", "Full", "Information", "search_cues", "task_specific_information"]
