"""How much a command says on standard error: -q nothing but errors, -v also its steps and the time they take."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Literal

import click

Level = Literal["quiet", "normal", "verbose"]
_LEVEL = "assay.verbosity"
_MIN_LOOPS = 3  # a few loops compile in no time that anybody would notice
_SECONDS = 5.0  # between two lines on compiling


def make_options() -> list[click.Parameter]:
    """Return -q and -v, which every command has."""
    helps = {"quiet": "Print no notes and no progress.", "verbose": "Also print the steps and how long they take."}
    return [
        click.Option(
            [f"-{name[0]}", f"--{name}"],
            is_flag=True,
            is_eager=True,
            expose_value=False,
            callback=_set_level,
            help=text,
        )
        for name, text in helps.items()
    ]


def _set_level(context: click.Context, option: click.Parameter, is_set: bool) -> None:
    if is_set and context.meta.setdefault(_LEVEL, option.name) != option.name:
        raise click.UsageError("Choose one of --quiet and --verbose.")


def get_level() -> Level:
    """Return how much the running command says."""
    context = click.get_current_context(silent=True)
    level: Level = "normal" if context is None else context.meta.get(_LEVEL, "normal")
    return level


@contextmanager
def report_steps() -> Iterator[None]:
    """With -v, print every step of the tasks inside the block when it starts, and the time that everything took."""
    if get_level() != "verbose":
        yield
        return
    from assay import __version__
    from assay.cli.output import say
    from assay.tasks import listen_to_steps

    start = time.monotonic()
    seen: set[str] = set()

    def report(step: str, n_done: int, n_total: int) -> None:
        if step not in seen and not n_done:
            seen.add(step)
            say(f"{time.monotonic() - start:.1f} s: {step}" + (f" ({n_total:,})" if n_total > 1 else ""))

    say(f"assay {__version__}")
    with listen_to_steps(report):
        yield
    say(f"Finished in {time.monotonic() - start:.1f} s.")


@contextmanager
def report_compiling() -> Iterator[None]:
    """Say when loops are compiled inside the block, as on the first run, and how many have been; with -q say nothing."""
    if get_level() == "quiet":
        yield
        return
    from assay.base.loops import listen_to_compiling
    from assay.cli.output import say
    from assay.system.terminal import record_output

    last = 0.0

    def report(n_loops: int, seconds: float) -> None:
        nonlocal last
        with record_output(pause=True):
            if n_loops == _MIN_LOOPS:
                say("Compiling, first run only …")
            elif n_loops > _MIN_LOOPS and seconds - last >= _SECONDS:
                last = seconds
                say(f"Compiling, first run only: {n_loops} loops …")

    with listen_to_compiling(report):
        yield
