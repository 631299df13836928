"""`assay profile`: what is in a dataset."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from assay.cli.options import data_options, output_options, tokenizer_option
from assay.cli.paths import INPUT, Verb

if TYPE_CHECKING:
    from assay.data import Dataset
    from assay.features import Profile


@click.command(cls=Verb)
@data_options
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
@click.option("--threshold", type=click.FloatRange(0, 1), default=0.8, help="Similarity of near duplicates.  [0.8]")
@output_options
def profile(data: Dataset, features: str, json_: str | None, seed: int, **options: Any) -> None:
    """Say what is in DATA: labels, lengths, words, duplicates and leaks, odd texts, features."""
    from assay.base.results import wrap_result
    from assay.cli.output import write_json
    from assay.features import profile as measured

    del options["n_jobs"], options["backend"]
    wanted = features if features in ("light", "all") else features.split(",")
    found = measured(data, features=wanted, random_state=seed, **options)
    if json_:
        settings = {"features": features, "seed": seed, **options}
        write_json(json_, wrap_result("profile", found, settings, data))
    if json_ != "-":
        show(data.name, found)


def show(name: str, found: Profile) -> None:
    """Print a profile as tables."""
    from assay.cli.output import show_table

    show_table(f"{name}: {found.n_items:,} items, task {found.task}", ["", "items"], summary(found))
    show_kind(found)
    show_table(
        "Labels and lengths (in words)",
        ["label", "items", "share", "mean length", "std", "q25", "median", "q75"],
        [length_row("all", found.n_items, 1.0, found.length)]
        + [
            length_row(label, size.count, size.share, found.length_by_label[label])
            for label, size in list(found.labels.items())[:20]
        ],
    )
    show_table("Most frequent words", ["", "words (count)"], word_rows(found))
    show_table("Words most tied to a label", ["label", "words (z, items with the word)"], tied_rows(found))
    frame = found.features.to_frame()
    show_table("Features", frame.columns, frame.rows())
    for feature, reason in found.features.to_dict()["reasons"].items():
        click.echo(f"{feature}: {reason}", err=True)


def show_kind(found: Profile) -> None:
    """Print what only this kind of task has: figures, distributions and defects."""
    from assay.base.numbers import format_number
    from assay.cli.output import show_table

    rows = [(figure.name, format_number(figure.value)) for figure in found.kind.figures]
    rows += [(f"{defect.count:,} items {defect.description}", ", ".join(defect.ids[:3])) for defect in found.kind.defects]
    if rows:
        show_table(f"Items of the task {found.task}", ["", ""], rows)
    for table in found.kind.distributions:
        cells = [(value, count, format_number(table.expected[value]) if table.expected else "")
                 for value, count in list(table.counts.items())[:30]]
        show_table(table.name.capitalize(), ["value", "items", "by chance" if table.expected else ""], cells)


def summary(found: Profile) -> list[tuple[str, object]]:
    """List the counts that fit on a line each."""
    copies = found.duplicates
    return [
        *((f"part {part}", size) for part, size in found.parts.items()),
        ("without a label", found.n_unlabelled),
        ("label entropy (nats)", found.label_entropy),
        ("exact duplicates", copies.exact),
        ("near duplicates", copies.near),
        ("with a copy in another part", copies.across_parts),
        *((f"  {pair}, exact + near", f"{n.exact:,} + {n.near:,}") for pair, n in copies.leaks.items()),
        ("exact copy under another label", copies.conflicting_labels),
        *((f"odd: {oddity.replace('_', ' ')}", count) for oddity, count in found.odd_texts.counts.items()),
    ]


def length_row(label: str, count: int, share: float, length: Any) -> tuple[object, ...]:
    """Put a label, its count and its lengths on a line."""
    return label, count, share, length.mean, length.std, length.q25, length.median, length.q75


def word_rows(found: Profile, n: int = 10) -> list[tuple[str, str]]:
    """List the most frequent words overall and by label."""
    rows = [("all", found.top_words), *found.top_words_by_label.items()]
    return [(label, ", ".join(f"{word.word} ({word.count:,})" for word in words[:n])) for label, words in rows[:21]]


def tied_rows(found: Profile, n: int = 10) -> list[tuple[str, str]]:
    """List the words most tied to each label."""
    return [
        (label, ", ".join(tied_word(word) for word in words[:n]))
        for label, words in list(found.label_words.items())[:20]
    ]


def tied_word(word: Any) -> str:
    """Write a word with its strength, and the side of a pair it stands on."""
    side = f"{word.side}: " if word.side else ""
    return f"{side}{word.word} ({word.z:.1f}, {word.texts:,})"
