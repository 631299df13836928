"""What an audit looks like: a page, charts, a block for a dataset card, numbers for people."""

from assay.report.card import card
from assay.report.figures import figures
from assay.report.page import render

__all__ = ["card", "figures", "render"]
