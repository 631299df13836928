"""Croissant 1.1: a machine-readable description of the data, with the responsible-AI fields that were measured."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assay.audits import Audit
from assay.base.codec import to_json
from assay.base.marks import make_text_visible
from assay.data.readers.files import read_table
from assay.data.readers.formats import is_data_file
from assay.system.json import JsonObject
from assay.views.blocks import format_value
from assay.wording.characters import make_visible
from assay.wording.numbers import format_percent
from assay.wording.sentences import count_noun

VERSIONS = ("http://mlcommons.org/croissant/1.1", "http://mlcommons.org/croissant/RAI/1.0")
MEDIA_TYPES = {
    ".csv": "text/csv",
    ".tsv": "text/tab-separated-values",
    ".txt": "text/plain",
    ".json": "application/json",
    ".jsonl": "application/jsonlines",
    ".ndjson": "application/jsonlines",
    ".parquet": "application/x-parquet",
    ".arrow": "application/vnd.apache.arrow.file",
    ".gz": "application/gzip",
    ".zst": "application/zstd",
}
TABLES = (".csv", ".tsv", ".jsonl", ".ndjson", ".parquet")  # whose columns Croissant can name
# Which finding belongs into which field; the others are limitations.
ANNOTATION_CODES = ("A104", "A108", "A206", "A413", "A504", "A505", "A509")
BIAS_CODES = ("A105", "A106", "A401", "A402", "A403", "A404", "A406", "A407", "A410", "A411", "A412")
MISSING_CODES = ("A107",)
MAX_LABELS = 20
# The names of the specification that are the same in the vocabulary of Croissant.
_CROISSANT_NAMES = (
    "arrayShape citeAs column containedIn equivalentProperty extract field fileProperty fileObject fileSet format "
    "includes isArray isLiveDataset jsonPath key md5 parentField path recordSet references regex repeated replace "
    "samplingRate separator source subField transform"
)
CONTEXT: dict[str, Any] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "conformsTo": "dct:conformsTo",
    "cr": "http://mlcommons.org/croissant/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/",
    "description": {"@container": "@language"},
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "name": {"@container": "@language"},
    "rai": "http://mlcommons.org/croissant/RAI/",
    "sc": "https://schema.org/",
    **{name: f"cr:{name}" for name in _CROISSANT_NAMES.split()},
}


@dataclass(frozen=True)
class DataFile:
    """A file of the data: its path, and the columns of its table."""

    path: Path
    columns: tuple[str, ...] = ()


def write_croissant(audit: Audit, files: Sequence[DataFile] = (), folder: str | Path = ".") -> str:
    """Return the description as JSON-LD; paths of files are relative to `folder`, where it will be stored.

    Only what was measured is filled in: the licence, the creators and how the data was collected are the authors' to add.
    """
    audit = make_text_visible(audit)
    content = {
        "@context": CONTEXT,
        "@type": "sc:Dataset",
        "name": make_visible(audit.data.name or "data", 120),
        "description": describe_data(audit),
        "conformsTo": list(VERSIONS),
        "keywords": [audit.data.task, "benchmark"],
        **list_measured(audit),
        "distribution": [describe_file(file, number, Path(folder)) for number, file in enumerate(files, 1)],
        "recordSet": [describe_records(file, number) for number, file in enumerate(files, 1) if file.columns],
    }
    return to_json({name: value for name, value in content.items() if value})


def describe_data(audit: Audit) -> str:
    """Say in a few sentences what the data is, and what measured it."""
    data, settings = audit.data, audit.settings
    parts = ", ".join(f"{part.part} {part.n:,}" for part in data.parts)
    size = f"{count_noun(data.rows, 'item')}{f' ({parts})' if parts else ''}"
    labels = f", {count_noun(data.n_labels, 'label')}" if data.n_labels else ""
    depth = "quick" if settings.quick else "full"
    return f"{size}; task: {data.task}{labels}. Audited with assay {settings.version} ({depth}, seed {settings.seed})."


def list_measured(audit: Audit) -> dict[str, list[str] | str]:
    """Return the fields of the responsible-AI vocabulary for which there are measurements."""
    return {
        "rai:dataBiases": [*describe_labels(audit), *write_claims(audit, BIAS_CODES)],
        "rai:dataAnnotationAnalysis": [*describe_suspects(audit), *write_claims(audit, ANNOTATION_CODES)],
        "rai:dataCollectionMissingData": " ".join([*describe_missing(audit), *write_claims(audit, MISSING_CODES)]),
        "rai:dataLimitations": list(list_limitations(audit)),
    }


def write_claims(audit: Audit, codes: Iterable[str]) -> list[str]:
    """Return the claims of the findings with these codes."""
    chosen = set(codes)
    return [
        f"{finding.claim} ({finding.code}, {finding.severity})" for finding in audit.findings if finding.code in chosen
    ]


def list_limitations(audit: Audit) -> Iterator[str]:
    """Yield the claims of all other findings."""
    others = {finding.code for finding in audit.findings} - {*ANNOTATION_CODES, *BIAS_CODES, *MISSING_CODES}
    yield from write_claims(audit, others)


def describe_labels(audit: Audit) -> list[str]:
    """Say how frequent each label is."""
    profile = audit.evidence.profile
    if profile is None or not 1 < len(profile.data.labels) <= MAX_LABELS:
        return []
    shares = [f'"{make_visible(name, 60)}" {format_percent(row.share)}' for name, row in profile.data.labels.items()]
    return [f"Shares of the labels: {', '.join(shares)}."]


def describe_suspects(audit: Audit) -> list[str]:
    """Say how many items are expected to have a wrong gold label or to be bad themselves."""
    sections = (audit.evidence.information, audit.evidence.discrimination)
    found = [section.suspects for section in sections if section is not None and section.suspects is not None]
    return [
        f"Expected number of items with a wrong gold label, or bad themselves: "
        f"{format_value(suspects.expected_bad)} of "
        f"{suspects.n_judged:,}, by {' and '.join(suspects.sources)}."
        for suspects in found
    ]


def describe_missing(audit: Audit) -> list[str]:
    """Say how many items have no label."""
    profile = audit.evidence.profile
    return (
        [] if profile is None else [f"{profile.data.n_unlabelled:,} of {profile.data.n_items:,} items have no label."]
    )


def describe_file(file: DataFile, number: int, folder: Path) -> JsonObject:
    """Return the file object of a file, with its checksum."""
    with file.path.open("rb") as content:
        checksum = hashlib.file_digest(content, "sha256").hexdigest()
    return {
        "@type": "cr:FileObject",
        "@id": f"file-{number}",
        "name": file.path.name,
        "contentUrl": Path(os.path.relpath(file.path, folder)).as_posix(),
        "contentSize": f"{file.path.stat().st_size} B",
        "encodingFormat": MEDIA_TYPES.get(file.path.suffix.lower(), "application/octet-stream"),
        "sha256": checksum,
    }


def describe_records(file: DataFile, number: int) -> JsonObject:
    """Return the record set of a file: its columns, which are all read as text."""
    return {
        "@type": "cr:RecordSet",
        "@id": f"records-{number}",
        "name": file.path.stem,
        "field": [
            {
                "@type": "cr:Field",
                "@id": f"records-{number}/column-{position}",
                "name": column,
                "dataType": "sc:Text",
                "source": {"fileObject": {"@id": f"file-{number}"}, "extract": {"column": column}},
            }
            for position, column in enumerate(file.columns, 1)
        ],
    }


def find_data_files(sources: Iterable[str | Path], columns: Sequence[str] = ()) -> list[DataFile]:
    """Return the files of paths, folders and patterns; `columns` belong to the table if there is only one file."""
    import glob

    paths: list[Path] = []
    for source in map(str, sources):
        found = [Path(source)] if Path(source).exists() else [Path(name) for name in glob.glob(source, recursive=True)]  # noqa: PTH207
        for path in found:
            inside = [each for each in path.rglob("*") if each.is_file() and is_data_file(each)]
            paths += sorted(inside) if path.is_dir() else [path]
    unique = list(dict.fromkeys(paths))
    tables = [path for path in unique if path.suffix.lower() in TABLES]
    known = {
        path: tuple(columns) if len(unique) == 1 and columns else tuple(read_table(path).columns) for path in tables
    }
    return [DataFile(path, known.get(path, ())) for path in unique]
