"""The whole text of one response, which is read from the uploaded files again: the audit keeps excerpts only."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from assay.base.errors import UsageError
from assay.web.store import Version
from assay.web.work.sources import find_table, link_files

if TYPE_CHECKING:
    from assay.responses.rows import ResponseRow

MAX_BYTES = 256 << 20  # of all files that are read for one response


def find_whole_response(version: Version, system: str, id_: str, repeat: int) -> str | None:
    """Return the text of a response; None if the files do not have it."""
    files = version.files("responses") or version.files("logs")
    size = sum(file["bytes"] for file in files)
    if size > MAX_BYTES:
        raise UsageError(
            f"The files of the responses have {size / 1e6:,.0f} MB; a whole response is read from at most "
            f"{MAX_BYTES / 1e6:,.0f} MB."
        )
    with open_rows(version) as rows:
        wanted = (system, id_, repeat)
        return next((row.text for row in rows if (row.system, row.id, row.repeat) == wanted), None)


@contextmanager
def open_rows(version: Version) -> Iterator[Iterator[ResponseRow]]:
    """Read the responses of a version, from their table or from logs."""
    from assay.responses.log_sources import open_log_responses
    from assay.responses.tables import read_table

    if table := find_table(version, "responses"):
        yield read_table(table)
    elif version.files("logs"):
        with open_log_responses(link_files(version, "logs")) as logs:
            yield logs.iterate()
    else:
        yield iter(())
