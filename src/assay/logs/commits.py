"""The commit that a log was made with."""

from __future__ import annotations

import zipfile
from pathlib import Path

from assay.base.errors import AssayError
from assay.logs.readers.archives import read_json_member
from assay.logs.readers.files import read_json
from assay.logs.readers.inspect import HEADERS
from assay.system.json import JsonObject

_SAMPLES = "samples_"


def find_commit(path: Path) -> str | None:
    """Return the commit of the code in a log of inspect or lm-eval; None if the log does not say."""
    try:
        header = _read_header(path)
    except (AssayError, OSError, zipfile.BadZipFile):
        return None
    about = header.get("eval")
    revision = about.get("revision") if isinstance(about, dict) else None
    commit = revision.get("commit") if isinstance(revision, dict) else header.get("git_hash")
    return commit if isinstance(commit, str) and commit else None


def _read_header(path: Path) -> JsonObject:
    """Return the header of a log; that of samples of lm-eval is a file of its own with the same time in its name."""
    if path.suffix == ".eval":
        with zipfile.ZipFile(path) as archive:
            name = next((name for name in HEADERS if name in archive.namelist()), None)
            header = {} if name is None else read_json_member(archive, path, name)
    elif path.suffix == ".json":
        header = read_json(path)
    else:
        header = {}
        if path.name.startswith(_SAMPLES):
            time = path.stem.rpartition("_")[2]
            results = path.with_name(f"results_{time}.json")
            header = read_json(results) if results.exists() else {}
    return header if isinstance(header, dict) else {}
