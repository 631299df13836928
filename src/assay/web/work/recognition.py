"""What an uploaded file is: data, predictions, scores, votes, verdicts or logs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from assay.base.files import make_temporary_folder
from assay.web.work.sources import get_encoding, make_safe_names

if TYPE_CHECKING:
    from assay.web.store import Version


def recognise_files(version: Version) -> dict[str, str]:
    """Return the kind of every file that was not yet recognised, by its name on disk."""
    waiting = version.files("auto")
    kinds = {file["file"]: recognise_file(version, file) for file in waiting}
    if "logs" in kinds.values():  # the results next to the samples of a harness
        for file in waiting:
            if file["name"].rpartition("/")[2].startswith("results_") and file["name"].endswith(".json"):
                kinds[file["file"]] = "logs"
    return kinds


def recognise_file(version: Version, file: dict[str, Any]) -> str:
    """Return the kind of one file; logs are recognised by the name that their owner gave them."""
    from assay.inputs import recognize

    path = version.path(file)
    with make_temporary_folder(path.parent) as folder:
        link = folder / next(iter(make_safe_names([file])))
        try:
            link.hardlink_to(path)
        except OSError:
            link = path
        return recognize(link, encoding=get_encoding(version)).value
