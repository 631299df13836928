"""The splitters, one per file. Importing this package registers them."""

from assay.base.lazy import import_modules

import_modules(__name__, __path__)
