"""Decisions of the owner about single items: keep, change the label, or drop."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from assay.base.errors import UsageError
from assay.web.errors import ConflictError
from assay.web.store import Version

if TYPE_CHECKING:
    import polars as pl

ACTIONS = ("keep", "relabel", "drop")
FILE_NAME = "decisions.json"
MAX_DECISIONS = 200_000
MAX_TEXT_LENGTH = 500
_LOCK = threading.RLock()


@dataclass(frozen=True)
class ItemDecision:
    """A decision about one item, and the reason."""

    action: str
    label: str = ""
    reason: str = ""


def load_decisions(version: Version) -> dict[str, ItemDecision]:
    """Return the decisions by the ids of their items; what is damaged is left out."""
    rows = (version.read(FILE_NAME) or {}).get("items")
    if not isinstance(rows, dict):
        return {}
    valid = {id_: row for id_, row in rows.items() if isinstance(row, list) and len(row) == 3 and row[0] in ACTIONS}
    return {id_: ItemDecision(*map(str, row)) for id_, row in valid.items()}


def save_decision(version: Version, id_: str, decision: ItemDecision | None, seen: str | None) -> None:
    """Decide one item, unless somebody else has decided it since it was shown.

    `seen` identifies the decision that was shown; None, which no page sends, replaces any decision.
    """
    with _LOCK:
        current = load_decisions(version).get(id_)
        if seen is not None and seen != identify_decision(current) and current != decision:
            raise EditedError(current)
        save_decisions(version, {id_: decision})


def add_decisions(version: Version, decisions: Mapping[str, ItemDecision]) -> None:
    """Decide several items; those that somebody has decided stay as they are."""
    with _LOCK:
        known = load_decisions(version)
        save_decisions(version, {id_: decision for id_, decision in decisions.items() if id_ not in known})


def identify_decision(decision: ItemDecision | None) -> str:
    """Return a short name for the state of an item, which differs if the decision differs; empty if there is none.

    >>> identify_decision(None), identify_decision(ItemDecision("drop")) == identify_decision(ItemDecision("keep"))
    ('', False)
    """
    return "" if decision is None else hashlib.sha256(repr(decision).encode()).hexdigest()[:16]


class EditedError(ConflictError):
    """A decision that somebody else has changed in the meantime."""

    def __init__(self, current: ItemDecision | None) -> None:
        """Say what the other decision is."""
        self.current = current
        super().__init__(
            f"Somebody else {describe_edit(current)} in the meantime; your decision is not saved.",
            hint="Look at the item again, then decide.",
        )


def describe_edit(decision: ItemDecision | None) -> str:
    """Say what was decided.

    >>> describe_edit(ItemDecision("relabel", "sport", "about a match"))
    "decided this item (relabel to 'sport', because: about a match)"
    """
    if decision is None:
        return "took the decision on this item back"
    label = f" to '{decision.label}'" if decision.label else ""
    reason = f", because: {decision.reason}" if decision.reason else ""
    return f"decided this item ({decision.action}{label}{reason})"


def save_decisions(version: Version, decisions: Mapping[str, ItemDecision | None]) -> None:
    """Add decisions; None takes one back. The repaired data is then out of date and is removed."""
    for decision in decisions.values():
        if decision is not None:
            check_decision(decision)
    with _LOCK:
        kept = {id_: decision for id_, decision in load_decisions(version).items() if id_ not in decisions}
        merged = {**kept, **{id_: decision for id_, decision in decisions.items() if decision is not None}}
        if len(merged) > MAX_DECISIONS:
            raise UsageError(f"{len(merged):,} items are decided; at most {MAX_DECISIONS:,} can be.")
        rows = {id_: [decision.action, decision.label, decision.reason] for id_, decision in merged.items()}
        version.write(FILE_NAME, {"items": rows})
        version.discard_repair()


def check_decision(decision: ItemDecision) -> None:
    """Refuse a decision that says nothing, or says too much."""
    if decision.action not in ACTIONS:
        raise UsageError(f"No action '{decision.action[:40]}'. Known: {', '.join(ACTIONS)}.")
    if decision.action == "relabel" and not decision.label.strip():
        raise UsageError("No label is given.", hint="Write the right label.")
    if max(len(decision.label), len(decision.reason)) > MAX_TEXT_LENGTH:
        raise UsageError(f"A label or reason has at most {MAX_TEXT_LENGTH} characters.")


def count_actions(decisions: Mapping[str, ItemDecision]) -> dict[str, int]:
    """Count the decisions of each kind.

    >>> count_actions({"1": ItemDecision("drop"), "2": ItemDecision("drop")})
    {'keep': 0, 'relabel': 0, 'drop': 2}
    """
    actions = [decision.action for decision in decisions.values()]
    return {action: actions.count(action) for action in ACTIONS}


def to_proposals(decisions: Mapping[str, ItemDecision]) -> pl.DataFrame:
    """Return the decisions as `assay.repair` takes them: which items to retire, and suggested labels."""
    import polars as pl

    rows = [
        {
            "id": id_,
            "proposal": "retire" if decision.action == "drop" else "repair",
            "suggested": decision.label.strip() if decision.action == "relabel" else None,
            "suspicion": 1.0,
            "reasons": decision.reason or "decided by hand",
        }
        for id_, decision in decisions.items()
        if decision.action != "keep"
    ]
    schema = {"id": pl.String, "proposal": pl.String, "suggested": pl.String, "suspicion": pl.Float64}
    return pl.DataFrame(rows, schema={**schema, "reasons": pl.String})
