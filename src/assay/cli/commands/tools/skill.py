"""`assay skill`: instructions for coding agents."""

from __future__ import annotations

from pathlib import Path

import click

from assay.cli.paths import OutputFolder, Verb

BY_AGENT = "auto"


@click.command(cls=Verb)
@click.option(
    "--install",
    type=OutputFolder(),
    is_flag=False,
    flag_value=BY_AGENT,
    metavar="[DIR]",
    help="Write the skill into this folder of skills.  [.claude/skills or .agents/skills]",
)
@click.option("--overwrite", is_flag=True, help="Replace a skill that was edited or is of another version.")
def skill(install: str | None, overwrite: bool) -> None:
    """Print the skill that tells coding agents how to use assay, or install it."""
    from assay.cli.output import echo
    from assay.integrations.skill import install_skill, read_skill

    if install is None:
        echo(read_skill().rstrip("\n"))
        return
    path, is_written = install_skill(None if install == BY_AGENT else Path(install), overwrite=overwrite)
    echo(f"Wrote {path}." if is_written else f"{path} is up to date.")
