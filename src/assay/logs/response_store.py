"""Responses of logs on disk, so that transcripts of any size are never in memory together."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assay.base.marks import OWN, TEXT
from assay.base.parameters import Options
from assay.logs.trials import Trial

if TYPE_CHECKING:
    import pyarrow as pa

BATCH_BYTES = 8 << 20
BATCH_ROWS = 2000
MAX_CHARACTERS = 2_000_000  # of one response; the middle of a longer one is left out
_TRIAL = ("messages", "steps", "tool_calls", "tool_errors", "repeated_calls")


@dataclass(frozen=True, slots=True)
class LogResponse:
    """The text of a response, why it stopped, and its conversation if there was one."""

    text: str | None = field(metadata=TEXT)
    stop: str | None = field(default=None, metadata=OWN)
    trial: Trial | None = None


class ResponseStore:
    """A file of responses in the order in which they were added; an Arrow file that is read in batches."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self.n_rows = 0
        self._rows: list[dict[str, Any]] = []
        self._size = 0
        self._writer: pa.RecordBatchFileWriter | None = None

    def add(self, response: LogResponse) -> int:
        """Add a response and return its row."""
        text = _bound(response.text)
        self._rows.append(_to_row(response, text))
        self._size += len(text or "")
        self.n_rows += 1
        if len(self._rows) >= BATCH_ROWS or self._size >= BATCH_BYTES:
            self._flush()
        return self.n_rows - 1

    def close(self) -> None:
        """Write what was added last."""
        self._flush()
        if self._writer is not None:
            self._writer.close()
            self._writer = None

    def iterate(self) -> Iterator[LogResponse]:
        """Yield all responses in the order of their rows; `close` comes first."""
        import pyarrow as pa

        if not self.n_rows:
            return
        with pa.OSFile(str(self.path)) as source:  # mapped pages would count as memory of the process
            reader = pa.ipc.open_file(source)
            for number in range(reader.num_record_batches):
                yield from map(_from_row, reader.get_batch(number).to_pylist())

    def _flush(self) -> None:
        import pyarrow as pa

        if not self._rows:
            return
        schema = _make_schema()
        if self._writer is None:
            self._writer = pa.ipc.new_file(str(self.path), schema)
        self._writer.write_batch(pa.RecordBatch.from_pylist(self._rows, schema=schema))
        self._rows, self._size = [], 0


def _make_schema() -> pa.Schema:
    import pyarrow as pa

    columns = {"text": pa.large_string(), "stop": pa.string()} | dict.fromkeys(_TRIAL, pa.int32())
    return pa.schema(columns | {"is_transfer": pa.bool_(), "tokens": pa.float64(), "cost": pa.float64()})


def _bound(text: str | None) -> str | None:
    if text is None or len(text) <= MAX_CHARACTERS:
        return text
    return text[: MAX_CHARACTERS // 2] + "\n" + text[-MAX_CHARACTERS // 2 :]


def _to_row(response: LogResponse, text: str | None) -> Options:
    row: dict[str, Any] = {"text": None if text is None else text.encode("utf-8", "replace").decode("utf-8")}
    row["stop"] = response.stop
    trial = response.trial
    if trial is not None:
        row |= {name: getattr(trial, name) for name in (*_TRIAL, "is_transfer", "tokens", "cost")}
    return row


def _from_row(row: Options) -> LogResponse:
    if row["steps"] is None:
        return LogResponse(row["text"], row["stop"])
    values = {name: row[name] for name in (*_TRIAL, "is_transfer", "tokens", "cost")}
    return LogResponse(row["text"], row["stop"], Trial(**values))
