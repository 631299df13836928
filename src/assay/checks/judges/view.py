"""How the page shows the judges of answers."""

from __future__ import annotations

from collections.abc import Iterator

from assay.checks.base import CHECKS
from assay.judges import JudgeAudit
from assay.judges.view import list_judge_facts, show_tables
from assay.views.blocks import Block


@CHECKS["judges"].view
def show_judges(judges: JudgeAudit) -> Iterator[Block]:
    """Yield the facts and tables of the check."""
    yield from list_judge_facts(judges)
    yield from show_tables(judges)
