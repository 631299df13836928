"""Inputs of assay, recognised once for the library, the command line and the web page."""

from assay.inputs.reading import find_data, take_data
from assay.inputs.recognition import InputKind, recognize, recognize_table

__all__ = ["InputKind", "find_data", "recognize", "recognize_table", "take_data"]
