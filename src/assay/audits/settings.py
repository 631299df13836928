"""Settings of an audit."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from assay.audits.ignore import IgnoreRule
from assay.kinds.arguments import ReadingArguments

Ignored: TypeAlias = str | IgnoreRule | Iterable[str | IgnoreRule] | None


@dataclass(frozen=True)
class AuditOptions:
    """Settings of an audit: what to check, and how.

    `only` and `skip` name sections, `budget` is in minutes, `cache` a folder of finished work (True: the user's).
    `reviewed` names a column of people's verdicts on the items; the audit says how many of its suspects they confirm.
    `ignore` lists findings that do not count, as `"A401"`, `"A401:not"` or `"A401:not=the reason"`. `private` keeps all
    texts out of the result.
    """

    quick: bool = True
    only: str | Sequence[str] | None = None
    skip: str | Sequence[str] | None = None
    budget: float | None = None
    private: bool = False
    reviewed: str | None = None
    ignore: Ignored = None
    n_jobs: int = 1
    backend: str | None = None
    cache: str | Path | bool | None = None
    random_state: int = 0


class AuditArguments(ReadingArguments, total=False):
    """The fields of `AuditOptions`, and the arguments of `assay.read`."""

    quick: bool
    only: str | Sequence[str] | None
    skip: str | Sequence[str] | None
    budget: float | None
    private: bool
    reviewed: str | None
    ignore: Ignored
    n_jobs: int
    backend: str | None
    cache: str | Path | bool | None
    random_state: int
