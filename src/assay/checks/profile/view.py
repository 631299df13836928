"""How the page shows the profile."""

from __future__ import annotations

import math
from collections.abc import Iterator

from assay.base.numbers import format_interval, format_number
from assay.base.wording import format_percent
from assay.checks.base import CHECKS
from assay.checks.profile.results import FeatureValue, ProfileEvidence
from assay.views.blocks import Block, Fact, Table, make_fact

FEATURE_NAMES = {
    "average_length": "mean length",
    "n_labels": "labels",
    "label_balance": "balance of labels (0: equal)",
    "basic_words": "share of basic words",
    "type_token_ratio": "different words per word",
    "language_mix": "texts in another language",
    "pmi": "words that go with labels (PMI, nats)",
    "pmi_top_words": "texts with one of ten such words",
    "flesch": "ease of reading (Flesch)",
    "flesch_hard": "texts that are hard to read",
    "perplexity": "perplexity",
    "grammar_errors": "errors of grammar per word",
}
FEATURE_PARTS = ("all", "train", "test", "interaction")


def profile_facts(profile: ProfileEvidence) -> Iterator[Fact]:
    """Yield sizes, length, copies and overlap between parts."""
    yield from make_fact("Items", profile.n_items, "Rows of the file. Exact.")
    if profile.labels:
        yield from make_fact("Labels", len(profile.labels), "Different labels. Exact.")
    if len(profile.labels) > 1 and math.isfinite(profile.label_entropy):
        most = math.log(len(profile.labels))
        method = (
            "100% means equally frequent labels, 0% a single one: the entropy of the label shares "
            f"({format_number(profile.label_entropy)} nats) as a share of the largest possible. Exact."
        )
        yield Fact("Balance of the labels", format_percent(profile.label_entropy / most), method)
    yield from length_facts(profile)
    yield from make_fact(
        "Repeated items", profile.copies, "Items whose text occurs earlier in the same part, verbatim."
    )
    yield from make_fact("Copies with another label", profile.conflicts, "Equal texts that have different labels.")
    for overlap in profile.overlaps:
        exact = overlap.kind == "exact"
        name = f"{'Exact' if exact else 'Near'} copies of {overlap.reference} in {overlap.part}"
        method = "Verbatim." if exact else "Jaccard similarity of words and word pairs of 0.8 or more."
        yield from make_fact(name, overlap.items, method)


def length_facts(profile: ProfileEvidence) -> Iterator[Fact]:
    """Yield the mean length with its normal interval."""
    length = profile.length
    if length.n and math.isfinite(length.mean):
        half = 1.96 * length.std / math.sqrt(length.n)
        number = format_interval(length.mean, length.mean - half, length.mean + half)
        method = (
            f"Mean over {format_number(length.n)} texts, 95% normal interval; median {format_number(length.median)}."
        )
        yield Fact(f"{profile.length_unit.capitalize()} per text", number, method)


def profile_tables(profile: ProfileEvidence) -> Iterator[Table]:
    """Yield the features of Xiao et al."""
    by_name: dict[str, dict[str, FeatureValue]] = {}
    for feature in profile.features:
        by_name.setdefault(feature.name, {})[feature.part] = feature
    parts = [part for part in FEATURE_PARTS if any(part in values for values in by_name.values())]
    reasons = {
        name: feature.reason for name, values in by_name.items() for feature in values.values() if feature.reason
    }
    rows = [
        [name_feature(name), *(write_feature(values.get(part)) for part in parts)]
        for name, values in by_name.items()
        if name not in reasons
    ]
    if not rows:
        return
    method = (
        "Features of Xiao et al., section 5; “interaction” is how far train and test differ in each. Computed from all "
        "texts, so exact, except for those with an interval."
    )
    missing = "; ".join(f"{name_feature(name)}: {reason}" for name, reason in reasons.items())
    yield Table("Features", ["feature", *parts], rows, method + (f" Not measured: {missing}." if missing else ""))


def name_feature(name: str) -> str:
    """Name a feature for people.

    >>> name_feature("flesch"), name_feature("some_other")
    ('ease of reading (Flesch)', 'some other')
    """
    return FEATURE_NAMES.get(name, name.replace("_", " "))


def write_feature(feature: FeatureValue | None) -> str:
    """Write the value of a feature."""
    return "n/a" if feature is None else format_interval(feature.value, feature.low, feature.high)


@CHECKS["profile"].view
def show_profile(profile: ProfileEvidence) -> Iterator[Block]:
    """Yield the facts and tables of the check."""
    yield from profile_facts(profile)
    yield from profile_tables(profile)
