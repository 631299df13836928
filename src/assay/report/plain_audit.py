"""An audit as plain values, from the object, its dict, or a saved JSON file's content."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from assay.base.codec import to_plain
from assay.base.errors import AssayError


def plain_audit(audit: Any) -> dict[str, Any]:
    """Return the dict of an audit; the content of a saved JSON file is looked into.

    >>> plain_audit({"command": "audit", "result": {"verdict": "Fine.", "sections": {}}})["verdict"]
    'Fine.'
    """
    found = audit.to_dict() if hasattr(audit, "to_dict") else audit
    if isinstance(found, Mapping) and "result" in found and "verdict" not in found:
        found = found["result"]
    if not isinstance(found, Mapping) or "verdict" not in found:
        raise AssayError("This is no audit: it has no verdict. Make one with assay audit DATA --json FILE.")
    told: dict[str, Any] = to_plain(dict(found))
    return told
