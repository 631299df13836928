"""The types of arrays and of values that become arrays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from llvmlite import ir
    from numba.core.typing.templates import Signature
    from scipy.sparse import csr_matrix

Array: TypeAlias = np.ndarray[Any, Any]
Integer: TypeAlias = int | np.integer[Any]  # a number in compiled code
Values: TypeAlias = Sequence[Any] | Array  # one value per item: texts, labels, groups, scores
Matrix: TypeAlias = "Array | csr_matrix"  # one row per item
Intrinsic: TypeAlias = "tuple[Signature, Callable[..., ir.Value]]"  # what compiles an instruction of our own
Seed: TypeAlias = "int | np.random.SeedSequence | np.random.Generator"  # what numpy's generators start from
