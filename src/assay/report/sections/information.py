"""What the labels ask for beyond shortcuts."""

from __future__ import annotations

from collections.abc import Iterator

from assay.base.numbers import format_interval, format_number, is_missing
from assay.report.chapter import Chapter, Fact, Table, Values, accuracy, fact, within
from assay.report.shortcuts import named

ENDS = ("tsi", "tsi_low", "tsi_high")


def facts(result: Values) -> Iterator[Fact | None]:
    """Yield entropy, the information beyond all shortcuts, and the doubtful labels."""
    yield fact("Entropy of the labels (nats)", result.get("entropy"), "The most that texts can tell of labels. Exact.")
    control = result.get("control") or []
    if control:
        last = max(control, key=lambda row: len(str(row.get("shortcuts"))))
        on = f"on {format_number(last.get('n_items'))} held-out items; 95 % interval over items (paper 003)"
        how = f"TSI beyond {named(last.get('shortcuts'))}, {on}."
        yield fact("Information beyond shortcuts (nats)", last, how, ends=ENDS)
    doubts = "By confident learning on cross-validated predictions of a quick model; Wilson interval, 95 %."
    yield fact("Doubtful labels", within(result, "labels", "share"), doubts, percent=True)
    surest = (
        "Of the surest 5 to 40 % of the items; the upper end bounds the labels wrong at random. Wilson, Bonferroni."
    )
    yield fact("Labels that differ where it is surest", within(result, "labels", "where_surest"), surest, percent=True)
    how = "Agreement of that model with gold beyond chance (kappa): the lower, the less its doubts weigh."
    yield fact("Agreement of the doubting model", within(result, "labels", "kappa"), how)


def tables(result: Values) -> Iterator[Table]:
    """Yield the control models."""
    rows = [
        [
            named(row.get("shortcuts")),
            format_interval(*(row.get(end) for end in ENDS)),
            format_number(row.get("nll")),
            format_number(row.get("model")),
        ]
        for row in result.get("control") or []
    ]
    how = (
        "What a model that sees only these shortcuts loses to the full model, in nats. Below 0 the full model is too "
        "weak to show information. Loss of the control is a mean over the same items."
    )
    if rows:
        yield Table("Control models", ["shortcuts", "TSI", "loss of control", "control"], rows, how)
    cues = [_cue(row) for row in (result.get("cues") or [])[:30] if not is_missing(row.get("precision"))]
    if cues:
        yield Table("Cues", ["cue", "kind", "label", "precision", "coverage", "p"], cues, _CUES, words_of_texts=True)


def _cue(row: Values) -> list[str]:
    right = accuracy({"accuracy": row["precision"], "n": row.get("n_items")})
    names = [str(row.get(name)) for name in ("token", "kind", "label")]
    return [
        *names,
        right,
        f"{100 * row['coverage']:.1f} %",
        "< 1e-300" if row.get("p") == 0 else format_number(row.get("p")),
    ]


_CUES = (
    "How often the cue's label is right where the cue is present, with Wilson's interval (95 %) over these items, and "
    "the share of items that have it (counted, exact). p is adjusted for all cues that were tried."
)
INFORMATION = Chapter(
    "information", "What it asks for", "Can a system win by shortcuts, and are the labels right?", facts, tables
)
