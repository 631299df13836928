"""Datasets of the Hugging Face hub by name, with the extra."""

from __future__ import annotations

import glob
import logging
import re
from pathlib import Path

from assay.base.errors import AssayError, import_extra
from assay.data.cells import Table
from assay.data.formats import is_readable
from assay.data.sources import from_object
from assay.data.tables import missing

_NAME = re.compile(r"[\w.-]+/[\w.-]+(:[\w.-]+)?")


def is_hub_name(source: str | Path) -> bool:
    """Tell whether a source is `hf:name[:configuration]`, or `owner/name` where no such folder stands here.

    Anything that could be a path is taken for one, so that a mistyped path is not sent anywhere.
    """
    name = str(source)
    if name.startswith("hf:"):
        return True
    path = Path(name)
    looks = isinstance(source, str) and _NAME.fullmatch(name) is not None and not glob.has_magic(name)
    return looks and not path.parent.exists() and not is_readable(path)


def read_hub(source: str) -> dict[str, Table]:
    """Load all parts of a dataset of the hub."""
    name, _, configuration = source.removeprefix("hf:").partition(":")
    try:
        datasets = import_extra("datasets", "datasets", f"Reading '{name}' from the Hugging Face hub")
    except AssayError as error:
        raise AssayError(f"{str(missing(Path(source))).rstrip('.')}. {error}") from error
    try:
        logging.getLogger("huggingface_hub").setLevel(logging.ERROR)  # it tells of every retry
        found = datasets.load_dataset(name, configuration or None)
    except Exception as error:
        reason = (str(error).strip() or type(error).__name__).splitlines()[0][:200].rstrip(".")
        raise AssayError(f"No file or folder {source}, and the hub gave no such dataset ({reason}).") from error
    return from_object(found)
