"""The measures of a pair of texts by name."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from assay.base.registry import Registry
from assay.difficulty.divergence import jensen_shannon
from assay.difficulty.similarity import dice, jaccard

Measure = Callable[..., NDArray[np.float64]]

MEASURES: Registry[Measure] = Registry("measure", {"jensen-shannon": jensen_shannon, "jaccard": jaccard, "dice": dice})
SIMILARITIES = frozenset({"jaccard", "dice"})
