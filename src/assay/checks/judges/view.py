"""How the page shows the judges of answers."""

from __future__ import annotations

from collections.abc import Iterator

from assay.base.numbers import format_interval, format_number
from assay.base.wording import format_percent
from assay.checks.base import CHECKS
from assay.judges import Judge, JudgeAudit
from assay.views.blocks import Block, Fact, Table, make_fact

MAX_SYSTEMS = 60


def judge_facts(judges: JudgeAudit) -> Iterator[Fact]:
    """Yield the agreement of all judges and what a constant verdict gets."""
    yield Fact(
        "Judges", format_number(len(judges.judges)), f"{judges.n_items:,} items, {judges.n_verdicts:,} verdicts."
    )
    method = "Agreement beyond chance of any number of judges; BCa bootstrap over items."
    yield from make_fact("Krippendorff's alpha", judges.alpha, method)
    constant = judges.constant_verdict
    if constant is not None:
        method = f"Always answering {constant.verdict}, the most frequent gold verdict."
        yield Fact("Constant verdict is right", format_percent(constant.accuracy), method)


def judge_tables(judges: JudgeAudit) -> Iterator[Table]:
    """Yield every judge, the scores that they give, and the corrected scores."""
    columns = ["judge", "verdicts", "agreement", "kappa", "changes with order", "first wins", "longer wins"]
    method = f"Agreement and kappa with {judges.reference}; shares of decided verdicts; 95% intervals over items."
    yield Table("Judges", columns, [write_judge(row) for row in judges.judges], method)
    systems = sorted(judges.systems, key=lambda row: (row.judge, -row.score))[:MAX_SYSTEMS]
    rows = [
        [row.judge, row.system, format_interval(row.score, row.low, row.high), "constant answer" * row.is_constant]
        for row in systems
    ]
    yield Table("Scores of systems", ["judge", "system", "score", ""], rows, "Mean verdict; ties count half.")
    corrected = [
        [
            row.judge,
            row.system or "",
            format_percent(row.observed),
            format_interval(row.value, row.low, row.high, percent=True),
            row.reason or "",
        ]
        for row in judges.corrected
    ]
    method = "Rogan and Gladen's correction by the judge's errors on items with gold."
    yield Table("Corrected scores", ["judge", "system", "observed", "corrected", ""], corrected, method)
    calibration = [
        [
            row.judge,
            format_interval(row.bias.value, row.bias.low, row.bias.high),
            format_interval(row.slope.value, row.slope.low, row.slope.high),
            format_number(row.ece),
            format_number(row.error_after),
        ]
        for row in judges.calibration
    ]
    if calibration:
        method = (
            f"Scores against {judges.calibration[0].reference}. Bias: mean difference. Slope: 1 if a point is a "
            "point. ECE: mean distance of the curve from the diagonal. Last: mean error after isotonic recalibration."
        )
        columns = ["judge", "bias", "slope", "ECE", "error after recalibration"]
        yield Table("Calibration of scores", columns, calibration, method)


def write_judge(row: Judge) -> list[str]:
    """Write one row of judges."""
    return [
        row.judge,
        format_number(row.n),
        format_interval(row.agreement, percent=True),
        format_interval(row.kappa, row.kappa_low, row.kappa_high),
        format_interval(row.position_flip_rate, row.position_flip_low, row.position_flip_high, percent=True),
        format_interval(row.first_position_share, row.first_position_low, row.first_position_high, percent=True),
        format_interval(row.longer_wins_share, row.longer_wins_low, row.longer_wins_high, percent=True),
    ]


@CHECKS["judges"].view
def show_judges(judges: JudgeAudit) -> Iterator[Block]:
    """Yield the facts and tables of the check."""
    yield from judge_facts(judges)
    yield from judge_tables(judges)
