"""The items inside the page: columns with numbered names, compressed, as text that the page's script reads.

The size of a page is bounded. If not all texts fit, they are cut, those of items without a finding first; if
that is not enough, the page has only the items with most against them and says so.
"""

from __future__ import annotations

import base64
import json
import math
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from assay.audits.items import PROPOSALS, REASONS
from assay.base.arrays import Array
from assay.report.items.index import ItemIndex
from assay.responses.reading.excerpts import Excerpt
from assay.system.json import JsonObject
from assay.wording.characters import make_visible

# Characters of the texts of flagged items and of the others, from the most to the least that is tried.
TEXT_LIMITS = ((20_000, 20_000), (8_000, 2_000), (4_000, 800), (2_000, 300), (1_000, 160), (600, 100))
CUT_LIMITS = (2_000, 300)  # if not all items fit
RESPONSE_SHARE = 0.025  # of such a limit: the characters that are shown before what was read of a response
SAMPLE_ROWS = 1_000  # to estimate the size of all
SLACK = 1.2  # a sample compresses less well than all rows
MAX_ROWS = 200_000
MAX_NAME = 200
LEVEL = 9
NUMBERS = {
    "suspicion": 100,
    "divergence": 1000,
    "information": 1000,
    "item_discrimination": 100,
    "nearest_distance": 100,
}


@dataclass(frozen=True)
class PackedItems:
    """Compressed items for the page's script; `n_rows` of `n_all` are inside, with texts of at most `limit` characters."""

    data: str
    n_rows: int
    n_all: int
    limit: int

    @property
    def has_all(self) -> bool:
        """Whether every item is inside."""
        return self.n_rows == self.n_all


