"""Run the notebooks and keep their outputs: `python notebooks/execute.py [NOTEBOOK…]`."""

from __future__ import annotations

import base64
import struct
import sys
import zlib
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient

HERE = Path(__file__).parent


def execute_notebook(path: Path) -> Any:
    """Return the notebook with fresh outputs, and nothing in it that depends on the day or the machine."""
    notebook = nbformat.read(path, as_version=4)
    NotebookClient(notebook, timeout=300, kernel_name="python3", record_timing=False).execute()
    notebook.metadata = {"kernelspec": notebook.metadata["kernelspec"], "language_info": {"name": "python"}}
    for cell in notebook.cells:
        cell.metadata = {}
        # What a cell writes to stderr (a library's warning, say) tells of the machine, not of the data.
        outputs = [output for output in cell.get("outputs", []) if output.get("name") != "stderr"]
        for output in outputs:
            compress_picture(output.get("data", {}))
        if cell.cell_type == "code":
            cell.outputs = outputs
    return notebook


def compress_picture(data: Any) -> None:
    """Compress a picture as far as PNG allows: charts come out several times as large as they need to be."""
    if "image/png" not in data:
        return
    picture = base64.b64decode(data["image/png"])
    chunks, place = [], 8
    while place < len(picture):
        size = struct.unpack(">I", picture[place : place + 4])[0]
        chunks.append((picture[place + 4 : place + 8], picture[place + 8 : place + 8 + size]))
        place += 12 + size
    pixels = zlib.compress(zlib.decompress(b"".join(body for kind, body in chunks if kind == b"IDAT")), 9)
    kept = [chunk for chunk in chunks if chunk[0] not in (b"IDAT", b"IEND")] + [(b"IDAT", pixels), (b"IEND", b"")]
    written = b"".join(_chunk(kind, body) for kind, body in kept)
    data["image/png"] = base64.b64encode(picture[:8] + written).decode()


def _chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def main(wanted: list[str]) -> None:
    """Execute the notebooks in place: those named, or all."""
    for path in [Path(name) for name in wanted] or sorted(HERE.glob("*.ipynb")):
        nbformat.write(execute_notebook(path), path)
        print(f"{path.name}: {path.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main(sys.argv[1:])
