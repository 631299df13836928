"""Findings as JSON."""

from __future__ import annotations

from typing import Any

from assay.base.codec import to_json


def json_lines(audit: dict[str, Any]) -> str:
    """Write verdict and findings."""
    return to_json({"verdict": audit["verdict"], "findings": audit["findings"]})
