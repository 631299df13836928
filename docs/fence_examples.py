"""An extension of griffe: examples in docstrings become blocks of code."""

from __future__ import annotations

import re
from typing import Any

import griffe

_EXAMPLE = re.compile(r"((?:^>>> .*\n?)(?:^(?!\s*$).*\n?)*)", re.M)


class FenceExamples(griffe.Extension):
    """Put fences around the lines from `>>>` to the next empty line."""

    def on_object(self, *, obj: Any, **_: Any) -> None:
        """Rewrite the docstring of an object."""
        if obj.docstring is not None and ">>>" in obj.docstring.value:
            obj.docstring.value = _EXAMPLE.sub(r"```pycon\n\1\n```\n", obj.docstring.value)
