"""Errors that the user can fix, with fields, so that each interface can phrase them in its own terms."""

from __future__ import annotations

import difflib
import importlib
import re
from collections.abc import Callable, Iterable
from types import ModuleType

from assay.wording.characters import escape_hidden

EXIT_UNEXPECTED = 70  # exit status after an unexpected error, EX_SOFTWARE of sysexits.h
MAX_MESSAGE = 500  # characters; cells and names of hostile files can be longer than a screen
_MAX_PLACE, _MAX_FACT = 120, 280
_OPTION = re.compile(r"\{([a-z_]+)\}")
# How facts begin, if not with a name: names of arguments, systems and files keep their letters.
_WORD = re.compile(
    r"(?:an?|all|duplicate|every|it|its|no|none|not|one|row|several|system|the|there|this|training|unknown) "
)
# Parameters whose command-line option has another name.
_FLAGS = {
    "data": "DATA",
    "n_jobs": "jobs",
    "n_permutations": "permutations",
    "n_repeats": "repeats",
    "n_splits": "n-folds",
    "random_state": "seed",
    "times": "time",
}
# Arguments as other libraries name them.
_OTHER_NAMES = {
    **dict.fromkeys(("target", "target-column", "label-column", "labels-column", "y"), "label"),
    **dict.fromkeys(("text-column", "text-col"), "text"),
    **dict.fromkeys(("y-pred", "preds"), "predictions"),
}
OPTION_NAMES = _OTHER_NAMES | {
    name: parameter for parameter, name in _FLAGS.items() if parameter not in ("data", "times")
}


def shorten(text: str, limit: int = MAX_MESSAGE) -> str:
    """Cut the middle out of a text that is longer than the limit.

    >>> shorten("abcdefghij", 5)
    'ab…ij'
    """
    if len(text) <= limit:
        return text
    start = (limit - 1) // 2
    return f"{text[:start]}…{text[len(text) - (limit - 1 - start) :]}"


def name_flag(parameter: str) -> str:
    """Return the command-line option of a parameter.

    >>> name_flag("label"), name_flag("n_jobs"), name_flag("test_size"), name_flag("data")
    ('--label', '--jobs', '--test-size', 'DATA')
    """
    name = _FLAGS.get(parameter, parameter.replace("_", "-"))
    return name if name.isupper() else f"--{name}"


class AssayError(ValueError):
    """A problem the user can fix. The command line prints it on one line and exits with 1.

    A message of more than 500 characters is shortened in the middle of its parts.

    `fact` is a sentence that says what is wrong, with or without a full stop. `place` is the file, column or row
    concerned, `option` the parameter, and `hint` says what to do. After a place the fact begins in lower case; without
    one the message begins with a capital letter. A hint names parameters in braces; each interface fills in its own
    name for them.

    >>> error = AssayError("no label column was recognised", place="reviews.csv", hint="Name it with {label}.")
    >>> print(error)
    reviews.csv: no label column was recognised. Name it with label=.
    >>> print(error.phrase(name_flag))
    reviews.csv: no label column was recognised. Name it with --label.
    >>> print(AssayError("there are no labels", hint="Name their column with {label}."))
    There are no labels. Name their column with label=.
    """

    def __init__(self, fact: str, *, place: object = None, option: str | None = None, hint: str = "") -> None:
        self.fact = fact
        self.place = None if place is None else str(place)
        self.option = option
        self.hint = hint
        super().__init__(fact)

    def __str__(self) -> str:
        return self.phrase(lambda parameter: f"{parameter}=")

    def __reduce__(self) -> tuple[Callable[..., AssayError], tuple[object, ...]]:
        return _rebuild, (type(self), self.fact, self.place, self.option, self.hint)

    def phrase(self, name_option: Callable[[str], str]) -> str:
        """Return the message, with parameters named by `name_option`."""
        hint = escape_hidden(_OPTION.sub(lambda match: name_option(match[1]), self.hint))
        place, fact = escape_hidden(self.place or ""), escape_hidden(self.fact)
        message = self._join(place, fact, hint, name_option)
        if len(message) <= MAX_MESSAGE:
            return message
        place, fact = shorten(place, _MAX_PLACE), shorten(fact, _MAX_FACT)
        left = MAX_MESSAGE - len(self._join(place, fact, "", name_option)) - 2
        return self._join(place, fact, shorten(hint, max(left, 1)), name_option)

    def _join(self, place: str, fact: str, hint: str, name_option: Callable[[str], str]) -> str:
        subject = f"{name_option(self.option).removesuffix('=')} " if self.option else ""
        if not place and not subject and _WORD.match(fact):
            fact = fact[0].upper() + fact[1:]
        message = _end_sentence(f"{place}: {subject}{fact}" if place else f"{subject}{fact}")
        if hint:
            message = _end_sentence(f"{message} {hint}")
        return " ".join(message.splitlines())  # cells in a message may hold line breaks


def _end_sentence(text: str) -> str:
    return text if text.endswith((".", "?", "!", ":", "…")) else f"{text}."


class UsageError(AssayError):
    """A request that makes no sense as written. The command line exits with 2."""


class UnknownArgumentError(UsageError, TypeError):
    """A keyword argument does not exist."""


class MissingExtraError(AssayError, ImportError):
    """A package that belongs to an extra is not installed."""


class MissingFileError(AssayError, FileNotFoundError):
    """A file or folder does not exist."""


def describe_bug(error: BaseException, *, quotes: bool = True) -> str:
    """Describe an error that is not the user's, on one line: what happened, and what to report.

    Its message may quote the data; without `quotes` only its kind is named.

    >>> describe_bug(KeyError("x")).partition(". ")[2]
    "Please report: KeyError: 'x'."
    """
    from assay import __version__

    if isinstance(error, MemoryError):
        return "There is not enough memory. Use a sample of the data, fewer processes or a larger machine."
    if isinstance(error, RecursionError):
        return "The data is nested too deeply to be read."
    name, message = type(error).__name__, shorten(escape_hidden(" ".join(str(error).split())), _MAX_FACT)
    kind = f"{name}: {message}" if message and quotes else name
    return f"This is a bug in assay {__version__}. Please report: {kind.rstrip('.')}."


def _rebuild(kind: type[AssayError], fact: str, place: str | None, option: str | None, hint: str) -> AssayError:
    return kind(fact, place=place, option=option, hint=hint)


def join_names(names: Iterable[object], limit: int = 5) -> str:
    """Join at most `limit` names with commas and count the rest.

    >>> join_names("abcdefg", limit=3)
    'a, b, c and 4 more'
    """
    strings = [str(name) for name in names]
    head = ", ".join(strings[:limit])
    return head if len(strings) <= limit else f"{head} and {len(strings) - limit} more"


def unknown_name(kind: str, name: str, known: Iterable[str]) -> UsageError:
    """Return the error for a name that does not exist, with the closest one that does.

    >>> print(unknown_name("split", "lenght", ["random", "length"]))
    No split 'lenght'. Did you mean 'length'? Known: length, random.
    """
    names = sorted(known)
    close = difflib.get_close_matches(name, names, n=1)
    guess = f" Did you mean '{close[0]}'?" if close else ""
    return UsageError(f"No {kind} '{name}'.{guess} Known: {', '.join(names)}.")


def import_extra(module: str, extra: str | None, purpose: str) -> ModuleType:
    """Import a module of an extra, or of a package of its own (None), or raise an error that names what to install."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        package = module.partition(".")[0]
        install = package if extra is None else f'"benchassay[{extra}]"'
        raise MissingExtraError(f"{purpose} needs {package}: pip install {install}.") from error
