"""How the page shows each section of an audit; each module registers its view."""

from assay.base.lazy import import_modules
from assay.report.blocks import SECTION_ORDER, SECTION_VIEWS

import_modules(__name__, __path__)

__all__ = ["SECTION_ORDER", "SECTION_VIEWS"]
