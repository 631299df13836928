"""The registry of export formats."""

from __future__ import annotations

from collections.abc import Callable

from assay.audits import Audit
from assay.base.registry import Registry

EXPORTS: Registry[Callable[[Audit], str]] = Registry("format")
