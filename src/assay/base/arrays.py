"""The types of arrays and of values that become arrays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np

Array: TypeAlias = np.ndarray[Any, Any]
Integer: TypeAlias = int | np.integer[Any]  # a number in compiled code
Values: TypeAlias = Sequence[Any] | Array  # one value per item: texts, labels, groups, scores