def pack_items(index: ItemIndex, flagged: Mapping[str, Array], max_bytes: int) -> PackedItems:
    """Pack as many items as fit into `max_bytes` of text; `flagged` has the rows of every finding by its anchor."""
    order = choose_rows(index, flagged)
    sample = order[:: max(1, len(order) // SAMPLE_ROWS)]
    for limits in TEXT_LIMITS:
        if len(order) > len(sample):
            expected = len(_pack(index, sample, flagged, limits)) * len(order) / len(sample)
            if expected > SLACK * max_bytes:
                continue
        data = _pack(index, order, flagged, limits)
        if len(data) <= max_bytes:
            return PackedItems(data, len(order), index.n_all, limits[0])
    per_row = len(_pack(index, order[:SAMPLE_ROWS], flagged, CUT_LIMITS)) / max(1, min(len(order), SAMPLE_ROWS))
    n_rows = min(len(order), int(max_bytes / max(per_row, 1)))
    while n_rows:
        data = _pack(index, order[:n_rows], flagged, CUT_LIMITS)
        if len(data) <= max_bytes:
            return PackedItems(data, n_rows, index.n_all, CUT_LIMITS[0])
        n_rows = int(0.8 * n_rows)
    return PackedItems("", 0, index.n_all, 0)


def choose_rows(index: ItemIndex, flagged: Mapping[str, Array]) -> Array:
    """Return the rows to pack: flagged ones first, then the originals of copies, then all others."""
    if len(index.items) <= MAX_ROWS:
        return index.order
    first = np.concatenate([np.zeros(0, np.int64), *(rows[:MAX_ROWS] for rows in flagged.values())])
    chosen = np.concatenate([first, index.order[:MAX_ROWS]])
    _, places = np.unique(chosen, return_index=True)
    return np.asarray(chosen[np.sort(places)][:MAX_ROWS])


def _pack(index: ItemIndex, order: Array, flagged: Mapping[str, Array], limits: tuple[int, int]) -> str:
    content = build_columns(index, order, flagged, limits)
    raw = json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")
    return base64.b64encode(zlib.compress(raw, LEVEL)).decode("ascii")


def build_columns(index: ItemIndex, order: Array, flagged: Mapping[str, Array], limits: tuple[int, int]) -> JsonObject:
    """Return the rows as columns, with numbered names, for the page's script."""
    items, details = index.items[order], index.read_details(order)
    places = np.full(len(index.items), -1)
    places[order] = np.arange(len(order))
    marks = {name: places[rows][places[rows] >= 0] for name, rows in flagged.items()}
    is_flagged = np.zeros(len(order), bool)
    for rows in marks.values():
        is_flagged[rows] = True
    is_flagged |= (items["proposal"] != "keep").to_numpy()
    reasons = {reason.text: number for number, reason in enumerate(REASONS)}
    content: dict[str, Any] = {
        "all": index.n_all,
        "id": [make_visible(name, MAX_NAME) for name in items["id"].to_list()],
        "part": number_names(items["part"]),
        "label": number_names(details["gold"]),
        "suggested": number_names(items["suggested"]),
        "proposal": [PROPOSALS.index(name) for name in items["proposal"].to_list()],
        "reason_names": list(reasons),
        "reasons": [
            [reasons[text] for text in row.split("; ") if text in reasons] for row in items["reasons"].to_list()
        ],
        "doubts": [None if text is None else make_visible(text, 400) for text in items["doubts"].to_list()],
        "original": [index.places.get(name, -1) if name else -1 for name in items["copy_of"].to_list()],
        "nearest": [index.places.get(name, -1) if name else -1 for name in items["nearest"].to_list()],
        "right": items["n_systems_right"].to_list(),
        "systems": [make_visible(name, MAX_NAME) for name in index.systems],
        "findings": {name: rows.tolist() for name, rows in marks.items()},
    }
    for name in ("original", "nearest"):
        content[name] = [int(places[row]) if row >= 0 else -1 for row in content[name]]
    for name, scale in NUMBERS.items():
        content[name] = [_round(value, scale) for value in items[name].to_list()]
    texts = details["text"].to_list()
    if index.texts is not None:
        content["text"] = [
            None if text is None else make_visible(text, limits[0 if flag else 1], keep_breaks=True)
            for text, flag in zip(texts, is_flagged.tolist(), strict=True)
        ]
    responses = {} if index.responses is None else {"responses": list_responses(index.responses, places, limits)}
    return content | list_answers(details, len(index.systems)) | responses


def list_responses(responses: pl.DataFrame, places: Array, limits: tuple[int, int]) -> JsonObject:
    """Return the responses of the packed items as columns, in the order of `at`, the places of their items.

    Those that are complete and read as the harness did have less text.
    """
    at = places[responses["row"].to_numpy()]
    order = np.argsort(at, kind="stable")
    order = order[at[order] >= 0]
    rows = responses[order]
    widths = [int(limit * RESPONSE_SHARE) for limit in limits]
    parts = [
        Excerpt(*row[:3]).shorten(width, width // 2)
        for row in rows.select("before", "span", "after", "is_remarkable").iter_rows()
        for width in (widths[0 if row[3] else 1],)
    ]
    return {
        "at": at[order].tolist(),
        "repeat": rows["repeat"].to_list(),
        **{name: number_names(rows[name]) for name in ("system", "state", "loss", "extracted", "read")},
        **{name: "".join(map(code_outcome, rows[name].to_list())) for name in ("graded", "right")},
        **{name: [getattr(part, name) for part in parts] for name in ("before", "span", "after")},
    }


def _round(value: float | None, scale: int) -> float | None:
    return None if value is None or not math.isfinite(value) else round(value * scale) / scale


def list_answers(details: pl.DataFrame, n_systems: int) -> JsonObject:
    """Return the answers of every system as numbered names, and whether each is right: 1, 0, in between, or none."""
    if not n_systems:
        return {}
    answers, outcomes = details["answers"].to_list(), details["outcomes"].to_list()
    given = [[None if row is None else row[n] for row in answers] for n in range(n_systems)]
    scores = [[None if row is None else row[n] for row in outcomes] for n in range(n_systems)]
    return {
        "answers": [number_names(column) for column in given],
        "outcomes": ["".join(map(code_outcome, column)) for column in scores],
    }


def code_outcome(score: float | None) -> str:
    """Write an outcome as one character.

    >>> [code_outcome(score) for score in (1.0, 0.0, 0.4, None)]
    ['1', '0', '~', '.']
    """
    if score is None:
        return "."
    return "1" if score == 1 else "0" if score == 0 else "~"


def number_names(names: pl.Series | Sequence[str | None]) -> JsonObject:
    """Return names as a list and numbers, −1 if there is none; names that differ too often are kept as they are.

    >>> number_names(["b", None, "a", "b"])
    {'names': ['b', 'a'], 'codes': [0, -1, 1, 0]}
    """
    numbers: dict[str, int] = {}
    codes = [-1 if name is None else numbers.setdefault(name, len(numbers)) for name in names]
    return {"names": [make_visible(name, MAX_NAME) for name in numbers], "codes": codes}
