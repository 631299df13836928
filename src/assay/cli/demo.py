"""`assay demo`: the tour on bundled real data."""

from __future__ import annotations

import click


@click.command()
def demo() -> None:
    """Look at bundled real data: argument reasoning comprehension, SemEval-2018 Task 12."""
    from assay.cli.output import say
    from assay.cli.profile import show
    from assay.data import read
    from assay.data.bundled import bundled
    from assay.features.profile import profile

    data = read(bundled())
    for note in data.notes:
        say(note)
    show("arct (bundled)", profile(data))
