"""The sections of an audit, one file each, in the order people read them."""

from assay.audits.section import Measure
from assay.audits.sections.difficulty import DIFFICULTY
from assay.audits.sections.discrimination import DISCRIMINATION
from assay.audits.sections.forecast import FORECAST
from assay.audits.sections.information import INFORMATION
from assay.audits.sections.profile import PROFILE
from assay.audits.sections.splits import SPLITS
from assay.base.registry import Registry

SECTIONS: Registry[Measure] = Registry(
    "section",
    {section.name: section for section in (PROFILE, SPLITS, DIFFICULTY, INFORMATION, DISCRIMINATION, FORECAST)},
)

__all__ = ["SECTIONS"]
