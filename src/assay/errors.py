"""What can go wrong that the user can mend, and how it is said: place, fact, what is allowed, a hint."""

from __future__ import annotations

import difflib
import importlib
from collections.abc import Iterable
from types import ModuleType


class AssayError(Exception):
    """A problem the user can mend; the command line prints it on one line and exits with 1."""


class UsageError(AssayError):
    """A demand that makes no sense as asked; the command line exits with 2."""


class MissingExtraError(AssayError):
    """A package that an extra brings is not installed."""


def listed(names: Iterable[object], limit: int = 5) -> str:
    """Write at most `limit` names and count the rest.

    >>> listed("abcdefg", limit=3)
    'a, b, c and 4 more'
    """
    everything = [str(name) for name in names]
    shown = ", ".join(everything[:limit])
    return shown if len(everything) <= limit else f"{shown} and {len(everything) - limit} more"


def unknown(kind: str, name: str, known: Iterable[str]) -> UsageError:
    """Make the error for a name that does not exist, with the nearest one that does.

    >>> print(unknown("split", "lenght", ["random", "length"]))
    No split 'lenght'. Did you mean 'length'? Known: length, random.
    """
    names = sorted(known)
    near = difflib.get_close_matches(name, names, n=1)
    guess = f" Did you mean '{near[0]}'?" if near else ""
    return UsageError(f"No {kind} '{name}'.{guess} Known: {', '.join(names)}.")


def need(module: str, extra: str, what: str) -> ModuleType:
    """Import a module that an extra brings, or say which extra to install."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        package = module.partition(".")[0]
        raise MissingExtraError(f'{what} needs {package}: pip install "benchassay[{extra}]".') from error
