"""`assay difficulty`: which items are obvious, which are not, and how systems do on each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from assay.cli.options import data_options, result_options, tokenizer_option
from assay.cli.paths import INPUT, OUTPUT, Verb
from assay.cli.results import finish, write_rows
from assay.kinds import kind_of

if TYPE_CHECKING:
    from assay.data import Dataset
    from assay.difficulty import PairDifficulty, SimilarityRating, TextDifficulty


@click.command(cls=Verb)
@data_options
@tokenizer_option
@click.option(
    "--measure", default="jensen-shannon", show_default=True, help="For pairs: jensen-shannon, jaccard or dice."
)
@click.option(
    "--threshold", default="dataset", show_default=True, help="Threshold: dataset or split (medians), or a number."
)
@click.option("--positive", metavar="LABEL", help="The positive label of pairs; all others are negative.")
@click.option("--positive-from", type=float, metavar="GRADE", help="Grades from here on are positive.")
@click.option("--encoder", default="tfidf", show_default=True, help="For single texts: how they become vectors.")
@click.option(
    "--predictions", type=INPUT, multiple=True, metavar="FILE", help="Predictions to score on each case; repeatable."
)
@click.option(
    "--item-scores", type=INPUT, multiple=True, metavar="FILE", help="Scores to rank items by, for wide predictions."
)
@click.option(
    "--graded",
    is_flag=True,
    help="Relate graded similarity to outcomes instead of cases; also for question and options, context and question.",
)
@click.option("-o", "--out", type=OUTPUT, metavar="FILE", help="Write one row per item: id, divergence, case (TSV).")
@result_options
def difficulty(data: Dataset, **options: Any) -> None:
    """Sort items into obvious and non-obvious ones, and score systems on each.

    Pairs are sorted by their label and the divergence of their words (Peinelt et al. 2019), single texts by the
    distance to the nearest training text of the same label and of another one. --graded shows instead how gold labels
    and systems follow the similarity of both sides of a pair, of a question and its options, or of context and
    question.
    """
    from assay.difficulty import rate_difficulty, rate_similarity
    from assay.evaluation import read_predictions
    from assay.evaluation.slices.difficulty import align_answers, score_cases

    paths, scores = list(options["predictions"]), list(options["item_scores"]) or None
    predictions = read_predictions(paths, data, scores) if paths else None
    result: PairDifficulty | TextDifficulty | SimilarityRating
    if options["graded"]:
        settings = {name: options[name] for name in ("measure", "positive", "positive_from", "tokenizer")}
        answers = None if predictions is None else align_answers(data, predictions)
        result = rate_similarity(data, answers, **settings)
        settings["graded"] = True
    else:
        names = ("measure", "threshold", "positive", "positive_from", "encoder", "tokenizer")
        rated = rate_difficulty(data, **{name: options[name] for name in names}, random_state=options["seed"])
        result = rated if predictions is None else score_cases(rated, data, predictions, options["positive_from"])
        is_paired = kind_of(data).texts.is_paired(data)
        own = ("measure", "threshold", "positive", "positive_from") if is_paired else ("encoder",)
        settings = {name: options[name] for name in (*own, "tokenizer", "seed")}
    if options["out"]:
        write_rows(options["out"], result.items())
    finish("difficulty", result, options["json_"], settings, data)
