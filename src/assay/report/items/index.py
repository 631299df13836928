"""The item table of an audit with texts and answers, whether it comes from a run or from its JSON file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import cached_property

import numpy as np
import polars as pl

from assay.audits import Audit, Finding, ItemRow
from assay.audits.details import SCHEMA, ItemDetails
from assay.audits.flagged import mark_items
from assay.audits.items import list_ordered_rows
from assay.base.arrays import Array
from assay.responses import ResponseAudit
from assay.responses.listing import tabulate_excerpts


@dataclass(frozen=True, eq=False)
class ItemIndex:
    """All rows of the item table that are at hand, `n_all` being the number of items of the data.

    `texts` is None in a private audit; `responses` are by the row of their item. An audit read from JSON has its first
    500 items, without answers.
    """

    items: pl.DataFrame
    texts: pl.Series | None
    details: ItemDetails | None
    n_all: int
    responses: pl.DataFrame | None = None

    @cached_property
    def order(self) -> Array:
        """The rows, those with most against them first."""
        return list_ordered_rows(self.items).to_numpy().astype(np.int64)

    @cached_property
    def places(self) -> dict[str, int]:
        """The row of every id that another item names."""
        names = pl.concat([self.items[column].cast(pl.String) for column in ("copy_of", "nearest")]).drop_nulls()
        rows = self.items["id"].is_in(names.unique().implode()).arg_true()
        ids = self.items["id"].gather(rows).to_list()
        return dict(zip(reversed(ids), reversed(rows.to_list()), strict=True))

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems whose answers are known."""
        return () if self.details is None else self.details.systems

    def read_details(self, rows: Array) -> pl.DataFrame:
        """Return text, gold, answers and outcomes of some rows."""
        if self.details is not None:
            return self.details.to_frame(rows)
        empty = [None] * len(rows)
        text = empty if self.texts is None else self.texts.gather(rows)
        gold = self.items["label"].gather(rows)
        return pl.DataFrame({"text": text, "gold": gold, "answers": empty, "outcomes": empty}, schema=SCHEMA)

    def find_rows(self, finding: Finding) -> Array:
        """Return the rows that a finding is about, those with most against them first."""
        sides = None if self.details is None else self.details.sides
        marked = mark_items(finding, self.items, self.texts, sides).to_numpy()
        return np.asarray(self.order[marked[self.order]])


def index_items(audit: Audit) -> ItemIndex:
    """Return the items of an audit."""
    if audit.items is not None:
        texts = None if audit.details is None else audit.details.texts
        if audit.details is None and not audit.settings.private:
            texts = find_texts(audit.items, audit.items_top)
        return ItemIndex(audit.items, texts, audit.details, len(audit.items), tabulate_responses(audit))
    names = [field.name for field in fields(ItemRow) if field.name != "text"]
    rows = [{name: getattr(row, name) for name in names} for row in audit.items_top]
    frame = pl.DataFrame(rows, schema=names, infer_schema_length=None, orient="row") if rows else empty_table(names)
    texts = pl.Series("text", [row.text for row in audit.items_top], dtype=pl.String)
    return ItemIndex(frame, None if audit.settings.private else texts, None, audit.items_summary.total)


def tabulate_responses(audit: Audit) -> pl.DataFrame | None:
    """Return the responses of an audit by the row of their item; None without responses."""
    evidence = audit.evidence.results.get("responses")
    if audit.items is None or not isinstance(evidence, ResponseAudit) or not evidence.responses:
        return None
    return tabulate_excerpts(evidence.responses, audit.items["id"])


def empty_table(names: Sequence[str]) -> pl.DataFrame:
    """Return an item table without rows."""
    return pl.DataFrame(schema=dict.fromkeys(names, pl.String))


def find_texts(items: pl.DataFrame, rows: Sequence[ItemRow]) -> pl.Series | None:
    """Return the texts that the first rows have, in the order of the item table."""
    texts = {row.id: row.text for row in rows}
    return pl.Series("text", [texts.get(name) for name in items["id"].to_list()], dtype=pl.String)
