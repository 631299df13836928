"""A hook of mkdocs: the notebooks become pages, as they were executed."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files


def on_files(files: Files, config: Any) -> Files:
    """Add a page for each notebook, and its pictures."""
    for path in sorted((Path(config["config_file_path"]).parent / "notebooks").glob("*.ipynb")):
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        parts = [part for number, cell in enumerate(cells) for part in _parts(path.stem, number, cell)]
        page = "\n\n".join(part for part in parts if isinstance(part, str))
        files.append(File.generated(config, f"notebooks/{path.stem}.md", content=page))
        for name, picture in (part for part in parts if isinstance(part, tuple)):
            files.append(File.generated(config, f"notebooks/{name}", content=picture))
    return files


def _parts(stem: str, number: int, cell: dict[str, Any]) -> Iterator[str | tuple[str, bytes]]:
    source = "".join(cell["source"])
    if cell["cell_type"] == "markdown":
        yield source
        return
    yield f"```python\n{source}\n```"
    for output in cell["outputs"]:
        data = {kind: value if isinstance(value, str) else "".join(value) for kind, value in output["data"].items()}
        if "image/png" in data:
            name = f"{stem}_{number}.png"
            title = re.search(r'title="([^"]+)"', source)
            yield f"![{title[1] if title else 'Chart'}]({name})"
            yield name, base64.b64decode(data["image/png"])
        elif "text/html" in data:
            yield data["text/html"]
        else:
            yield f"```text\n{data['text/plain']}\n```"
