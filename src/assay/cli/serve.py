"""`assay serve`: the local web page."""

from __future__ import annotations

import click

from assay.cli.paths import OutputFolder, Verb


@click.command(cls=Verb)
@click.option("--port", type=int, default=8000, show_default=True, metavar="N", help="Port; 0 takes any free one.")
@click.option(
    "--host",
    default="127.0.0.1",
    show_default=True,
    metavar="ADDRESS",
    help="Address to bind to; others than this machine's own let other machines in.",
)
@click.option("--no-open", is_flag=True, help="Do not open the page in the browser.")
@click.option(
    "--folder",
    type=OutputFolder(),
    default="assay-audits",
    show_default=True,
    metavar="DIR",
    help="Where audits are kept.",
)
def serve(port: int, host: str, no_open: bool, folder: str) -> None:
    """Serve a web page on this machine: drop a file, check its columns, read the report."""
    from assay.cli.output import say
    from assay.web import serve as served

    served(folder, host=host, port=port, open_page=not no_open, say=say)
