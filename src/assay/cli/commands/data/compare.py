"""`assay compare`: how the parts of one or several splits of a dataset differ."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from assay.cli.options import data_options, number_option, output_options, tokenizer_option
from assay.cli.paths import INPUT, Verb
from assay.cli.results import finish

if TYPE_CHECKING:
    from assay.data import Dataset


@click.command(cls=Verb)
@data_options
@click.argument("folds", type=INPUT, nargs=-1, metavar="FOLDS...")
@click.option("--encoder", default="tfidf", show_default=True, help="How texts become vectors.")
@number_option("--permutations", 100, "Random splits.", at_least=0)
@tokenizer_option
@output_options
def compare(data: Dataset, **options: Any) -> None:
    """Compare the parts of the splits in FOLDS, or the parts of DATA if there are no FOLDS.

    Every fold is compared with the other folds, dev and test with train. Each value has the 95% range over random
    splits of the same sizes (permutations of the rows), which --jobs computes in parallel.
    """
    from assay.splits import compare as compare_data

    comparison = compare_data(
        data,
        list(options["folds"]),
        encoder=options["encoder"],
        tokenizer=options["tokenizer"],
        n_permutations=options["permutations"],
        random_state=options["seed"],
        n_jobs=options["n_jobs"],
        backend=options["backend"],
    )
    settings = {name: options[name] for name in ("encoder", "tokenizer", "permutations", "seed")}
    finish("compare", comparison, options["json_"], settings, data)
