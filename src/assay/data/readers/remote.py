"""Files on object stores (fsspec) and datasets of the Hugging Face hub; only if the user names such an address."""

from __future__ import annotations

import logging
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import TypeGuard

from assay.base.errors import AssayError, import_extra
from assay.data.columns.table import RawTable
from assay.data.readers.memory import convert_object
from assay.system.files import make_temporary_folder

PREFIX = "hf:"
_ADDRESS = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]+(?:::[a-z0-9]+)*://")


def is_remote(source: object) -> TypeGuard[str]:
    """Return whether a source is an address such as s3://bucket/file.parquet.

    >>> is_remote("s3://bucket/data.tsv"), is_remote("data.tsv"), is_remote("hf:owner/name")
    (True, False, False)
    """
    return isinstance(source, str) and _ADDRESS.match(source) is not None


@contextmanager
def fetch(address: str) -> Iterator[Path]:
    """Copy a file, a folder or the matches of a glob to a temporary folder, and remove it afterwards."""
    fsspec = import_extra("fsspec", "remote", f"Reading {address.partition('://')[0]}:// addresses")
    with make_temporary_folder() as folder:
        try:
            system, path = fsspec.core.url_to_fs(address)
            matches = system.glob(path) if any(mark in path for mark in "*?[") else None
            name = PurePosixPath(path.rstrip("/")).name or "data"
            if matches is None and not system.isdir(path):
                target = folder / name
                system.get_file(path, str(target))
            else:
                target = folder / (name if matches is None else "data")
                files = [PurePosixPath(file) for file in (system.find(path) if matches is None else matches)]
                root = os.path.commonpath([str(file.parent) for file in files]) if files else ""
                for file in files:
                    copy = target / file.relative_to(root)
                    copy.parent.mkdir(parents=True, exist_ok=True)
                    system.get_file(str(file), str(copy))
        except FileNotFoundError as error:
            raise AssayError("there is no such file or folder", place=address) from error
        except Exception as error:  # every file system has errors of its own
            reason = (str(error).strip() or type(error).__name__).splitlines()[0][:200]
            raise AssayError(f"it cannot be read: {reason}", place=address) from error
        if not target.exists():
            raise AssayError("no file matches", place=address)
        yield target


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
