"""The splitters by the names users type; each registers itself with `@SPLITS.add("name")`."""

from __future__ import annotations

from typing import Any

from assay.base.registry import Registry
from assay.splits.base import Splitter


class SplitterRegistry(Registry[type[Splitter]]):
    """A registry that tells each splitter its name."""

    def put(self, name: str, method: Any) -> None:
        """Register a splitter under a name, which must be free."""
        super().put(name, method)
        method.name = name


SPLITS = SplitterRegistry("split")
