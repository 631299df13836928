"""`assay compare`: how the parts of one or several splits of a dataset differ."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from assay.base.numbers import format_number
from assay.base.results import wrap_result
from assay.cli.options import data_options, output_options, tokenizer_option
from assay.cli.output import say, show_table, write_json
from assay.cli.paths import INPUT, Verb

if TYPE_CHECKING:
    from assay.data import Dataset
    from assay.splits.comparison import Divergence, SplitComparison

_MEASURES = {
    "oov": "unseen words",
    "jsd": "word distributions (JSD)",
    "overlap": "shared vocabulary",
    "wasserstein": "sliced Wasserstein",
    "mmd": "MMD",
    "a_distance": "domain classifier (A-distance)",
}
_SHOWN_PARTS = 20
_SHOWN_LABELS = 4


@click.command(cls=Verb)
@data_options
@click.argument("folds", type=INPUT, nargs=-1, metavar="FOLDS...")
@click.option("--encoder", default="tfidf", show_default=True, help="How texts become vectors.")
@click.option("--permutations", type=click.IntRange(min=0), default=100, show_default=True, help="Random splits.")
@tokenizer_option
@output_options
def compare(data: Dataset, **options: Any) -> None:
    """Compare the parts of splits: the folds files named, or, without any, the data's own parts.

    Every fold is compared with the other folds, dev and test with train. Beside each value stands the range that
    random splits of the same sizes give (95 %, permutations of the rows).
    """
    from assay.splits.comparison.files import compare_splits

    results, notes = compare_splits(
        data,
        list(options["folds"]),
        encoder=options["encoder"],
        tokenizer=options["tokenizer"],
        n_permutations=options["permutations"],
        random_state=options["seed"],
    )
    for note in notes:
        say(note)
    if options["json_"] != "-":
        _show(results)
    if options["json_"]:
        settings = {name: options[name] for name in ("encoder", "tokenizer", "permutations", "seed")}
        write_json(options["json_"], wrap_result("compare", results, settings, data))


def _show(results: dict[str, SplitComparison]) -> None:
    for name, result in results.items():
        _show_parts(name, result)
    columns = ["measure", *results]
    rows: list[list[object]] = [
        [title, *(_with_null(result.divergence[measure]) for result in results.values())]
        for measure, title in _MEASURES.items()
    ]
    rows.append(["domain classifier (accuracy)", *(result.domain_accuracy for result in results.values())])
    rows.append(["within-part variance", *(result.within_variance for result in results.values())])
    rows.append(["exact duplicates across", *(result.leaks.exact for result in results.values())])
    rows.append(["near duplicates across", *(result.leaks.near for result in results.values())])
    show_table("Between the parts: value [what random splits give]", columns, rows)


def _show_parts(name: str, result: SplitComparison) -> None:
    parts = list(result.parts.items())[:_SHOWN_PARTS]
    labels = list(parts[0][1].labels)[:_SHOWN_LABELS]
    columns = ["part", "rows", "share", *labels, "words a text", "vocabulary", "variance"]
    rows = [
        [
            *(part, one.n),
            *(f"{share:.3f}" for share in (one.share, *map(one.labels.__getitem__, labels))),
            *(one.length_mean, one.n_words, one.within_variance),
        ]
        for part, one in parts
    ]
    show_table(name, columns, rows)
    show_table(
        f"{name}: typical words", ["part", "words"], [[part, " ".join(one.typical_words)] for part, one in parts]
    )
    if len(result.parts) > _SHOWN_PARTS:
        say(f"The first {_SHOWN_PARTS} of {len(result.parts)} parts are shown; --json has all.")


def _with_null(found: Divergence) -> str:
    return f"{format_number(found.value)} [{format_number(found.null_low)}, {format_number(found.null_high)}]"
