"""Results of the check `profile`: the profile, and copies and overlap between parts."""

from __future__ import annotations

from dataclasses import dataclass, field

from assay.base.marks import NAME
from assay.features import Profile
from assay.features.profiling.overlaps import GroupOverlap, Overlap, SideOverlap
from assay.features.profiling.part_labels import PartLabelCount
from assay.kinds.facts import CommonAnswer
from assay.logs.totals import TotalDifference
from assay.views.results import Result
from assay.views.values import Bin, ItemCount


@dataclass(frozen=True)
class ProfileEvidence(Result):
    """The profile of the data, and copies and overlap between its parts."""

    data: Profile
    label_counts: tuple[PartLabelCount, ...]
    length_histogram: tuple[Bin, ...]
    copies: ItemCount
    conflicts: ItemCount
    overlaps: tuple[Overlap, ...]
    group_overlaps: tuple[GroupOverlap, ...]
    side_overlaps: tuple[SideOverlap, ...]
    differing_columns: tuple[str, ...] = field(
        default=(), metadata=NAME
    )  # in which copies with different labels differ
    label_set_counts: tuple[PartLabelCount, ...] = ()  # if an item can have several labels
    common_answer: CommonAnswer | None = None  # if answers are sets or texts
    total_differences: tuple[TotalDifference, ...] | None = None  # None if there are no totals of a harness
