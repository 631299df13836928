"""Readers: files, folders and objects in memory become tables of text columns. Each registers its file format."""

from assay.base.lazy import import_modules

import_modules(__name__, __path__)
