"""Streams for terminals and logs: text of the data cannot control either of them.

`guard_streams` puts a `SafeStream` in the place of standard output and error, so that every print passes it.
"""

from __future__ import annotations

import codecs
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TextIO, cast

from assay.wording.characters import break_inner_commands, escape_character, escape_hidden

if TYPE_CHECKING:
    from rich.console import Console

# Commands of GitHub and Azure; runners find them after white space (::) or anywhere in a line (##[).
_COMMAND_START = re.compile(r"^([^\S\n]*)(?=::)", re.MULTILINE)
_BLANK = re.compile(r"[^\S\n]*\Z")
_RECORDINGS: list[list[tuple[str, str]] | None] = []  # the last one is in use; None records nothing
_ASCII_ONLY = "assay-ascii"  # name of the error handler
_ASCII_SIGNS = dict(
    pair.split(" ")
    for pair in (
        "− -|– -|— -|· -|• *|× x|… ...|→ ->|← <-|↓ v|↑ ^|≤ <=|≥ >=|≈ ~|± +/-|√ sqrt|✓ ok|✗ x|½ 1/2|“ \"|” \"|‘ '|’ '|"
        "² ^2|³ ^3|λ lambda|τ tau|α alpha|θ theta|σ sigma|ρ rho|κ kappa|π pi|Δ delta|Σ sum|█ #|━ -|╸ -|╺ -"
    ).split("|")
)


def break_commands(text: str) -> str:
    r"""Put a backslash into what a build server would take for a command.

    >>> break_commands("a ::b\n ::error::c ##[group]")
    'a ::b\n \\::error::c #\\#[group]'
    """
    return break_inner_commands(_COMMAND_START.sub(r"\1\\", text))


def _replace_unencodable(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    characters = error.object[error.start : error.end]
    return "".join(_ASCII_SIGNS.get(character) or escape_character(character) for character in characters), error.end


codecs.register_error(_ASCII_ONLY, _replace_unencodable)


class SafeStream:
    """A text stream that makes control characters visible, and outlives the reader of a pipe.

    `styled` is the same stream for text whose control characters are our own.
    """

    def __init__(self, stream: TextIO, name: str, *, keeps_controls: bool = False) -> None:
        self._stream = stream
        self.name = name
        self._keeps_controls = keeps_controls
        self._starts_line = True
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors=_ASCII_ONLY)

    @property
    def styled(self) -> SafeStream:
        """Return the stream that keeps control characters."""
        return SafeStream(self._stream, self.name, keeps_controls=True)

    def __getattr__(self, name: str) -> Any:
        if name == "buffer":  # click would write to it directly
            raise AttributeError(name)
        return getattr(self._stream, name)

    def write(self, text: str | bytes) -> int:
        """Write text in which neither terminals nor build servers find a command; click completes words in bytes."""
        text = text.decode() if isinstance(text, bytes) else text
        visible = text if self._keeps_controls else escape_hidden(text)
        before = "" if self._starts_line else "\0"  # which keeps the first line from being the start of a line
        self._starts_line = _BLANK.match(visible, visible.rfind("\n") + 1) is not None and (
            self._starts_line or "\n" in visible
        )
        self.write_unchanged(break_commands(before + visible)[len(before) :])
        return len(text)

    def write_unchanged(self, text: str) -> None:
        """Write text that is known to be safe, such as escaped JSON and our own commands for a build server."""
        if _RECORDINGS and (recording := _RECORDINGS[-1]) is not None:
            recording.append((self.name, text))
        self._attempt(self._stream.write, text)

    def writelines(self, lines: Iterable[str]) -> None:
        """Write several texts."""
        for line in lines:
            self.write(line)

    def flush(self) -> None:
        """Write what is still in memory."""
        self._attempt(self._stream.flush)

    def _attempt(self, function: Callable[..., Any], *arguments: str) -> None:
        try:
            function(*arguments)
        except BrokenPipeError:  # the reader has closed the pipe, as in `assay … | head`: files are still written
            self._disconnect()
        except OSError as error:
            self._disconnect()
            raise OSError(error.errno, error.strerror, self.name) from error

    def _disconnect(self) -> None:
        """Send the rest to nowhere."""
        target = os.open(os.devnull, os.O_WRONLY)
        os.dup2(target, self._stream.fileno())
        os.close(target)


