"""The row of the first screen about leakage."""

from __future__ import annotations

from assay.base.wording import format_percent
from assay.checks.measured import Measurements
from assay.checks.profile.results import ProfileEvidence
from assay.checks.topics import KeyNumber, topic
from assay.contamination import Contamination


@topic(
    "leakage",
    order=10,
    title="Leakage",
    question="Are test items also in training?",
    why="A system can repeat what it has already read, so a score on these items says little about new ones.",
    effect="Scores can be too high by up to about {points}, because test items are also in training",
    section="profile",
)
def measure_leakage(measured: Measurements) -> KeyNumber | None:
    """Return the share of a tested part that is also in training or in a corpus: the part with most of it."""
    contamination = measured.find(Contamination)
    profile = measured.find(ProfileEvidence)
    shares: dict[tuple[str, str], float] = {}
    for overlap in () if profile is None else profile.overlaps:
        key = (overlap.part, f"also in {overlap.reference}, exactly or nearly")
        shares[key] = shares.get(key, 0.0) + overlap.items.share
    for part in () if contamination is None else contamination.parts:
        if part.items.n:
            shares[part.part, "in the training corpus, nearly verbatim"] = part.items.share
    if not shares:
        return None
    (name, where), share = max(shares.items(), key=lambda pair: pair[1])
    section = "profile" if where.startswith("also in") else "contamination"
    return KeyNumber(share, format_percent(share), f"of {name + ' ' if name else ''}items are {where}", section)
