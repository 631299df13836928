"""`assay compare`: how the parts of one or several splits of a dataset differ."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from assay.base.numbers import format_number
from assay.cli.options import data_options, output_options, tokenizer_option
from assay.cli.output import say, show_table, write_json
from assay.cli.paths import INPUT, Verb
from assay.views.results import wrap_result

if TYPE_CHECKING:
    from collections.abc import Mapping

    from assay.data import Dataset
    from assay.splits import SplitComparison
    from assay.splits.comparison import Divergence

MEASURES = {
    "oov": "unseen words",
    "jsd": "word distributions (JSD)",
    "overlap": "shared vocabulary",
    "wasserstein": "sliced Wasserstein",
    "mmd": "MMD",
    "a_distance": "domain classifier (A-distance)",
}
MAX_PARTS_SHOWN = 20
MAX_LABELS_SHOWN = 4


@click.command(cls=Verb)
@data_options
@click.argument("folds", type=INPUT, nargs=-1, metavar="FOLDS...")
@click.option("--encoder", default="tfidf", show_default=True, help="How texts become vectors.")
@click.option("--permutations", type=click.IntRange(min=0), default=100, show_default=True, help="Random splits.")
@tokenizer_option
@output_options
def compare(data: Dataset, **options: Any) -> None:
    """Compare the parts of splits: those of the folds files, or, without any, the parts of the data.

    Every fold is compared with the other folds, dev and test with train. Each value is shown with the range that
    random splits of the same sizes give (95%, permutations of the rows), which --jobs computes side by side.
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
    for note in comparison.notes:
        say(note)
    if options["json_"] != "-":
        _show(comparison.splits)
    if options["json_"]:
        settings = {name: options[name] for name in ("encoder", "tokenizer", "permutations", "seed")}
        write_json(options["json_"], wrap_result("compare", comparison.splits, settings, data))


def _show(splits: Mapping[str, SplitComparison]) -> None:
    for name, split in splits.items():
        _show_parts(name, split)
    rows: list[list[object]] = [
        [title, *(_format_divergence(split.divergence[measure]) for split in splits.values())]
        for measure, title in MEASURES.items()
    ]
    rows.append(["domain classifier (accuracy)", *(split.domain_accuracy for split in splits.values())])
    rows.append(["within-part variance", *(split.within_variance for split in splits.values())])
    leaks = [split.leaks for split in splits.values() if split.leaks is not None]
    rows.append(["exact duplicates across", *(leak.exact for leak in leaks)])
    rows.append(["near-duplicates across", *(leak.near for leak in leaks)])
    show_table("Between the parts: value [95% of random splits]", ["measure", *splits], rows)


def _show_parts(name: str, split: SplitComparison) -> None:
    parts = list(split.parts.items())[:MAX_PARTS_SHOWN]
    labels = list(parts[0][1].labels)[:MAX_LABELS_SHOWN]
    columns = ["part", "rows", "share", *labels, "words per text", "vocabulary", "variance"]
    rows = [
        [
            *(title, part.n),
            *(f"{share:.3f}" for share in (part.share, *map(part.labels.__getitem__, labels))),
            *(part.length_mean, part.n_words, part.within_variance),
        ]
        for title, part in parts
    ]
    show_table(name, columns, rows)
    words = [[title, " ".join(part.typical_words)] for title, part in parts]
    show_table(f"{name}: typical words", ["part", "words"], words)
    if len(split.parts) > MAX_PARTS_SHOWN:
        say(f"The first {MAX_PARTS_SHOWN} of {len(split.parts)} parts are shown; --json has all.")


def _format_divergence(divergence: Divergence) -> str:
    low, high = format_number(divergence.null_low), format_number(divergence.null_high)
    return f"{format_number(divergence.value)} [{low}, {high}]"
