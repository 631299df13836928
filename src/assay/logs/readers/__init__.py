"""The readers of log formats, one module per harness."""

from assay.base.lazy import import_modules

import_modules(__name__, __path__)
