"""Shortcut features: what can be read off a text without understanding it (Zhu et al. 2021)."""

from assay.base.lazy import import_modules
from assay.information.shortcuts.registry import SHORTCUTS, Shortcut
from assay.information.shortcuts.table import abbreviate, build_shortcut_table, choose_shortcuts

import_modules(__name__, __path__)

__all__ = ["SHORTCUTS", "Shortcut", "abbreviate", "build_shortcut_table", "choose_shortcuts"]
