"""`assay doctor`: what is installed and works."""

from __future__ import annotations

import click

from assay.cli.commands.tools.installation import Installation, PackageStatus
from assay.cli.paths import OUTPUT, Verb
from assay.cli.results import shows_result, table_options, write_table
from assay.views.blocks import Table


@click.command(cls=Verb)
@click.option("--json", "json_", type=OUTPUT, metavar="FILE", help="Write the result as JSON; '-' for standard output.")
@table_options
def doctor(json_: str | None) -> None:
    """Show what is installed: versions, extras that work, the GPU, the cache folder and plugins.

    Exits with 1 if a required package or a plugin does not work.
    """
    from assay.cli.commands.tools.installation import inspect_installation
    from assay.cli.output import say, write_json
    from assay.views.results import wrap_result

    result = inspect_installation()
    if json_:
        write_json(json_, wrap_result("doctor", result, {}))
    rows = [(row.name, row.required, row.version or "", row.problem or "works") for row in result.packages]
    write_table([Table("Packages", ["package", "required", "version", "status"], rows)])
    if shows_result(json_):
        print_installation(result)
    for problem in result.problems:
        say(f"Problem: {problem}")
    if result.problems:
        raise SystemExit(1)


def print_installation(result: Installation) -> None:
    """Print the result as tables."""
    from assay.cli.output import show_table

    click.echo(f"assay {result.version}, Python {result.python}, {result.system}, {result.n_cores} cores")
    click.echo(f"GPU: {result.gpu}")
    cache = result.cache
    note = "" if cache.is_writable else ", not writable"
    free = "" if cache.n_bytes_free is None else f", {format_bytes(cache.n_bytes_free)} free on the disk"
    click.echo(f"Cache: {cache.folder}: {cache.n_files:,} files, {format_bytes(cache.n_bytes)}{free}{note}")
    core = [
        (row.name, row.required, row.version or "", row.problem or "works") for row in result.packages if not row.extra
    ]
    show_table("Packages", ["package", "required", "version", "status"], core)
    rows = [
        (extra, "does not work" if any(row.problem for row in packages) else "works", describe_packages(packages))
        for extra, packages in result.extras.items()
    ]
    if rows:
        show_table("Extras", ["extra", "status", "packages"], rows)
    if result.plugins:
        plugins = [(row.package, row.version, row.module, row.problem or "works") for row in result.plugins]
        show_table("Plugins", ["package", "version", "module", "status"], plugins)


def describe_packages(packages: list[PackageStatus]) -> str:
    """Name the packages of an extra with their versions or problems."""
    return ", ".join(f"{row.name} {row.problem or row.version}" for row in packages)


def format_bytes(n_bytes: int) -> str:
    """Write a size in the largest fitting unit.

    >>> format_bytes(512), format_bytes(2_500_000)
    ('512 B', '2.5 MB')
    """
    size = float(n_bytes)
    for unit in ("B", "kB", "MB", "GB"):
        if size < 1000:
            return f"{size:.0f} B" if unit == "B" else f"{size:.1f} {unit}"
        size /= 1000
    return f"{size:.1f} TB"
