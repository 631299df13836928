"""The features of Xiao et al. (2022), grouped by what they look at. Every module here registers its features."""

from assay.base.lazy import import_modules

import_modules(__name__, __path__)
