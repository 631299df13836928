"""Real data that ships with the package."""

from __future__ import annotations

from importlib import resources
from pathlib import Path


def find_bundled(name: str = "data") -> Path:
    """Return the path of a file of the bundled benchmark (argument reasoning comprehension): data or predictions.

    >>> find_bundled("predictions").name
    'predictions.tsv.gz'
    """
    return Path(str(resources.files("assay.data"))) / "arct" / f"{'arct' if name == 'data' else name}.tsv.gz"
