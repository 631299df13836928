"""How the page shows the profile."""

from __future__ import annotations

from collections.abc import Iterator

from assay.checks.base import CHECKS
from assay.checks.profile.results import ProfileEvidence
from assay.features.view import show_features, show_sizes
from assay.views.blocks import Block, make_fact

SIMILAR = "Jaccard similarity of words and word pairs of 0.8 or more"
OVERLAPS = {
    "exact": ("Exact copies of {} in {}", "Verbatim."),
    "near": ("Near copies of {} in {}", f"{SIMILAR}."),
    "contrast": ("Near copies of {} in {} with another label", f"{SIMILAR}, but not the same label."),
}


@CHECKS["profile"].view
def show_data(profile: ProfileEvidence) -> Iterator[Block]:
    """Yield sizes, length, copies, overlap between parts, and the features of Xiao et al."""
    yield from show_sizes(profile.data)
    method = "Items whose text occurs earlier in the same part; case and white space do not count."
    yield from make_fact("Repeated items", profile.copies, method)
    yield from make_fact("Copies with another label", profile.conflicts, "Equal texts that have different labels.")
    for overlap in profile.overlaps:
        name, method = OVERLAPS[overlap.kind]
        if overlap.items.count or overlap.kind != "contrast":
            yield from make_fact(name.format(overlap.reference, overlap.part), overlap.items, method)
    yield from show_features(profile.data.features)
