"""`assay judges`: how far the judges of answers can be trusted."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from assay.base.numbers import format_interval
from assay.base.wording import count_noun, format_percent
from assay.cli.options import result_options
from assay.cli.output import say, show_table, write_json
from assay.cli.paths import INPUT, Verb
from assay.views.results import wrap_result

if TYPE_CHECKING:
    from assay.judges import CorrectedScore, Judge, JudgeAudit, JudgeCalibration, JudgedSystem

MAX_ROWS = 40
# Column: (field of a judge with the share, start of the names of its interval).
BIASES = {
    "changes with order": ("position_flip_rate", "position_flip"),
    "first wins": ("first_position_share", "first_position"),
    "longer wins": ("longer_wins_share", "longer_wins"),
    "own family wins": ("own_family_share", "own_family"),
}


@click.command(cls=Verb)
@click.argument("verdicts", type=INPUT, metavar="VERDICTS")
@click.option("--gold", metavar="COLUMN", help="Column with the gold verdicts.")
@click.option("--judge", multiple=True, metavar="COLUMN", help="Column of a judge in a wide table; repeatable.")
@click.option("--swapped", type=INPUT, metavar="FILE", help="The verdicts with the answers shown the other way round.")
@click.option("--confidence", type=float, default=0.95, show_default=True, help="Confidence of intervals.")
@click.option("--resamples", type=click.IntRange(min=10), default=1000, show_default=True, help="Bootstrap resamples.")
@result_options
def judges(verdicts: str, **options: Any) -> None:
    """Measure agreement, position and length bias of judges, and correct their scores.

    VERDICTS has id, judge and verdict (a, b, tie; right or wrong; or a score), or id and one column per judge.
    Columns order (ab, ba), length_a and length_b (or the texts), model_a and model_b, system and gold are recognised.
    """
    from assay.judges import audit_judges

    result = audit_judges(
        verdicts,
        gold=options["gold"],
        judges=options["judge"],
        swapped=options["swapped"],
        confidence=options["confidence"],
        n_resamples=options["resamples"],
        random_state=options["seed"],
    )
    for note in result.notes:
        say(note)
    if options["json_"]:
        settings = {name: options[name] for name in ("gold", "confidence", "resamples", "seed")}
        write_json(options["json_"], wrap_result("judges", result, settings))
    if options["json_"] != "-":
        _show(result)


def _show(result: JudgeAudit) -> None:
    _show_judges(result)
    if math.isfinite(result.alpha.value):
        interval = format_interval(result.alpha.value, result.alpha.low, result.alpha.high)
        say(f"Krippendorff's alpha of {count_noun(len(result.judges), 'judge')}: {interval}.")
    if result.constant_verdict is not None:
        constant = result.constant_verdict
        say(f"Always answering {constant.verdict} is right in {format_percent(constant.accuracy)} of the items.")
    if result.systems:
        _show_systems(result.systems)
    if result.corrected:
        _show_corrected(result.corrected)
    if result.calibration:
        _show_calibration(result.calibration)


def _show_judges(result: JudgeAudit) -> None:
    title = f"Judges ({count_noun(result.n_items, 'item')}; agreement and kappa with {result.reference})"
    columns = ["judge", "verdicts", "agreement", "kappa"]
    known = [name for name in BIASES if any(math.isfinite(_get_bias(row, name)[0]) for row in result.judges)]

    def list_cells(row: Judge) -> list[object]:
        kappa = format_interval(row.kappa, row.kappa_low, row.kappa_high)
        shares = [format_interval(*_get_bias(row, name), percent=True) for name in known]
        return [row.judge, row.n, format_interval(row.agreement, percent=True), kappa, *shares]

    show_table(title, [*columns, *known], [list_cells(row) for row in result.judges[:MAX_ROWS]])
    _mention_more(len(result.judges))


def _get_bias(row: Judge, name: str) -> tuple[float, float, float]:
    """Return a share of a judge with its interval."""
    field, prefix = BIASES[name]
    return getattr(row, field), getattr(row, f"{prefix}_low"), getattr(row, f"{prefix}_high")


def _show_systems(systems: Sequence[JudgedSystem]) -> None:
    ordered = sorted(systems, key=lambda row: (row.judge, -row.score))
    rows = [
        [
            row.judge,
            row.system,
            format_interval(row.score, row.low, row.high),
            row.n,
            "constant answer" * row.is_constant,
        ]
        for row in ordered[:MAX_ROWS]
    ]
    show_table("Scores of systems", ["judge", "system", "score", "verdicts", ""], rows)
    _mention_more(len(systems))


def _show_corrected(scores: Sequence[CorrectedScore]) -> None:
    rows = [
        [
            row.judge,
            row.system or "",
            format_percent(row.observed),
            format_interval(row.value, row.low, row.high, percent=True),
            format_percent(row.sensitivity),
            format_percent(row.specificity),
            row.reason or "",
        ]
        for row in scores[:MAX_ROWS]
    ]
    columns = ["judge", "system", "observed", "corrected", "sensitivity", "specificity", ""]
    show_table("Scores corrected for the judge's errors", columns, rows)
    _mention_more(len(scores))


def _show_calibration(rows: Sequence[JudgeCalibration]) -> None:
    cells = [
        [
            row.judge,
            row.n,
            format_interval(row.bias.value, row.bias.low, row.bias.high),
            format_interval(row.slope.value, row.slope.low, row.slope.high),
            row.ece,
            row.error,
            row.error_after,
        ]
        for row in rows[:MAX_ROWS]
    ]
    columns = ["judge", "verdicts", "bias", "slope", "ECE", "error", "after isotonic"]
    show_table(f"Calibration of scores, against {rows[0].reference}", columns, cells)
    _mention_more(len(rows))


def _mention_more(n: int) -> None:
    if n > MAX_ROWS:
        say(f"… and {n - MAX_ROWS:,} more rows: --json has them all.")
