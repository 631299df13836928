"""`assay serve`: the local web page."""

from __future__ import annotations

import click

from assay.cli.options import number_option
from assay.cli.paths import OutputFolder, Verb


@click.command(cls=Verb)
@number_option("--port", 8000, "Port; 0 means any free one.", metavar="N")
@click.option(
    "--host",
    default="127.0.0.1",
    show_default=True,
    metavar="ADDRESS",
    help="Address to bind to; any but this machine's own lets other machines connect.",
)
@click.option("--no-open", is_flag=True, help="Do not open the page in the browser.")
@click.option(
    "--folder",
    type=OutputFolder(),
    default="assay-audits",
    show_default=True,
    metavar="DIR",
    help="Folder for datasets and audits.",
)
def serve(port: int, host: str, no_open: bool, folder: str) -> None:
    """Serve a web page on this machine: drop files, read the findings, repair the items."""
    from assay.cli.output import say
    from assay.cli.web_tools import describe_tools
    from assay.web import serve as run_server

    run_server(folder, host=host, port=port, open_page=not no_open, say=say, tools=describe_tools())
