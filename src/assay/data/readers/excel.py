"""Excel workbooks (`.xlsx`), through openpyxl."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path
from typing import Any

import polars as pl
import pyarrow as pa

from assay.base.errors import AssayError, import_extra
from assay.data.columns.table import RawTable, check_column_count
from assay.data.left_out import LeftOut
from assay.data.readers.formats import register_format
from assay.data.readers.titles import name_header, skip_titles
from assay.system.archives import unpack_member
from assay.system.limits import CELL_BYTES, check_unpacked_size

# A workbook unpacks to ten or twenty times its size, and its XML takes a second per megabyte if it was made for that.
MAX_RATIO, MIN_BYTES = 60, 4 << 20
MAX_ROWS = 1 << 20  # of Excel
MIN_CELLS = 2_000_000  # that a workbook may span, in addition to one per byte of it


@register_format("excel", suffixes=(".xlsx",))
def read_excel(content: pa.Buffer, path: Path, *, quoting: str = "auto") -> RawTable:  # noqa: ARG001
    """Read the first sheet that is not empty; formulas give the values that were saved."""
    openpyxl = import_extra("openpyxl", "excel", "Excel workbooks")
    try:
        raw = _unpack(content, path)
        extent = _Extent(len(content), len(raw), path)
        book = openpyxl.load_workbook(_LimitedFile(raw, path), read_only=True, data_only=True, keep_links=False)
        sheets = {sheet.title: _read_rows(sheet, extent) for sheet in book.worksheets}
    except AssayError:
        raise
    except Exception as error:  # openpyxl raises whatever its parsers raise
        if isinstance(error.__cause__, AssayError):
            raise error.__cause__ from None
        raise AssayError(f"the workbook cannot be read: {error}", place=path) from error
    filled = [name for name, rows in sheets.items() if rows]
    if not filled:
        raise AssayError("the workbook holds no cells", place=path)
    title, header, rows = skip_titles(sheets[filled[0]])
    check_column_count(max(map(len, sheets[filled[0]])), path)
    names = name_header(header)
    frame = pl.DataFrame(
        [(row + [""] * len(names))[: len(names)] for row in rows], schema=dict.fromkeys(names, pl.String), orient="row"
    )
    reason = f"only the first sheet, '{filled[0]}', is read"
    left_out = (LeftOut("sheets", len(filled) - 1, reason),) if len(filled) > 1 else ()
    notes = (*title, *(f"sheet '{filled[0]}' is read; other sheets: {len(filled) - 1}" for _ in left_out))
    return RawTable(frame, notes, left_out=left_out)


def _unpack(content: pa.Buffer, path: Path) -> bytes:
    """Return the archive with its members unpacked, so that reading it takes as many bytes as the members have."""
    unpacked = io.BytesIO()
    with zipfile.ZipFile(pa.BufferReader(content)) as archive, zipfile.ZipFile(unpacked, "w") as plain:
        check_unpacked_size(
            sum(member.file_size for member in archive.infolist()), len(content), path, MAX_RATIO, MIN_BYTES
        )
        for name in dict.fromkeys(archive.namelist()):
            member = unpack_member(archive, archive.getinfo(name))
            if b"<!ENTITY" in member:
                raise AssayError(f"{name} defines entities, which workbooks do not need", place=path)
            plain.writestr(name, member)
    return unpacked.getvalue()


class _LimitedFile(io.BytesIO):
    """An archive, read only as far as a workbook needs: a few bytes may unpack to many sheets."""

    def __init__(self, raw: bytes, path: Path) -> None:
        super().__init__(raw)
        self._left, self._path = 4 * len(raw) + MIN_BYTES, path

    def read(self, size: int | None = -1, /) -> bytes:
        """Read bytes, and raise if the archive has been read several times over."""
        content = super().read(size)
        self._left -= len(content)
        if self._left < 0:
            raise AssayError("the sheets of the workbook repeat each other's parts", place=self._path)
        return content


class _Extent:
    """Count what all sheets span: a few bytes may stand for many empty rows and cells, or repeat a long text."""

    def __init__(self, n_packed: int, n_bytes: int, path: Path) -> None:
        self._n_packed, self._max_cells, self._path = n_packed, MIN_CELLS + n_bytes, path
        self._n_rows = self._n_cells = self._n_text = 0

    def add_row(self, n_cells: int) -> None:
        """Count a row; raise if there are more rows or cells than the workbook can hold."""
        self._n_rows += 1
        self._n_cells += n_cells
        if self._n_rows > MAX_ROWS or self._n_cells > self._max_cells:
            raise AssayError("the sheets span more rows or columns than the workbook holds", place=self._path)

    def add_text(self, n_text: int) -> None:
        """Count the characters of a row; raise if the texts take far more than the workbook."""
        self._n_text += n_text
        check_unpacked_size(self._n_text + CELL_BYTES * self._n_cells, self._n_packed, self._path)


def _read_rows(sheet: Any, extent: _Extent) -> list[list[str]]:
    sheet.reset_dimensions()  # what the sheet claims would fill every row
    rows: list[list[str]] = []
    for row in sheet.iter_rows(values_only=True):
        extent.add_row(len(row))
        cells = ["" if cell is None else _to_text(cell) for cell in row]
        while cells and not cells[-1]:
            cells.pop()
        if cells:
            extent.add_text(sum(map(len, cells)))
            rows.append(cells)
    return rows


def _to_text(cell: object) -> str:
    if isinstance(cell, bool):
        return "true" if cell else "false"
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))
    return str(cell).strip()
