"""Datasets of the Hugging Face hub by name, with the extra."""

from __future__ import annotations

import logging
from pathlib import Path

from assay.base.errors import AssayError, import_extra
from assay.data.columns.table import RawTable
from assay.data.readers.memory import convert_object

PREFIX = "hf:"


def is_hub_name(source: str | Path) -> bool:
    """Return whether a source is `hf:name` or `hf:name:configuration`; nothing else is ever sent to the hub.

    >>> is_hub_name("hf:owner/name"), is_hub_name("owner/name")
    (True, False)
    """
    return str(source).startswith(PREFIX)


def read_hub(source: str) -> dict[str, RawTable]:
    """Load all parts of a dataset of the hub."""
    name, _, configuration = source.removeprefix(PREFIX).partition(":")
    datasets = import_extra("datasets", "datasets", f"Reading '{name}' from the Hugging Face hub")
    try:
        logging.getLogger("huggingface_hub").setLevel(logging.ERROR)  # it reports every retry
        dataset = datasets.load_dataset(name, configuration or None)
    except Exception as error:
        reason = (str(error).strip() or type(error).__name__).splitlines()[0][:200].rstrip(".")
        raise AssayError(f"the hub has no such dataset ({reason})", place=source) from error
    return convert_object(dataset)
