"""Files next to data that say where it is and what its columns mean."""

from __future__ import annotations

import os
from pathlib import Path

from assay.data.metadata.croissant import is_croissant, read_croissant
from assay.data.metadata.description import Description
from assay.data.metadata.eval_yaml import EVAL_YAML, read_eval_yaml

__all__ = ["Description", "describe_source"]


def describe_source(source: object) -> Description | None:
    """Return what a Croissant file, or the `eval.yaml` of a benchmark's folder, says of its data; None without either.

    >>> describe_source("reviews.tsv") is None
    True
    """
    if not isinstance(source, (str, Path)):
        return None
    path = Path(source)
    if os.path.isdir(path):  # noqa: PTH112, False for impossible names
        path = path / EVAL_YAML
    if not os.path.isfile(path):  # noqa: PTH113
        return None
    if path.name == EVAL_YAML:
        return read_eval_yaml(path)
    return read_croissant(path) if is_croissant(path) else None
