"""Filters that people write: `label = sport and (suspicion > 0.5 or not text ~ "goal")`."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

import polars as pl

from assay.base.errors import UsageError

MAX_LENGTH = 500
MAX_DEPTH = 30
OPERATORS = ("=", "!=", "<", "<=", ">", ">=", "~")
NUMBERS = ("suspicion", "n_systems_right", "item_discrimination", "divergence", "information", "nearest_distance")
TEXTS = ("id", "text", "label", "part", "proposal", "suggested", "reasons", "gold", "case", "leak")
_TOKEN = re.compile(r"(\"[^\"]*\"|'[^']*')|(<=|>=|!=|[=<>~()])|([^\s=<>~()!\"']+)")


def parse_expression(text: str, columns: Collection[str], categories: Mapping[str, str] | None = None) -> pl.Expr:
    """Return the condition that a text states: a column, an operator and a value, joined by and, or, not, ( and ).

    `~` finds a part of a text, without regard to case; names and values with spaces are quoted. `categories` are names
    of further columns of texts, with the columns that have them.

    >>> frame = pl.DataFrame({"label": ["a", "b", "b"], "suspicion": [0.9, 0.1, None]})
    >>> frame.filter(parse_expression("label = b and not suspicion > 0.5", frame.columns)).rows()
    [('b', 0.1), ('b', None)]
    """
    if len(text) > MAX_LENGTH:
        raise UsageError(f"The filter has {len(text):,} characters; at most {MAX_LENGTH} are read.")
    places = {name: name for name in (*TEXTS, *NUMBERS) if name in columns}
    parser = _Parser(text, {**(categories or {}), **places})
    condition = parser.read_or()
    if parser.tokens:
        raise UsageError(
            f"The filter has '{parser.tokens[0][1][:40]}' after its end.", hint="Join conditions by and or or."
        )
    return condition


@dataclass
class _Parser:
    """Read conditions from the left to the right."""

    text: str
    columns: Mapping[str, str]
    tokens: list[tuple[str, str]] = field(default_factory=list)
    depth: int = 0

    def __post_init__(self) -> None:
        rest = self.text.strip()
        while rest:
            match = _TOKEN.match(rest)
            if match is None:
                raise UsageError(f"The filter cannot be read at '{rest[:40]}'.")
            quoted, operator, word = match.groups()
            self.tokens.append(
                ("value", quoted[1:-1]) if quoted is not None else ("sign", operator) if operator else ("word", word)
            )
            rest = rest[match.end() :].lstrip()

    def _take(self, *words: str) -> bool:
        if self.tokens and self.tokens[0][0] != "value" and self.tokens[0][1].lower() in words:
            self.tokens.pop(0)
            return True
        return False

    def read_or(self) -> pl.Expr:
        condition = self._read_and()
        while self._take("or"):
            condition |= self._read_and()
        return condition

    def _read_and(self) -> pl.Expr:
        condition = self._read_not()
        while self._take("and"):
            condition &= self._read_not()
        return condition

    def _read_not(self) -> pl.Expr:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise UsageError("The filter is nested too deeply.")
        if self._take("not"):
            condition = ~self._read_not()
        elif self._take("("):
            condition = self.read_or()
            if not self._take(")"):
                raise UsageError("The filter lacks a ')'.")
        else:
            condition = self._read_comparison()
        self.depth -= 1
        return condition

    def _read_comparison(self) -> pl.Expr:
        if len(self.tokens) < 3 or self.tokens[1][1] not in OPERATORS:
            hint = f"Write a column, one of {' '.join(OPERATORS)}, and a value. Columns: {', '.join(self.columns)}."
            raise UsageError("The filter lacks a comparison.", hint=hint)
        (_, name), (_, operator), (_, value) = self.tokens[:3]
        del self.tokens[:3]
        if name not in self.columns:
            raise UsageError(f"There is no column '{name[:40]}'.", hint=f"Columns: {', '.join(self.columns)}.")
        column = self.columns[name]
        return _compare_number(column, operator, value) if column in NUMBERS else _compare_text(column, operator, value)


def _compare_number(name: str, operator: str, value: str) -> pl.Expr:
    try:
        number = float(value)
    except ValueError:
        raise UsageError(f"'{value[:40]}' is not a number, and {name} has numbers.") from None
    column = pl.col(name).cast(pl.Float64, strict=False)
    return _apply(column, operator, number, name)


def _compare_text(name: str, operator: str, value: str) -> pl.Expr:
    column = pl.col(name).cast(pl.String)
    if operator == "~":
        return column.str.to_lowercase().str.contains(value.lower(), literal=True).fill_null(value=False)
    return _apply(column, operator, value, name)


def _apply(column: pl.Expr, operator: str, value: float | str, name: str) -> pl.Expr:
    """Return a comparison in which a missing value is never equal, smaller or larger."""
    if operator == "~":
        raise UsageError(f"{name} has numbers, and no part of a number can be searched.")
    compare = {
        "=": column.eq,
        "!=": column.ne_missing,
        "<": column.lt,
        "<=": column.le,
        ">": column.gt,
        ">=": column.ge,
    }
    return compare[operator](value).fill_null(value=False)
