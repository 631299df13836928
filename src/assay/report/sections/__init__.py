"""The sections of the page, one file each, in the order people read them."""

from assay.base.registry import Registry
from assay.report.chapter import Chapter
from assay.report.sections.difficulty import DIFFICULTY
from assay.report.sections.discrimination import DISCRIMINATION
from assay.report.sections.forecast import FORECAST
from assay.report.sections.information import INFORMATION
from assay.report.sections.profile import PROFILE
from assay.report.sections.splits import SPLITS

CHAPTERS: Registry[Chapter] = Registry(
    "section",
    {chapter.name: chapter for chapter in (PROFILE, SPLITS, DIFFICULTY, INFORMATION, DISCRIMINATION, FORECAST)},
)

__all__ = ["CHAPTERS"]
