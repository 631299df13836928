"""Metrics for every kind of task. Each module registers its metrics by `@register_metric("name", needs=(...))`."""

from assay.base.lazy import import_modules

import_modules(__name__, __path__)
