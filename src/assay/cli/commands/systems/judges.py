"""`assay judges`: how far the judges of answers can be trusted."""

from __future__ import annotations

from typing import Any

import click

from assay.cli.options import number_option, result_options
from assay.cli.paths import INPUT, Verb
from assay.cli.results import finish


@click.command(cls=Verb)
@click.argument("verdicts", type=INPUT, metavar="VERDICTS")
@click.option("--gold", metavar="COLUMN", help="Column with the gold verdicts.")
@click.option("--judge", multiple=True, metavar="COLUMN", help="Column of a judge in a wide table; repeatable.")
@click.option(
    "--swapped", type=INPUT, metavar="FILE", help="Verdicts on the same answers, shown in the opposite order."
)
@number_option("--confidence", 0.95, "Confidence of intervals.")
@number_option("--resamples", 1000, "Bootstrap resamples.", at_least=10)
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
    settings = {name: options[name] for name in ("gold", "confidence", "resamples", "seed")}
    finish("judges", result, options["json_"], settings)
