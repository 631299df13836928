"""The registry of shortcuts. A shortcut registers itself in its own file: `@SHORTCUTS.add("length")`."""

from __future__ import annotations

from collections.abc import Callable

from assay.base.arrays import Array
from assay.base.registry import Registry
from assay.information.item_texts import ItemTexts

Shortcut = Callable[[ItemTexts], Array]  # one row per item, one column per number

SHORTCUTS: Registry[Shortcut] = Registry("shortcut")
