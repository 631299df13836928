"""The row of the first screen about leakage."""

from __future__ import annotations

from assay.checks.measured import Measurements
from assay.checks.profile.results import ProfileEvidence
from assay.checks.topics import KeyNumber, topic
from assay.contamination import Contamination
from assay.kinds import KINDS
from assay.wording.numbers import format_percent

IN_CORPUS = "in the training corpus, nearly verbatim"


@topic(
    "leakage",
    order=10,
    title="Leakage",
    question="Are test items also in training?",
    why="A system can repeat what it has already read, so a score on these items says little about new ones.",
    section="profile",
)
def measure_leakage(measured: Measurements) -> KeyNumber | None:
    """Return the share of a tested part that is also in training or in a corpus: the part with most of it."""
    contamination = measured.find(Contamination)
    profile = measured.find(ProfileEvidence)
    shares: dict[tuple[str, str], float] = {}
    for overlap in () if profile is None else profile.overlaps:
        if overlap.kind != "contrast":
            key = (overlap.part, f"also in {overlap.reference}, exactly or nearly")
            shares[key] = shares.get(key, 0.0) + overlap.items.share
    for part in () if contamination is None else contamination.parts:
        if part.items.n:
            shares[part.part, IN_CORPUS] = part.items.share
    if not shares:
        return None
    (name, where), share = max(shares.items(), key=lambda pair: pair[1])
    number = format_percent(share)
    place = f" on {name}" if name else ""
    if averages_items(measured):
        bound = f" by up to {number.removesuffix('%')} points, because so many items"
    else:
        bound = f", because {number} of {'its' if name else 'the'} items"
    return KeyNumber(
        share,
        number,
        f"of {name + ' ' if name else ''}items are {where}",
        "contamination" if where == IN_CORPUS else "profile",
        ("A801",) if where == IN_CORPUS else ("A101", "A102"),
        f"Scores{place} can be too high{bound} are {where}",
    )


def averages_items(measured: Measurements) -> bool:
    """Return whether the headline metric of the data is a mean over items, so that a share of them bounds its error."""
    kind = KINDS.get(measured.data.task)
    return kind is None or kind.scoring.find_metric(kind.scoring.headline).tests_means
