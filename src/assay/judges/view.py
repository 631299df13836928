"""Tables and sentences of an audit of judges: agreement, biases, scores of systems, their correction and calibration."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

from assay.judges.auditing import JudgeAudit
from assay.views.blocks import Block, Column, Fact, Sentence, Table, Value, make_fact, make_table
from assay.views.values import Interval
from assay.wording.numbers import format_interval, format_percent
from assay.wording.sentences import count_noun

MAX_ROWS = 60  # of scores of systems


def show_judges(audit: JudgeAudit) -> Iterator[Block]:
    """Yield everything, the judges first and the verdict last."""
    yield from list_judge_facts(audit)
    yield from show_tables(audit)
    yield Sentence(write_verdict(audit), is_verdict=True)


def list_judge_facts(audit: JudgeAudit) -> Iterator[Fact]:
    """Yield the agreement of all judges and what a constant verdict gets."""
    yield Fact("Judges", len(audit.judges), f"{audit.n_items:,} items, {audit.n_verdicts:,} verdicts.")
    method = "Agreement beyond chance of any number of judges; BCa bootstrap over items."
    yield from make_fact("Krippendorff's alpha", audit.alpha, method)
    constant = audit.constant_verdict
    if constant is not None:
        method = f"Always answering {constant.verdict}, the most frequent gold verdict."
        yield from make_fact("Constant verdict is right", constant.share, method, "percent")


def show_tables(audit: JudgeAudit) -> Iterator[Table]:
    """Yield every judge, the scores that they give, the corrected scores, and calibration."""
    columns: dict[str | Column, Callable[[Any], Value]] = {
        "judge": lambda row: row.judge,
        "verdicts": lambda row: row.n,
        Column("agreement", "percent"): lambda row: row.agreement,
        "kappa": lambda row: Interval(row.kappa, row.kappa_low, row.kappa_high),
    }
    biases: dict[str, Callable[[Any], Interval]] = {
        "changes with order": lambda row: row.position_flips,
        "first wins": lambda row: row.first_wins,
        "longer wins": lambda row: row.longer_wins,
        "own family wins": lambda row: row.own_family_wins,
    }
    for name, read in biases.items():
        if any(math.isfinite(read(row).value) for row in audit.judges):
            columns[Column(name, "percent")] = read
    yield from make_table(
        f"Judges ({count_noun(audit.n_items, 'item')}; agreement and kappa with {audit.reference})",
        audit.judges,
        columns,
        "Shares are of decided verdicts; 95% intervals over items.",
        is_main=True,
    )
    yield from make_table(
        "Scores of systems",
        sorted(audit.systems, key=lambda row: (row.judge, -row.score)),
        {
            "judge": lambda row: row.judge,
            "system": lambda row: row.system,
            "score": lambda row: row.mean,
            "verdicts": lambda row: row.n,
            "": lambda row: "constant answer" * row.is_constant,
        },
        "Mean verdict; ties count half.",
        max_rows=MAX_ROWS,
    )
    yield from make_table(
        "Scores corrected for the judge's errors",
        audit.corrected,
        {
            "judge": lambda row: row.judge,
            "system": lambda row: row.system or "",
            Column("observed", "percent"): lambda row: row.observed,
            Column("corrected", "percent"): lambda row: row,
            Column("sensitivity", "percent"): lambda row: row.sensitivity,
            Column("specificity", "percent"): lambda row: row.specificity,
            "": lambda row: row.reason or "",
        },
        "Rogan and Gladen's correction by the judge's errors on items with gold.",
        max_rows=MAX_ROWS,
    )
    if audit.calibration:
        yield from make_table(
            f"Calibration of scores, against {audit.calibration[0].reference}",
            audit.calibration,
            {
                "judge": lambda row: row.judge,
                "verdicts": lambda row: row.n,
                "bias": lambda row: row.bias,
                "slope": lambda row: row.slope,
                "ECE": lambda row: row.ece,
                "error": lambda row: row.error,
                "error after recalibration": lambda row: row.error_after,
            },
            "Bias: mean difference. Slope: 1 if a point is a point. ECE: mean distance of the curve from the diagonal. "
            "Last: mean error after isotonic recalibration.",
        )


def write_verdict(audit: JudgeAudit) -> str:
    """Say how far the judges agree with each other, and which of them agrees best with the gold verdicts."""
    n_judges, sentences = len(audit.judges), []
    if math.isfinite(audit.alpha.value):
        alpha = format_interval(audit.alpha)
        sentences.append(f"{n_judges} judges of {count_noun(audit.n_items, 'item')} agree with alpha {alpha}.")
    known = [row for row in audit.judges if math.isfinite(row.accuracy)]
    if known:
        best = max(known, key=lambda row: row.accuracy)
        who = f"The best judge, {best.judge}," if len(known) > 1 else f"Judge {best.judge}"
        sentences.append(f"{who} agrees with gold in {format_interval(best.right, 'percent')} of the items.")
    if known and audit.constant_verdict is not None:
        constant = audit.constant_verdict
        share = format_percent(constant.accuracy)
        sentences.append(f"Always answering {constant.verdict} is right in {share} of the items.")
    return " ".join(sentences) or f"Nothing tells how far {count_noun(n_judges, 'judge')} can be trusted."
