"""Leaderboards as people keep them: which column names the system, which hold scores, and how cells are written."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING

from assay.base.errors import AssayError
from assay.system.json import RepeatedKeys, parse_json

if TYPE_CHECKING:
    import polars as pl

    from assay.data.columns.table import RawTable

SYSTEM_NAMES = (
    *("system", "model", "modelname", "systemname", "method", "submission", "name", "team", "fullname"),
    *("modell", "modele", "modelo", "modello", "sistema", "systeme", "модель", "模型", "模型名称", "モデル", "모델"),
    *("tagsmlflowrunname", "runname", "runid"),
)
DATASET_NAMES = ("dataset", "benchmark", "task", "eval", "evaluation", "datensatz", "aufgabe", "数据集")
# Columns about a system that are not scores, by their whole names or by the words of their names.
RANK_NAMES = {"rank", "ranking", "position", "place", "no", "nr", "index", "unnamed", "rang", "platz", "rango", "排名"}
MEAN_NAMES = {
    *("average", "avg", "mean", "overall", "total", "macroaverage", "microaverage"),
    *("durchschnitt", "mittelwert", "moyenne", "promedio", "media", "平均", "平均分"),
}
FACT_NAMES = {"generation", "hub", "step", "state", "created", "duration", "experiment", "status"}
FACT_WORDS = {
    *("params", "param", "parameters", "size", "date", "year", "month", "day", "time", "timestamp", "license", "type"),
    *("url", "link", "paper", "code", "organization", "organisation", "org", "author", "authors", "revision", "sha"),
    *("likes", "downloads", "flagged", "precision", "architecture", "tokens", "cost", "price", "context", "window"),
    *("dimension", "dimensions", "memory", "votes", "co2", "arch", "weight", "submitted", "submission", "country"),
    *("fp32", "fp16", "bf16", "version", "id", "hash", "notes", "comment", "mode", "contaminated", "merged"),
    *("seed", "lr", "runtime", "epoch", "epochs", "dropout", "warmup", "decay", "batch", "optimizer", "temperature"),
    *("second", "seconds", "utilization", "cpu", "tags"),
    *("steps", "flops", "flos", "learning", "momentum", "gpu", "gpus", "sweep", "user", "parameter", "jahr", "datum"),
}
METRIC_WORDS = {"precision", "code", "paper", "context"}  # facts that are scores if most cells have decimals
COUNT_WORDS = {"count", "counts", "num", "number", "delta", "difference", "diff"}  # at either end of a name
# What experiment trackers put before the names of settings, and before those of scores.
SETTING_PREFIXES, METRIC_PREFIXES = ("params.", "tags.", "config.", "config/"), ("metrics.", "metrics/")
LANGUAGE_NAMES = {"id", "no"}  # Indonesian and Norwegian in tables of languages, if the cells have decimals
ERROR_WORDS = {"stderr", "se", "sem"}
RAW_WORD = "raw"
TRAINING_WORDS = {"train", "training"}
# Hyperparameters that trackers list next to scores, by their whole names.
FACT_NAMES |= {
    *("maxdepth", "numlayers", "hiddensize", "hiddendim", "numheads", "maxlength", "maxlen", "maxseqlen", "maxiter"),
    *("minsamplesleaf", "numleaves", "embeddim", "patience", "gamma", "subsample", "numepochs"),
}
_WORDS = re.compile(r"[^\W_]+")
_SYSTEM_HEADING = re.compile(r"(?:model|method|system)s?\s*+(?:[/(&,].*)?", re.IGNORECASE)
UNNAMED_COLUMNS = {"column 1", "Unnamed: 0", "index"}
_CELL = re.compile(
    r"^[*_†‡\s]*+(?P<number>[-−+]?[\d.,]+(?:e-?\d+)?)\s*+%?\s*+"
    r"(?:[_^]?(?:±|\+/-|\+-)\s*+[\d.,]+\s*+%?|[_^]\d*\.\d+|\([^)]*\))?[*†‡_^\s]*+$"
)
_SCRIPT = re.compile(r"<su[bp]>")
_EMPHASIS = re.compile(
    r"\*\*|__|==|~~|</?(?:b|i|u|strong|em|ins|mark|small|sub|sup|br)\s?/?>|\\(?:textbf|underline|textit)\{|[{}$`]"
)
_LINK = re.compile(r"^(?:\[(?P<markdown>[^\]]+)\]\([^)]*\)|<a\b[^>]*>(?P<html>[^<]+)</a>)$")
_BOLD = re.compile(r"^(?:\*\*([^*]+)\*\*|\*([^*]+)\*|<(?:b|i|u|strong|em|ins)>([^<]+)</(?:b|i|u|strong|em|ins)>)$")
_THOUSANDS = re.compile(r"^\d{1,3}(,\d{3})+(\.\d+)?$")


def split_name(name: str) -> list[str]:
    """Return the words of a name in lower case and without accents.

    >>> split_name("Modèle (7B)"), split_name("Hub ❤️"), split_name("acc_stderr,none")
    (['modele', '7b'], ['hub'], ['acc', 'stderr', 'none'])
    """
    plain = "".join(mark for mark in unicodedata.normalize("NFKD", name) if not "\u0300" <= mark <= "\u036f")
    return _WORDS.findall(unicodedata.normalize("NFC", plain).lower())


def find_system_column(columns: Sequence[str]) -> str | None:
    """Return the column that names the systems.

    >>> find_system_column(["Rank", "Model Name", "MMLU"]), find_system_column(["Modell", "MMLU"])
    ('Model Name', 'Modell')
    >>> find_system_column(["Model size", "Model/adapter", "MMLU"])
    'Model/adapter'
    """
    exact = _find_name(columns, SYSTEM_NAMES)
    return exact or next((name for name in columns if _SYSTEM_HEADING.fullmatch(name.strip())), None)


def _find_name(columns: Sequence[str], names: Sequence[str]) -> str | None:
    plain = {"".join(split_name(name)): name for name in reversed(columns)}
    return next((plain[name] for name in names if name in plain), None)


def list_score_columns(frame: pl.DataFrame, columns: Sequence[str]) -> list[str]:
    """Return the columns that hold scores, of some columns of a table.

    If an experiment tracker marks metrics, these are the columns. A raw score is none next to the normalised one.
    """
    names = [name for name in columns if name.startswith(METRIC_PREFIXES)] or columns
    has_shots = sum("shot" in split_name(name) for name in names) > 1
    names = [name for name in names if has_shots or split_name(name) != ["zero", "shot"]]  # a share of unseen tasks
    scores = [name for name in names if is_score_column(name, frame[name])]
    scores = [name for name in scores if not _is_empty(frame[name])] or scores
    known = {tuple(split_name(name)) for name in scores}
    return [name for name in scores if not _is_raw(name, known)]


def _is_empty(cells: pl.Series) -> bool:
    return all(is_missing_cell(cell) for cell in cells.drop_nulls().to_list())


def _is_raw(name: str, known: Collection[tuple[str, ...]]) -> bool:
    words = split_name(name)
    return RAW_WORD in words and tuple(word for word in words if word != RAW_WORD) in known


def find_error_columns(columns: Sequence[str], scores: Sequence[str]) -> dict[str, str]:
    """Return the columns of standard errors by the columns of the scores that they belong to.

    >>> find_error_columns(["model", "mmlu", "mmlu_stderr", "arc"], ["mmlu", "arc"])
    {'mmlu': 'mmlu_stderr'}
    """
    errors = {
        tuple(word for word in split_name(name) if word not in ERROR_WORDS): name
        for name in columns
        if is_error_column(name)
    }
    return {name: errors[words] for name in scores if (words := tuple(split_name(name))) in errors}


def is_error_column(name: str) -> bool:
    """Return whether a column holds standard errors, by its name."""
    words = split_name(name)
    return bool(ERROR_WORDS & set(words)) or {"standard", "error"} <= set(words) or words[-1:] == ["stderror"]


def _has_fractions(cells: pl.Series) -> bool:
    """Return whether most cells are numbers with decimals, as scores are and identifiers are not."""
    numbers = [parse_cell(str(cell)) for cell in cells.drop_nulls().to_list()]
    return sum(number is not None and number % 1 != 0 for number in numbers) > len(numbers) / 2


def is_score_column(name: str, cells: pl.Series) -> bool:
    """Return whether a column holds scores: numbers, and not ranks, means of other columns or facts about systems."""
    words = split_name(name)
    joined = "".join(words)
    if joined in LANGUAGE_NAMES and _has_fractions(cells):
        return True
    if joined in RANK_NAMES | MEAN_NAMES | FACT_NAMES or not words or is_error_column(name):
        return False
    if set(words) & FACT_WORDS and not (set(words) & FACT_WORDS <= METRIC_WORDS and _has_fractions(cells)):
        return False
    if words[-1] in COUNT_WORDS or words[0] in COUNT_WORDS or name.lstrip().startswith("#"):
        return False
    if words[0] in MEAN_NAMES or words[-1] in ("average", "avg") or name.startswith(SETTING_PREFIXES):
        return False
    if (words[0] == "n" and len(words) > 1) or any(word.endswith(("params", "stderr")) for word in words):
        return False
    if words[0] in TRAINING_WORDS and len(words) > 1:
        return False
    if set(words) & {"std", "ci", "variance"} or words[-2:] == ["global", "step"]:
        return False
    known = [cell for cell in cells.drop_nulls().to_list() if not is_missing_cell(cell)]
    numbers = sum(parse_cell(cell) is not None for cell in known)
    return 2 * numbers >= len(known)


def find_dataset_column(columns: Sequence[str]) -> str | None:
    """Return the column that names the datasets of a table with one column per system.

    >>> find_dataset_column(["Benchmark", "model-a", "model-b"])
    'Benchmark'
    """
    return _find_name(columns, DATASET_NAMES)


def clean_name(cell: str) -> str:
    """Return the name of a system without links and emphasis of Markdown or HTML.

    >>> clean_name("[qwen](https://example.org)"), clean_name('<a href="x">phi</a>'), clean_name("llama [7B]")
    ('qwen', 'phi', 'llama [7B]')
    >>> clean_name("**[qwen](https://example.org)**"), clean_name("*ours*"), clean_name("a*b*"), clean_name("__init__")
    ('qwen', 'ours', 'a*b*', '__init__')
    """
    plain = cell.strip()
    for pattern in (_BOLD, _LINK, _BOLD):
        match = pattern.match(plain)
        plain = plain if match is None else next(text for text in match.groups() if text).strip()
    return plain or cell


MISSING_CELLS = {"", "-", "–", "—", "nan", "na", "n/a", "n.a.", "null", "none", "tbd", "?", "x", "n/a*", "pending"}


def is_missing_cell(cell: str) -> bool:
    """Return whether a cell says that there is no score.

    >>> is_missing_cell("N/A"), is_missing_cell("⚠️ NA"), is_missing_cell("0")
    (True, True, False)
    """
    plain = cell.strip().lower()
    return plain in MISSING_CELLS or "".join(mark for mark in plain if mark.isascii()).strip() in MISSING_CELLS - {""}


def parse_cell(cell: str) -> float | None:
    """Read a score as it is written in leaderboards; None if it is not a number.

    >>> [parse_cell(cell) for cell in ("90%", "90.1 ± 1.2", "90.1 (3)", "**77**", "1,234.5", "12.3.4")]
    [90.0, 90.1, 90.1, 77.0, 1234.5, None]
    >>> [parse_cell(cell) for cell in ("**96.4** ± 0.1", "<b>60</b>%")]
    [96.4, 60.0]
    >>> [parse_cell(cell) for cell in ("71.2<sub>±0.3</sub>", "71.2_0.3", "91.5<sup>*</sup>")]
    [71.2, 71.2, 91.5]
    """
    match = _CELL.match(_EMPHASIS.sub("", _SCRIPT.sub("_", cell)).strip())
    if match is None:
        return None
    text = match["number"].replace("−", "-")
    if _THOUSANDS.match(text.lstrip("+-")):
        text = text.replace(",", "")
    elif text.count(",") == 1 and "." not in text:
        text = text.replace(",", ".")
    try:
        return float(text)
    except ValueError:
        return None


def expand_objects(table: RawTable) -> pl.DataFrame:
    """Return a table whose columns of objects, such as `{"mmlu": 70.1}`, are columns of the numbers inside."""
    import polars as pl

    columns: list[pl.Series] = []
    for name in table.frame.columns:
        objects = _read_objects(table.frame[name]) if name in table.nested else None
        keys = dict.fromkeys(key for numbers in objects or () for key in numbers)
        taken = {column.name for column in columns} | set(table.frame.columns)
        columns += [
            pl.Series(
                key if key not in taken else f"{name} {key}", [row.get(key) for row in objects or ()], dtype=pl.String
            )
            for key in keys
        ]
        columns += [] if keys else [table.frame[name]]
    return pl.DataFrame(columns) if columns else table.frame


def _read_objects(cells: pl.Series) -> list[dict[str, str]] | None:
    """Return the numbers in the objects of a column by their keys; None if a cell holds something else."""
    rows = []
    for cell in cells.to_list():
        try:
            value = {} if cell is None else parse_json(cell, "a cell", repeated=RepeatedKeys())
        except AssayError:
            return None
        if not isinstance(value, dict):
            return None
        rows.append(flatten_numbers(value))
    return rows


def flatten_numbers(value: Mapping[str, object], prefix: str = "") -> dict[str, str]:
    """Return the numbers of nested objects by their keys, joined by spaces.

    >>> flatten_numbers({"mmlu": {"acc": 70.1, "stderr": 0.5}, "arc": 60, "note": "x"})
    {'mmlu acc': '70.1', 'mmlu stderr': '0.5', 'arc': '60'}
    """
    numbers: dict[str, str] = {}
    for key, inner in value.items():
        name = f"{prefix} {key}".strip()
        if isinstance(inner, Mapping):
            numbers |= flatten_numbers(inner, name)
        elif isinstance(inner, (int, float)) and not isinstance(inner, bool):
            numbers[name] = str(inner)
    return numbers
