"""The tables that `assay discriminate` shows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from assay.base.numbers import format_number
from assay.cli.output import show_table

if TYPE_CHECKING:
    from assay.discrimination import Discrimination

_SYSTEMS = 20  # shown a benchmark; the JSON has them all


def show(result: Discrimination, by: str | None) -> None:
    """Print datasets, systems, items, what to keep and how the measures agree."""
    names = [row["benchmark"] for row in result.benchmarks]
    if by is None:
        _show_datasets("Datasets", result.datasets, len(names) > 1)
    for number, name in enumerate(names):
        title = "" if name == "all" else f"{name}: "
        if by is not None:
            _show_datasets(f"{title}datasets", _of(result.datasets, name), False)
        if by is not None or len(names) == 1:
            _show_rooms(_of(result.datasets, name))
            _show_systems(f"{title}systems", _of(result.systems, name), result.benchmarks[number])
            _show_keep(_of(result.keep, name))
    for row in result.items or []:
        _show_items(row)
    _show_correlations(result.correlations)


def _of(rows: list[dict[str, Any]], name: str) -> list[dict[str, Any]]:
    return [row for row in rows if row["benchmark"] == name]


def _show_datasets(title: str, rows: list[dict[str, Any]], with_benchmark: bool) -> None:
    columns = ["dataset", "metric", "systems", "mean", "λ_var", "λ_sva", "λ_hit", "verdict"]
    if with_benchmark:
        columns.insert(1, "benchmark")
    cells = []
    for row in rows:
        lambdas = [_ranged(row, name) for name in ("lambda_var", "lambda_sva", "lambda_hit")]
        basis = "" if row["verdict_basis"] == "interval" else " (point estimate)"
        line = [row["dataset"], row["metric"], row["n_systems"], row["mean"], *lambdas]
        line += [row["verdict"] + basis]
        cells.append([line[0], row["benchmark"], *line[1:]] if with_benchmark else line)
    show_table(title, columns, cells)


def _show_rooms(rows: list[dict[str, Any]]) -> None:
    columns = ["dataset", "metric", "headroom", "range of top 5", "within 1 point", "R² by others", "nearest"]
    names = ["dataset", "metric", "headroom", "top_range", "n_within_one", "redundancy", "nearest"]
    show_table(
        "Room left, and what the other datasets already say", columns, [[row[name] for name in names] for row in rows]
    )


def _ranged(row: dict[str, Any], name: str) -> str:
    value, low, high = (format_number(row[name + end]) for end in ("", "_low", "_high"))
    return value if low == "n/a" else f"{value} [{low}, {high}]"


def _show_systems(title: str, rows: list[dict[str, Any]], about: dict[str, Any]) -> None:
    if not rows:
        click.echo(f"No ranks: {about['reason']}.")
        return
    more = f", the first {_SYSTEMS} of {len(rows)}" if len(rows) > _SYSTEMS else ""
    left = f"; {about['n_systems_left_out']} left out for missing cells" if about["n_systems_left_out"] else ""
    cells = []
    for row in rows[:_SYSTEMS]:
        low, high = row["rank_low"], row["rank_high"]
        interval = "n/a" if low is None else _from_to(low, high)
        bands = "n/a" if low is None else _from_to(row["first_band"], row["last_band"])
        cells.append([row["system"], row["score"], row["rank"], interval, row["tie_group"], bands, row["p_best"]])
    columns = ["system", "score", "rank", "95 % interval", "tie group", "bands", "P(best)"]
    show_table(f"{title}{more} (over {about['ranked_over']}{left})", columns, cells)
    if about["stability_of_first"]:
        first = about["stability_of_first"]
        click.echo(
            f"{first['system']} is also first on {format_number(first['share_first'])} of {first['n_halves']} halves."
        )


def _from_to(low: int, high: int) -> str:
    return str(low) if low == high else f"{low}–{high}"


def _show_keep(rows: list[dict[str, Any]]) -> None:
    for row in rows:
        where = f" of {row['dataset']}" if "dataset" in row else ""
        if row["size"] is None:
            click.echo(f"Keep ({row['what']}{where}): {row['reason'] or 'no size reaches the threshold'}.")
            continue
        told = f"Keep {row['size']} of {row['of']} {row['what']}{where}: τ = {format_number(row['agreement'])} on held-out systems"
        named = (
            f" ({', '.join(row['chosen'][:8])}{', …' if row['size'] > 8 else ''})" if row["what"] == "datasets" else ""
        )
        click.echo(told + named + ".")


def _show_items(row: dict[str, Any]) -> None:
    names = ["n_items", "n_all_right", "n_all_wrong", "n_backwards", "mean_difficulty", "mean_discrimination"]
    names += ["reliability", "standard_error_of_measurement", "smallest_real_gap", "items_needed_first_two"]
    cells = [[name.removeprefix("n_").replace("_", " "), row[name]] for name in names]
    model = row["item_response"]
    if model:
        cells.append(
            [
                "item response gain (shuffled)",
                f"{format_number(model['gain'])} ({format_number(model['gain_shuffled'])})",
            ]
        )
    show_table(f"Items of {row['dataset']} ({row['metric']})", ["", "value"], cells)


def _show_correlations(rows: list[dict[str, Any]]) -> None:
    cells = [
        [row["benchmark"], f"{row['first']} – {row['second']}", row["method"], row["value"], row["p"], row["n"]]
        for row in rows
        if row["value"] is not None
    ]
    if cells:
        show_table("How the measures agree over datasets", ["benchmark", "measures", "by", "value", "p", "n"], cells)
