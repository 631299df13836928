"""The common form of every log: one record per system, item, metric and repeat."""

from __future__ import annotations

import hashlib
import json
import math
from dataclasses import dataclass, field

from assay.base.marks import NAME, TEXT
from assay.system.json import JsonObject

Settings = tuple[tuple[str, str], ...]
Usage = tuple[tuple[str, float], ...]  # cost_usd, tokens, seconds, where the log has them
USAGE_UNITS = ("cost_usd", "tokens", "seconds")
# Parameters that say how a run was carried out and not what was measured. A run with another seed is a repeat.
NO_SETTINGS = frozenset(
    {
        *("seed", "random_seed", "cache", "cache_prompt", "cache_dir", "batch", "batch_size", "max_batch_size"),
        *("max_connections", "adaptive_connections", "num_concurrent", "max_retries", "timeout", "attempt_timeout"),
        *("stream_idle_timeout", "device", "device_map", "parallelize", "trust_remote_code", "token", "api_key"),
        *("tensor_parallel_size", "data_parallel_size", "gpu_memory_utilization"),
    }
)


@dataclass(frozen=True, slots=True)
class LogItem:
    """The content of an item, if the log has it: its text, the accepted answers and the choices.

    If there are choices, the accepted answers are their letters.
    """

    text: str | None = field(default=None, metadata=TEXT)
    gold: tuple[str, ...] = field(default=(), metadata=TEXT)
    choices: tuple[str, ...] = field(default=(), metadata=TEXT)
    subject: str | None = field(default=None, metadata=NAME)


@dataclass(frozen=True, slots=True)
class LogRecord:
    """The score of one system on one item; None with `error` if the run failed, which is not a wrong answer.

    `item` is a key that is the same in every log of the item. A record with `is_aggregate` holds the score of a whole
    task. `settings` (few-shot, task arguments, generation parameters) belong to the run. `sample` and `attempt`
    identify a sample that was retried; `is_invalid` marks one that was declared invalid. `group` names the tasks that
    the harness reports as one, such as the subjects of MMLU. `usage` is what the answer cost. `is_main` marks the metric
    that the harness reports first. `response` is the row of the response in the store of the reader, if it has one.
    """

    system: str = field(metadata=NAME)
    task: str = field(metadata=NAME)
    metric: str = field(metadata=NAME)
    item: str = field(metadata=NAME)
    score: float | None
    repeat: int = 0
    error: bool = False
    benchmark: str = field(default="all", metadata=NAME)
    is_aggregate: bool = False
    settings: Settings = field(default=(), metadata=NAME)
    content: LogItem | None = None
    answer: str | None = field(default=None, metadata=TEXT)
    lower_is_better: bool | None = None
    sample: str | None = field(default=None, metadata=NAME)
    attempt: str | None = field(default=None, metadata=NAME)
    is_invalid: bool = False
    group: str | None = field(default=None, metadata=NAME)
    usage: Usage = ()
    response: int | None = None
    is_main: bool = False


def make_usage(cost_usd: object = None, tokens: object = None, seconds: object = None) -> Usage:
    """Return what an answer cost in the units that the log has; anything but a finite number that is not negative is none.

    >>> make_usage(tokens=120, seconds=None, cost_usd="?")
    (('tokens', 120.0),)
    """
    values = zip(USAGE_UNITS, (cost_usd, tokens, seconds), strict=True)
    numbers = [
        (unit, value) for unit, value in values if isinstance(value, (int, float)) and not isinstance(value, bool)
    ]
    return tuple((unit, float(value)) for unit, value in numbers if 0 <= value < math.inf)


def hash_content(*parts: object) -> str:
    """Return a key of an item's content, so that items of two logs match whatever their number or order.

    >>> hash_content("q", ["a"]) == hash_content("q", ["a"])
    True
    """
    text = json.dumps(parts, sort_keys=True, ensure_ascii=False, default=str)
    return hashlib.sha256(text.encode("utf-8")).hexdigest()[:16]


def number_copies(key: str, identity: str, copies: dict[str, dict[str, str]]) -> str:
    """Return the key of an item, with a number for further items of the same content in one log.

    `identity` is the item's own name in the log: two items with one content are two items, one item twice a repeat.

    >>> copies: dict[str, dict[str, str]] = {}
    >>> [number_copies("h", identity, copies) for identity in ("1", "2", "1")]
    ['h', 'h#2', 'h']
    """
    known = copies.setdefault(key, {})
    if identity not in known:
        known[identity] = key if not known else f"{key}#{len(known) + 1}"
    return known[identity]


def make_settings(values: JsonObject) -> Settings:
    """Return settings as sorted pairs of text; what is empty, unset or no setting (`NO_SETTINGS`) is left out.

    >>> make_settings({"temperature": 0.5, "solver": None, "args": {"seed": 1}, "generation": {"top_p": 0.9, "seed": 2}})
    (('generation', '{"top_p": 0.9}'), ('temperature', '0.5'))
    """
    inner = {name: _drop_unset(value) if isinstance(value, dict) else value for name, value in values.items()}
    known = {name: value for name, value in inner.items() if value is not None and value not in ("", {}, [])}
    texts = {
        name: value if isinstance(value, str) else json.dumps(value, sort_keys=True, ensure_ascii=False, default=str)
        for name, value in known.items()
    }
    return tuple(sorted(texts.items()))


def _drop_unset(values: JsonObject) -> JsonObject:
    return {name: value for name, value in values.items() if value is not None and name not in NO_SETTINGS}


def parse_score(value: object) -> float | None:
    """Read a score: numbers, booleans and numeric strings; None for anything else.

    >>> parse_score(True), parse_score("0.5"), parse_score([1]), parse_score(float("nan"))
    (1.0, 0.5, None, None)
    """
    if not isinstance(value, (bool, int, float, str)) or value != value:
        return None
    try:
        return float(value)
    except (ValueError, OverflowError):
        return None
