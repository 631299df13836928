"""`assay profile`: describe a dataset."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from typing import Any

import click

from assay.cli.options import data_options, output_options, refuse_unused, shard_options, tokenizer_option
from assay.cli.paths import INPUT, Verb
from assay.cli.progress import show_steps
from assay.cli.results import finish


@click.command(cls=Verb)
@partial(data_options, take_shards=("classification", "pairs"))
@tokenizer_option
@click.option(
    "--features",
    default="light",
    show_default=True,
    help="light, all (with perplexity and grammar errors), or names separated by commas.",
)
@click.option(
    "--perplexity-model", type=INPUT, metavar="NAME", help="Causal model by hub name, folder or GGUF file.  [gpt2]"
)
@click.option("--threshold", type=click.FloatRange(0, 1), default=0.8, help="Similarity of near-duplicates.  [0.8]")
@shard_options
@output_options
def profile(data: Any, features: str, json_: str | None, seed: int, **options: Any) -> None:
    """Describe DATA: labels, lengths, words, duplicates and leaks, odd texts, features."""
    from assay.features import profile as profile_data

    if not options["out_of_core"]:
        refuse_unused(("cache", "n_jobs", "backend"), "It goes with --out-of-core.")
    names = features if features in ("light", "all") else features.split(",")
    with show_steps() if options["out_of_core"] else nullcontext():
        result = profile_data(data, features=names, random_state=seed, **options)
    if options["out_of_core"]:
        data = replace(data, n_rows=result.n_items)
    kept = ("tokenizer", "perplexity_model", "threshold")
    settings = {"features": features, "seed": seed, **{name: options[name] for name in kept}}
    finish("profile", result, json_, settings, data)
