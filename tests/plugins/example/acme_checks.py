"""A plugin: a finding, a metric, a kind of task and a reader of logs of our own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar

import numpy as np

from assay.base.arrays import Array
from assay.checks.findings import Outcome, exact_number, make_finding, rule
from assay.checks.profile.results import ProfileEvidence
from assay.data.columns.lookup import Columns
from assay.kinds import Scoring, TaskKind, register_kind
from assay.kinds.tools.labelled_texts import LabelledTextLayout
from assay.logs import LOGS, LogReader, LogRecord
from assay.metrics import AnsweredItems, register_metric


@rule("ACME1", "Small benchmark", section="profile")
def find_small_benchmark(profile: ProfileEvidence) -> Iterator[Outcome]:
    """Report fewer than 1,000 items, which our guidelines ask for."""
    n = profile.data.n_items
    if n < 1000:
        claim = f"The benchmark has only {n} items."
        yield make_finding("warning", claim, "Add items.", exact_number(n), n=n)


@register_metric("acme-error-rate", needs=("labels",), is_share=True, lower_is_better=True)
def find_errors(items: AnsweredItems) -> Array:
    """The share of items whose label is wrong."""
    return np.asarray(items.gold != items.predicted)


class TicketLayout(LabelledTextLayout):
    """One text and its label."""

    needs = "one text column"
    text_counts: ClassVar = (1,)
    example: ClassVar = {"text": ["a broken screen", "a late bill"], "label": ["repairs", "accounts"]}

    def fits_labels(self, columns: Columns, label: str | None) -> bool:
        """Take the data only if the user names this kind."""
        return False


register_kind(
    TaskKind(
        name="acme-tickets",
        title="tickets",
        description="Support tickets with the team that must answer. Only used if it is named.",
        item_noun="ticket",
        layout=TicketLayout(),
        scoring=Scoring(metrics=("acme-error-rate",), headline="acme-error-rate"),
    )
)


@LOGS.add("acme-scores")
class AcmeScores(LogReader):
    """Read `<system>.acme`, with a task and a score on each line."""

    def find_files(self, folder: Path) -> list[Path]:
        """Return the files, by name."""
        return sorted(folder.rglob("*.acme"))

    def read_records(self, path: Path) -> Iterator[LogRecord]:
        """Yield one record per task."""
        for line in path.read_text(encoding="utf-8").splitlines():
            task, score = line.split()
            yield LogRecord(path.stem, task, "score", "test", float(score), is_aggregate=True)
