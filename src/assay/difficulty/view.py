"""Tables and sentences of difficulty: cases, distributions, annotators, systems, and graded similarity."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from assay.difficulty.distributions import DifficultyDistribution
from assay.difficulty.pairs.annotators import CaseComparison
from assay.difficulty.pairs.dataset import PairDifficulty
from assay.difficulty.similarity import SimilarityRating
from assay.difficulty.systems.scoring import CaseAccuracy, SystemOnCases, SystemOnTexts
from assay.difficulty.texts.dataset import TextDifficulty
from assay.views.blocks import Block, Column, Sentence, Table, Value, format_value, make_fact, make_table
from assay.wording.numbers import format_interval

QUANTILES = {"0.05": "5%", "0.25": "25%", "0.5": "median", "0.75": "75%", "0.95": "95%"}
CASES = {"Po": "positive, obvious", "Pn": "positive, other", "No": "negative, obvious", "Nn": "negative, other"}
MAX_LABELS = 20  # whose rows are shown
_RATES = ("TPR_o", "TPR_n", "TNR_o", "TNR_n", "F1_o", "F1_n", "F1", "MAP", "accuracy_o", "accuracy_n", "accuracy")


def show_pair_difficulty(result: PairDifficulty) -> Iterator[Block]:
    """Yield the cases of pairs, what annotators did on them, how divergence is spread, and the systems."""
    yield from show_cases(result)
    yield from show_annotations("Agreement (Fleiss' kappa)", result.agreement)
    yield from show_annotations("Seconds", result.annotation_time)
    spread = "Similarity" if result.measure in ("jaccard", "dice") else "Divergence"
    yield from show_distributions(f"{spread} ({result.measure})", result)
    yield from show_systems(result.systems)
    yield Sentence(write_pair_verdict(result), is_verdict=True)


def show_text_difficulty(result: TextDifficulty) -> Iterator[Block]:
    """Yield how many texts are closer to another label, how difficulty is spread, and the systems."""
    yield from show_contrary(result)
    yield from show_distributions(f"Difficulty ({result.measure})", result)
    yield from show_systems(result.systems)
    yield Sentence(write_text_verdict(result), is_verdict=True)


def show_cases(result: PairDifficulty) -> Iterator[Block]:
    """Yield the share of obvious pairs, the median, and the cases of all pairs, of each part and of each label."""
    method = (
        "Items whose words suggest their label (Peinelt et al.), of the items that have a case. Wilson interval, 95%."
    )
    yield from make_fact("Obvious items", result.obvious_share, method, "percent")
    text = "The threshold between low and high divergence; over all items measured, so exact."
    yield from make_fact("Median divergence", result.median, text)
    rows: dict[str, Any] = {} if result.counts is None else {"all": result}
    rows |= dict(result.by_part)
    rows |= {f"{label} vs rest": cases for label, cases in list(result.one_vs_rest.items())[:MAX_LABELS]}
    positive = f", positive: {result.positive}" if result.positive else ""
    yield from make_table(
        f"Cases (threshold: {result.threshold}{positive})",
        rows.items(),
        {
            "": lambda row: row[0],
            **{title: _get_count(case) for case, title in CASES.items()},
            Column("obvious", "percent"): lambda row: row[1].obvious_share,
            "median": lambda row: row[1].median,
        },
        "Counted, so exact; the share has a Wilson interval (95%).",
        is_main=True,
    )


def _get_count(case: str) -> Any:
    return lambda row: row[1].counts[case]


def show_contrary(result: TextDifficulty) -> Iterator[Block]:
    """Yield how many texts are closer to a training text of another label, by label and part."""
    n = result.distribution.n_defined
    method = f"Of {n:,} texts, as vectors; cosine distance to training texts. Wilson interval, 95%."
    yield from make_fact("Closer to another label", result.contrary_share, method, "percent")
    gap = "Distance to the nearest training text of the same label minus that to another label; below 0: the same label"
    yield from make_fact("Median difficulty", result.median, f"{gap} is closer. Over all items measured, so exact.")
    rows: list[list[Value]] = [["all", n, result.contrary_share]] if math.isfinite(result.contrary_share.value) else []
    groups = (
        ("label", result.contrary_by_label, result.distribution_by_label),
        ("part", result.contrary_by_part, result.distribution_by_part),
    )
    for kind, contrary, spread in groups:
        named = list(contrary.items())[:MAX_LABELS]
        rows += [[f"{kind} {name}", spread[name].n_defined, share] for name, share in named]
    columns: list[Column | str] = ["", "items", Column("share", "percent")]
    if rows:
        method = "Texts whose nearest training text has another label; Wilson interval, 95%."
        yield Table("Nearest training text has another label", columns, rows, method, is_main=True)


def show_annotations(title: str, comparison: CaseComparison | None) -> Iterator[Block]:
    """Yield what annotators did in each case, and the test of obvious against non-obvious items."""
    if comparison is not None:
        columns: list[Column | str] = [*CASES.values(), "obvious", "non-obvious", "total", Column("p", "p")]
        means = (comparison.obvious, comparison.non_obvious, comparison.total, comparison.p)
        yield Table(title, columns, [[*comparison.by_case.values(), *means]])


def show_distributions(title: str, result: PairDifficulty | TextDifficulty) -> Iterator[Block]:
    """Yield how the values of all items, of each label and of each part are spread."""
    rows = {"all": result.distribution}
    rows |= {f"label {name}": row for name, row in list(result.distribution_by_label.items())[:MAX_LABELS]}
    rows |= {f"part {name}": row for name, row in result.distribution_by_part.items()}
    yield from show_spread(title, rows)


def show_spread(title: str, distributions: Mapping[str, DifficultyDistribution]) -> Iterator[Block]:
    """Yield the mean and the quantiles of distributions."""
    undefined = distributions["all"].n_undefined
    rows: list[list[Value]] = [
        [name, spread.n_items, spread.mean, *(spread.quantiles[level] for level in QUANTILES)]
        for name, spread in distributions.items()
    ]
    columns: list[Column | str] = ["", "items", *(Column(name, "rounded:3") for name in ("mean", *QUANTILES.values()))]
    yield Table(f"{title}, undefined for {undefined:,} items" if undefined else title, columns, rows)


def show_systems(systems: Sequence[SystemOnCases | SystemOnTexts]) -> Iterator[Block]:
    """Yield the rates of the systems on obvious (o) and non-obvious (n) items, next to random guessing."""
    if not systems:
        return
    values = [system.to_dict() for system in systems]
    rates = [name for name in _RATES if values[-1].get(name) is not None]
    missing = ["n_missing"] if any(row["n_missing"] for row in values) else []
    rows = [[row["system"], *map(row.get, rates), *map(row.get, missing)] for row in values]
    columns: list[Column | str] = ["system", *(Column(name, "rounded:3") for name in rates), *missing]
    yield Table(f"Systems on {values[-1]['n_items']:,} items", columns, rows)


def show_case_accuracies(rows: Sequence[CaseAccuracy]) -> Iterator[Block]:
    """Yield the accuracy of systems on obvious and on non-obvious items."""
    yield from make_table(
        "Systems on obvious and non-obvious items",
        rows,
        {
            "system": lambda row: row.system,
            "items are": lambda row: row.case,
            Column("accuracy", "percent"): lambda row: row.accuracy,
            "items": lambda row: row.n,
        },
        "Wilson intervals, 95%.",
    )


def show_similarity(result: SimilarityRating) -> Iterator[Block]:
    """Yield how similar the texts of items are, and how gold and systems follow it."""
    title = f"Similarity of {' and '.join(result.texts)} ({result.measure})"
    if result.options is not None:
        options = result.options
        headings = ["items", "right option", "others", "AUC", "most similar is right", "chance"]
        means = (options.gold.mean, options.others.mean, options.auc)
        yield Table(title, headings, [[options.n_items, *means, options.choice, options.chance]])
        title = "Right option minus the most similar other one"
    yield from show_spread(title, {"all": result.gold.similarity})
    rows = [] if result.gold.correlation is None else [("gold", result.gold.correlation, result.gold.groups)]
    rows += [(system.system, system.correlation, system.groups) for system in result.systems]
    cells: list[list[Value]] = [[name, value, *(group.outcome for group in groups)] for name, value, groups in rows]
    if cells:
        fifths = [Column(f"fifth {number}", "rounded:3") for number in range(1, len(cells[0]) - 1)]
        columns: list[Column | str] = ["", "Spearman", *fifths]
        yield Table("Mean outcome by similarity, lowest fifth first", columns, cells, is_main=True)


def write_pair_verdict(result: PairDifficulty) -> str:
    """Say how many pairs are obvious."""
    if result.counts is None or not math.isfinite(result.obvious_share.value):
        return f"The median of the {result.n_items:,} pairs is {format_value(result.median)}; they have no cases."
    share = format_interval(result.obvious_share, "percent")
    return f"{share} of the pairs are obvious: whether they share words already predicts the label."


def write_text_verdict(result: TextDifficulty) -> str:
    """Say how many texts are closer to another label."""
    if not math.isfinite(result.contrary_share.value):
        return f"The {result.n_items:,} texts are ranked by the distance to the nearest text."
    share = format_interval(result.contrary_share, "percent")
    return f"For {share} of the texts, the nearest training text has another label."
