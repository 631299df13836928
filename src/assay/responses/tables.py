"""Tables of responses, read row by row: JSON lines, CSV, TSV and Parquet, also compressed, and frames in memory."""

from __future__ import annotations

import csv
import math
from collections.abc import Iterator, Mapping
from pathlib import Path

from assay.base.errors import AssayError, MissingFileError, join_names
from assay.data.readers.compression import read_lines
from assay.inputs.response_columns import ID_NAMES, RESPONSE_NAMES, SYSTEM_NAMES
from assay.responses.rows import ResponseRow
from assay.system.json import RepeatedKeys, parse_json, replace_surrogates
from assay.system.limits import max_bytes

EXTRACTED_NAMES = ("extracted", "predicted", "prediction", "pred", "extracted_answer")
STOP_NAMES = ("stop_reason", "finish_reason", "stop")
SCORE_NAMES = ("score", "correct", "is_correct", "right")
REPEAT_NAMES = ("repeat", "epoch", "trial", "sample")
BATCH_ROWS = 1000
MAX_LINE = 64 << 20
_HALF_PAIR = b"\\ud"  # how JSON writes half a surrogate pair, or both halves
NO_EXTRACTION = frozenset({"", "[invalid]", "[no match]", "none", "null", "nan", "n/a"})
_TRUTHS = {"true": 1.0, "false": 0.0, "yes": 1.0, "no": 0.0, "c": 1.0, "i": 0.0}


def read_table(source: object) -> Iterator[ResponseRow]:
    """Yield the responses of a file, a folder of files, a frame or a dictionary of columns, without keeping them."""
    if isinstance(source, (str, Path)):
        path = Path(source)
        if not path.exists():
            raise MissingFileError("there is no such file or folder", place=path)
        for file in _list_files(path):
            yield from _to_rows(_read_records(file), file.name, _name_system(file))
        return
    yield from _to_rows(_read_memory(source), "responses", "system")


def _list_files(path: Path) -> list[Path]:
    from assay.logs.readers.files import list_files

    ends = (".jsonl", ".jsonl.gz", ".jsonl.zst", ".csv", ".tsv", ".csv.gz", ".tsv.gz", ".parquet")
    files = list_files(path, ends) if path.is_dir() else [path]
    if not files:
        raise AssayError("there is no table of responses", place=path, hint="Known are JSON lines, CSV and Parquet.")
    return files


def _name_system(path: Path) -> str:
    return path.name.split(".")[0]


def _read_records(path: Path) -> Iterator[Mapping[str, object]]:
    name = path.name.lower().removesuffix(".gz").removesuffix(".zst")
    if name.endswith((".parquet", ".pq")):
        return _read_parquet(path)
    if name.endswith((".csv", ".tsv")):
        return _read_delimited(path, "\t" if name.endswith(".tsv") else ",")
    return _read_json_lines(path)


def _read_parquet(path: Path) -> Iterator[Mapping[str, object]]:
    from assay.data.readers.parquet import iterate_parquet, read_parquet_fields

    known = {
        *(*SYSTEM_NAMES, *ID_NAMES, *RESPONSE_NAMES, *EXTRACTED_NAMES, *STOP_NAMES, *SCORE_NAMES, *REPEAT_NAMES),
    }
    columns = [field.name for field in read_parquet_fields(path) if field.name.lower() in known]
    for batch in iterate_parquet(path, columns, BATCH_ROWS):
        yield from batch.to_pylist()


def _read_json_lines(path: Path) -> Iterator[Mapping[str, object]]:
    repeated = RepeatedKeys()
    for number, line in enumerate(_read_lines(path), 1):
        text = line.strip().removeprefix(b"\xef\xbb\xbf")
        if not text:
            continue
        record = parse_json(text, f"{path.name}, line {number}", repeated=repeated)
        if _HALF_PAIR in text.lower():
            record = replace_surrogates(record)
        if not isinstance(record, dict):
            raise AssayError("this is not a JSON object", place=f"{path.name}, line {number}")
        yield record


