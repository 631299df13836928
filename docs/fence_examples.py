"""An extension of griffe: docstrings become Markdown, with blocks of code for examples and lists of parameters."""

from __future__ import annotations

import re
from typing import Any

import griffe

_SECTION = re.compile(r"^(\w[\w ]*)\n-{3,}\n", re.M)
_PARAMETER = re.compile(r"^([\w*]+(?:, [\w*]+)*)\n((?: {4}.*(?:\n|\Z))+)", re.M)
_EXAMPLE = re.compile(r"((?:^>>> .*\n?)(?:^(?!\s*$).*\n?)*)", re.M)


def format_docstring(text: str) -> str:
    """Put fences around the lines from `>>>` to the next empty line; titles become bold, parameters a list."""
    text = _PARAMETER.sub(lambda found: f"- `{found[1]}`: {' '.join(found[2].split())}\n", text)
    return _EXAMPLE.sub(r"```pycon\n\1\n```\n", _SECTION.sub(r"**\1**\n\n", text))


class FenceExamples(griffe.Extension):
    """Rewrite the docstrings of the pages that mkdocstrings makes."""

    def on_object(self, *, obj: Any, **_: Any) -> None:
        """Rewrite the docstring of an object."""
        if obj.docstring is not None:
            obj.docstring.value = format_docstring(obj.docstring.value)
