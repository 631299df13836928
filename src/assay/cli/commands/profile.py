"""`assay profile`: describe a dataset."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from assay.cli.options import data_options, output_options, refuse_unused, shard_options, tokenizer_option
from assay.cli.paths import INPUT, Verb
from assay.cli.progress import show_steps

if TYPE_CHECKING:
    from assay.features import Profile

MAX_VALUES = 30  # of a distribution; --json has all


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
    from assay.cli.output import write_json
    from assay.features import profile as profile_data
    from assay.views.results import wrap_result

    if not options["out_of_core"]:
        refuse_unused(("cache", "n_jobs", "backend"), "It goes with --out-of-core.")
    names = features if features in ("light", "all") else features.split(",")
    with show_steps() if options["out_of_core"] else nullcontext():
        result = profile_data(data, features=names, random_state=seed, **options)
    if options["out_of_core"]:
        data = replace(data, n_rows=result.n_items)
    if json_:
        kept = ("tokenizer", "perplexity_model", "threshold")
        settings = {"features": features, "seed": seed, **{name: options[name] for name in kept}}
        write_json(json_, wrap_result("profile", result, settings, data))
    if json_ != "-":
        _show(data.name, result)


def _show(name: str, result: Profile) -> None:
    """Print a profile as tables."""
    from assay.cli.output import show_table

    show_table(f"{name}: {result.n_items:,} items, task {result.task}", ["", "items"], _list_counts(result))
    _show_kind(result)
    unit = "words" if result.language.has_spaces else "characters"
    has_pairs = any(len(word.word) == 2 and not word.word.isascii() for word in result.top_words)
    words = f"pairs of {unit}" if has_pairs and unit == "characters" else unit
    show_table(
        f"Labels and lengths (in {unit})",
        ["label", "items", "share", "mean length", "std", "q25", "median", "q75"],
        [_make_length_row("all", result.n_items, 1.0, result.length)]
        + [
            _make_length_row(label, size.count, size.share, result.length_by_label[label])
            for label, size in list(result.labels.items())[:20]
        ],
    )
    show_table(f"Most frequent {words}", ["", f"{words} (count)"], _list_words(result))
    show_table(
        f"{words.capitalize()} most associated with a label",
        ["label", f"{words} (z, items with them)"],
        _list_label_words(result),
    )
    frame = result.features.to_frame()
    show_table("Features", frame.columns, frame.rows())
    for feature, reason in result.features.to_dict()["reasons"].items():
        click.echo(f"{feature}: {reason}", err=True)


def _show_kind(result: Profile) -> None:
    """Print what only this kind of task has: figures, distributions and defects."""
    from assay.base.numbers import format_number
    from assay.cli.output import show_table

    kind = result.kind
    rows = [(figure.name, format_number(figure.value)) for figure in kind.figures]
    rows += [
        (f"items that {defect.description}", f"{defect.count:,} ({', '.join(defect.ids[:3])})")
        for defect in kind.defects
    ]
    if rows:
        show_table(f"Items of the task {result.task}", ["", ""], rows)
    for table in kind.distributions:
        counts = list(table.counts.items())[:MAX_VALUES]
        if table.expected:
            cells = [(value, count, format_number(table.expected[value])) for value, count in counts]
            show_table(table.name.capitalize(), ["value", "items", "by chance"], cells)
        else:
            show_table(table.name.capitalize(), ["value", "items"], counts)


def _list_counts(result: Profile) -> list[tuple[str, object]]:
    """List the counts."""
    copies = result.duplicates
    return [
        ("language", result.language.name),
        *((f"part {part}", size) for part, size in result.parts.items()),
        ("without a label", result.n_unlabelled),
        ("label entropy (nats)", result.label_entropy),
        ("exact duplicates", copies.exact),
        ("near-duplicates", copies.near),
        ("with a copy in another part", copies.across_parts),
        *((f"  {pair}, exact + near", f"{n.exact:,} + {n.near:,}") for pair, n in copies.leaks.items()),
        ("exact copy under another label", copies.conflicting_labels),
        *((f"odd: {oddity.replace('_', ' ')}", count) for oddity, count in result.odd_texts.counts.items()),
    ]


def _make_length_row(label: str, count: int, share: float, length: Any) -> tuple[object, ...]:
    """Return the row of a label: its count and its lengths."""
    return label, count, share, length.mean, length.std, length.q25, length.median, length.q75


def _list_words(result: Profile, n: int = 10) -> list[tuple[str, str]]:
    """List the most frequent words overall and by label."""
    rows = [("all", result.top_words), *result.top_words_by_label.items()]
    return [(label, ", ".join(f"{word.word} ({word.count:,})" for word in words[:n])) for label, words in rows[:21]]


def _list_label_words(result: Profile, n: int = 10) -> list[tuple[str, str]]:
    """List the words most associated with each label."""
    return [
        (label, ", ".join(_write_label_word(word) for word in words[:n]))
        for label, words in list(result.label_words.items())[:20]
    ]


def _write_label_word(word: Any) -> str:
    """Write a word with its z-score, and its side in a pair."""
    side = f"{word.side}: " if word.side else ""
    return f"{side}{word.word} ({word.z:.1f}, {word.texts:,})"