def _read_delimited(path: Path, delimiter: str) -> Iterator[Mapping[str, object]]:
    csv.field_size_limit(MAX_LINE)
    text = (line.decode("utf-8-sig" if number == 0 else "utf-8") for number, line in enumerate(_read_lines(path)))
    try:
        if delimiter == "\t":
            lines = (line.rstrip("\r\n").split("\t") for line in text)
            head = next(lines, [])
            yield from (dict(zip(head, row, strict=False)) for row in lines)
        else:
            yield from csv.DictReader(text)
    except (csv.Error, UnicodeDecodeError) as error:
        raise AssayError(f"the rows cannot be read ({error})", place=path.name) from error


def _read_lines(path: Path) -> Iterator[bytes]:
    return read_lines(path, min(MAX_LINE, max_bytes() // 4))


def _read_memory(source: object) -> Iterator[Mapping[str, object]]:
    from assay.data.readers.memory import convert_object

    if isinstance(source, list | tuple) and all(isinstance(row, Mapping) for row in source):
        yield from source
        return
    if isinstance(source, Mapping):
        names = list(source)
        yield from (dict(zip(names, row, strict=True)) for row in zip(*source.values(), strict=True))
        return
    if hasattr(source, "iter_rows"):
        yield from source.iter_rows(named=True)
        return
    for table in convert_object(source).values():
        yield from table.frame.iter_rows(named=True)


def _to_rows(records: Iterator[Mapping[str, object]], place: str, system: str) -> Iterator[ResponseRow]:
    """Yield responses; the columns come from the first record that has them."""
    columns: dict[str, str | None] = {}
    for number, record in enumerate(records):
        if not columns:
            columns = _find_columns(record, place)
        text = record.get(columns["response"] or "")
        name = record.get(columns["system"]) if columns["system"] else system
        value = record.get(columns["extracted"]) if columns["extracted"] else None
        yield ResponseRow(
            str(name),
            str(record.get(columns["id"] or "", number)),
            None if text is None else str(text),
            clean_extracted(value),
            columns["extracted"] is not None,
            _parse_score(record.get(columns["score"])) if columns["score"] else None,
            _to_text(record.get(columns["stop"])) if columns["stop"] else None,
            _parse_repeat(record.get(columns["repeat"])) if columns["repeat"] else 0,
        )


def _find_columns(record: Mapping[str, object], place: str) -> dict[str, str | None]:
    names = {str(name).lower(): str(name) for name in record}
    roles = {
        "system": SYSTEM_NAMES,
        "id": ID_NAMES,
        "response": RESPONSE_NAMES,
        "extracted": EXTRACTED_NAMES,
        "stop": STOP_NAMES,
        "score": SCORE_NAMES,
        "repeat": REPEAT_NAMES,
    }
    columns = {role: next((names[name] for name in known if name in names), None) for role, known in roles.items()}
    for role, hint in (("response", "response"), ("id", "id")):
        if columns[role] is None:
            fact = f"there is no column '{hint}'"
            raise AssayError(fact, place=place, hint=f"Its columns: {join_names(list(names.values()), 20)}.")
    return columns


def clean_extracted(value: object) -> str | None:
    """Return an extracted answer; None for the ways to write that there is none."""
    text = _to_text(value)
    return None if text is None or text.strip().lower() in NO_EXTRACTION else text.strip()


def _to_text(value: object) -> str | None:
    return None if value is None or (isinstance(value, float) and math.isnan(value)) else str(value)


def _parse_score(value: object) -> float | None:
    from assay.logs.records import parse_score

    if isinstance(value, str) and value.strip().lower() in _TRUTHS:
        return _TRUTHS[value.strip().lower()]
    return parse_score(value)


def _parse_repeat(value: object) -> int:
    try:
        return int(str(value))
    except ValueError:
        return 0