@contextmanager
def guard_streams() -> Iterator[None]:
    """Make standard output and error safe while the block runs."""
    before = sys.stdout, sys.stderr
    _open_closed_descriptors()
    sys.stdout = _make_safe(sys.stdout, "standard output")
    sys.stderr = _make_safe(sys.stderr, "standard error")
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before


@contextmanager
def record_output(*, pause: bool = False) -> Iterator[list[tuple[str, str]]]:
    """Record what is written to guarded streams inside the block, as pairs of the stream's name and text.

    With `pause`, record nothing inside the block.
    """
    recording: list[tuple[str, str]] = []
    _RECORDINGS.append(None if pause else recording)
    try:
        yield recording
    finally:
        _RECORDINGS.pop()


def repeat_output(recording: Iterable[tuple[str, str]]) -> None:
    """Write what was recorded."""
    streams = {stream.name: stream for stream in (sys.stdout, sys.stderr) if isinstance(stream, SafeStream)}
    for name, text in recording:
        streams[name].write_unchanged(text)
        streams[name].flush()


def guard_worker_streams() -> None:
    """Make the streams of a worker process safe until it ends; what libraries in other languages write is dropped.

    They write to the descriptor of standard error directly, if nothing can make control characters visible.
    """
    _open_closed_descriptors()
    errors = os.dup(2)
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 2)
    os.close(null)
    stream = open(errors, "w", encoding="utf-8", buffering=1)  # noqa: SIM115, PTH123, open to the end
    sys.stdout, sys.stderr = _make_safe(sys.stdout, "standard output"), _make_safe(stream, "standard error")


def _open_closed_descriptors() -> None:
    """Open descriptors 0 to 2 if they are closed, so that no other file takes their place."""
    for descriptor in range(3):
        try:
            os.fstat(descriptor)
        except OSError:
            null = os.open(os.devnull, os.O_RDWR)
            if null != descriptor:
                os.dup2(null, descriptor)
                os.close(null)


def _make_safe(stream: Any, name: str) -> TextIO:
    if isinstance(stream, SafeStream):
        return cast("TextIO", stream)
    target = open(os.devnull, "w", encoding="utf-8") if stream is None else stream  # noqa: SIM115, PTH123, open to the end
    return cast("TextIO", SafeStream(target, name))


def get_styled(stream: TextIO) -> TextIO:
    """Return the stream for text with our own control characters."""
    return cast("TextIO", stream.styled) if isinstance(stream, SafeStream) else stream


def write_unchanged(text: str) -> None:
    """Write safe text to standard output, without breaking our own commands."""
    stream: Any = sys.stdout
    stream.write_unchanged(text) if isinstance(stream, SafeStream) else stream.write(text)


def has_colour(stream: TextIO) -> bool:
    """Return True if a stream is a terminal and colours are not switched off."""
    return stream.isatty() and not os.environ.get("NO_COLOR")


def make_console(*, stderr: bool = False, width: int | None = None) -> Console:
    """Return a rich console on a standard stream that makes control characters of its texts visible."""
    from rich.console import Console
    from rich.segment import Segment

    class SafeConsole(Console):
        def _render_buffer(self, buffer: Iterable[Segment]) -> str:
            return super()._render_buffer(
                segment if segment.control else Segment(escape_hidden(segment.text), segment.style)
                for segment in buffer
            )

    return SafeConsole(file=get_styled(sys.stderr if stderr else sys.stdout), width=width)
