"""Responses of harness logs, with the items that they answer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from assay.data.left_out import LeftOut
from assay.logs import read_logs
from assay.logs.joining import choose_metric
from assay.logs.records import LogRecord
from assay.logs.response_store import ResponseStore
from assay.logs.tasks import group_records, select_tasks
from assay.responses.rows import ResponseItem, ResponseRow, make_item
from assay.responses.tables import clean_extracted
from assay.system.files import make_temporary_folder


@dataclass(frozen=True, eq=False)
class LogResponses:
    """The items of logs, and their responses in a store that is open as long as the block."""

    name: str
    items: dict[str, ResponseItem]
    records: list[tuple[str, LogRecord]]
    store: ResponseStore
    notes: tuple[str, ...]
    left_out: tuple[LeftOut, ...]

    def iterate(self) -> Iterator[ResponseRow]:
        """Yield the responses in the order of the store, one at a time."""
        rows: dict[int, list[tuple[str, LogRecord]]] = {}
        for name, record in self.records:
            if record.response is not None:
                rows.setdefault(record.response, []).append((name, record))
        for number, response in enumerate(self.store.iterate()):
            for name, record in rows.get(number, ()):
                extracted = clean_extracted(record.answer)
                is_whole = extracted is not None and extracted == (response.text or "").strip()
                yield ResponseRow(
                    record.system,
                    name,
                    response.text,
                    extracted,
                    record.answer is not None and not (is_whole and not self.items[name].form_has_options),
                    record.score,
                    response.stop,
                    record.repeat,
                    response.trial,
                )


@contextmanager
def open_log_responses(
    source: str | Path, log_task: str | None = None, *, strict: bool = False
) -> Iterator[LogResponses]:
    """Read the responses of logs into a temporary file, which is removed at the end of the block."""
    with make_temporary_folder() as folder:
        store = ResponseStore(Path(folder) / "responses.arrow")
        logs = read_logs(source, strict=strict, store=store)
        store.close()
        tasks = select_tasks(logs, log_task) if log_task else group_records(logs)
        items: dict[str, ResponseItem] = {}
        records: list[tuple[str, LogRecord]] = []
        for task, own in tasks.items():
            for record in _choose_records(own, task):
                name = f"{task}/{record.item}" if len(tasks) > 1 else record.item
                if name not in items:
                    content = record.content
                    subject = None if content is None else content.subject
                    subject = subject or (task if len(tasks) > 1 else None)
                    choices = () if content is None else content.choices
                    items[name] = make_item(choices, () if content is None else content.gold, subject)
                records.append((name, record))
        yield LogResponses(logs.name, items, records, store, logs.notes, logs.left_out)


def _choose_records(records: Sequence[LogRecord], task: str) -> list[LogRecord]:
    """Return one record per system, item and repeat: the one of the main metric, or of a sample without a score."""
    scored = [record for record in records if record.metric]
    metric = choose_metric(scored, None, task) if scored else ""
    return [record for record in records if record.metric in (metric, "") and not record.is_aggregate]
