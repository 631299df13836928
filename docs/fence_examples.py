"""An extension of griffe: examples in docstrings become blocks of code, and their sections bold lines."""

from __future__ import annotations

import re
from typing import Any

import griffe

_SECTION = re.compile(r"^(\w[\w ]*)\n-{3,}\n", re.M)
_EXAMPLE = re.compile(r"((?:^>>> .*\n?)(?:^(?!\s*$).*\n?)*)", re.M)


class FenceExamples(griffe.Extension):
    """Put fences around the lines from `>>>` to the next empty line; underlined titles would be headings."""

    def on_object(self, *, obj: Any, **_: Any) -> None:
        """Rewrite the docstring of an object."""
        if obj.docstring is not None:
            text = _SECTION.sub(r"**\1**\n\n", obj.docstring.value)
            obj.docstring.value = _EXAMPLE.sub(r"```pycon\n\1\n```\n", text)
