"""Reading YAML that somebody else wrote: small files, without references."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from assay.base.errors import AssayError, import_extra

MAX_BYTES = 1 << 16  # Python reads YAML slowly


def read_yaml(path: Path) -> Any:
    """Return the content of a YAML file; large files and references, which can make content huge, are errors."""
    yaml = import_extra("yaml", "datasets", f"Reading {path.name}")
    try:
        with path.open("rb") as file:
            raw = file.read(MAX_BYTES + 1)
        if len(raw) > MAX_BYTES:
            raise AssayError(f"the file has more than {MAX_BYTES:,} bytes", place=path)
        if any(isinstance(event, yaml.AliasEvent) for event in yaml.parse(raw, yaml.SafeLoader)):
            raise AssayError("it repeats parts by reference (*name), which is not read", place=path)
        return yaml.safe_load(raw)
    except AssayError:
        raise
    except (OSError, yaml.YAMLError, ValueError, RecursionError) as error:
        raise AssayError(f"it cannot be read: {str(error).splitlines()[0]}", place=path) from error
