"""How findings are written for a terminal or for a machine that checks them."""

from collections.abc import Callable
from typing import Any

from assay.audits.formats.github import github
from assay.audits.formats.json import json_lines
from assay.audits.formats.sarif import sarif
from assay.audits.formats.text import text
from assay.base.registry import Registry

FORMATS: Registry[Callable[[dict[str, Any]], str]] = Registry(
    "format", {"text": text, "json": json_lines, "github": github, "sarif": sarif}
)

__all__ = ["FORMATS"]
