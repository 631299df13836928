"""Write the responses of logs as a table that `assay responses` reads, batch by batch."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from assay.responses.log_sources import open_log_responses
from assay.responses.rows import ResponseRow
from assay.system.files import open_for_writing
from assay.system.json import JsonObject

RESPONSES_FILE = "responses.parquet"
BATCH_ROWS = 1000
_TRIAL = ("steps", "tool_calls", "tool_errors", "tokens", "cost")


def write_log_responses(source: str | Path, folder: Path, log_task: str | None = None, *, strict: bool = False) -> int:
    """Write `responses.parquet` into a folder, and return the number of rows; nothing is written without responses."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    with open_log_responses(source, log_task, strict=strict) as logs:
        if not logs.store.n_rows:
            return 0
        schema = _make_schema(pa)
        n_rows = 0
        with open_for_writing(folder / RESPONSES_FILE, "wb") as file, pq.ParquetWriter(file, schema) as writer:
            for rows in _take_batches(map(_to_record, logs.iterate())):
                writer.write_batch(pa.RecordBatch.from_pylist(rows, schema=schema))
                n_rows += len(rows)
        return n_rows


def _make_schema(pa: Any) -> Any:
    texts = ("system", "id", "response", "extracted", "stop_reason")
    columns = dict.fromkeys(texts, pa.string()) | {"response": pa.large_string(), "repeat": pa.int32()}
    return pa.schema(columns | {"score": pa.float64()} | dict.fromkeys(_TRIAL, pa.float64()))


def _to_record(row: ResponseRow) -> JsonObject:
    record = {
        "system": row.system,
        "id": row.id,
        "response": row.text,
        "extracted": row.extracted,
        "stop_reason": row.stop,
        "repeat": row.repeat,
        "score": row.score,
    }
    return record | {name: getattr(row.trial, name, None) for name in _TRIAL}


def _take_batches(records: Iterable[JsonObject]) -> Iterator[list[JsonObject]]:
    batch: list[dict[str, Any]] = []
    for record in records:
        batch.append(record)
        if len(batch) == BATCH_ROWS:
            yield batch
            batch = []
    if batch:
        yield batch
