"""The commands that the page offers next to the audit, described by the command line."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

OptionKind = Literal["flag", "choice", "integer", "number", "text"]


@dataclass(frozen=True)
class ToolOption:
    """One option of a command: how it is written on the command line, and what values it takes."""

    name: str
    flag: str
    kind: OptionKind
    help: str
    choices: tuple[str, ...] = ()
    default: str = ""
    is_repeatable: bool = False
    is_required: bool = False


@dataclass(frozen=True)
class ToolInput:
    """A file that a command reads: its flag (empty for an argument), and the kinds of uploaded files that fit.

    By default all files that fit are used; without `is_default` only those that the user chooses.
    """

    flag: str
    kinds: tuple[str, ...]
    is_required: bool = False
    is_default: bool = True


@dataclass(frozen=True)
class ToolOutput:
    """A file or folder that a command writes, under a name that the page chooses."""

    flag: str
    name: str


@dataclass(frozen=True)
class Tool:
    """One command of the command line: what it reads, takes and writes.

    `roles` are the flags that name columns, which the page fills in as chosen for the version.
    """

    name: str
    help: str
    inputs: tuple[ToolInput, ...]
    options: tuple[ToolOption, ...]
    outputs: tuple[ToolOutput, ...]
    roles: tuple[str, ...] = ()
