"""The one number of each topic of the first screen, with its unit in words."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from assay.audits.evidence.audit import AuditEvidence
from assay.audits.evidence.common import SuspectItems
from assay.audits.evidence.discrimination import RankedSystem
from assay.audits.overview.topics import TopicName
from assay.base.wording import choose_verb, count_noun, format_percent, quote
from assay.discrimination.lambdas.verdicts import DISCRIMINATES

NO_BASELINE = ("majority",)
WHOLE_ITEM = "model"  # a baseline that sees the whole item takes no shortcut
MAX_NAMES = 3  # of systems that may be first


@dataclass(frozen=True)
class KeyNumber:
    """A number for people, and what it counts; `value` is a share or a number of systems.

    `codes` are the rules that judge this very number, empty where all rules of its topic do.
    """

    value: float
    number: str
    unit: str
    section: str
    codes: tuple[str, ...] = ()


def measure_topic(topic: TopicName, evidence: AuditEvidence) -> KeyNumber | None:
    """Return the number of a topic, None where nothing was measured."""
    return _NUMBERS[topic](evidence)


def measure_leakage(evidence: AuditEvidence) -> KeyNumber | None:
    """Return the share of a tested part that is also in training or in a corpus: the part with most of it."""
    shares: dict[tuple[str, str], float] = {}
    for overlap in () if evidence.profile is None else evidence.profile.overlaps:
        key = (overlap.part, f"also in {overlap.reference}, exactly or nearly")
        shares[key] = shares.get(key, 0.0) + overlap.items.share
    for part in () if evidence.contamination is None else evidence.contamination.parts:
        if part.items.n:
            shares[part.part, "in the training corpus, nearly verbatim"] = part.items.share
    if not shares:
        return None
    (name, where), share = max(shares.items(), key=lambda pair: pair[1])
    section = "profile" if where.startswith("also in") else "contamination"
    return KeyNumber(share, format_percent(share), f"of {name + ' ' if name else ''}items are {where}", section)


def measure_shortcuts(evidence: AuditEvidence) -> KeyNumber | None:
    """Return what the best shortcut gains over a constant answer or a guess."""
    gains: list[tuple[float, str, str]] = []
    if evidence.task is not None and not math.isnan(evidence.task.chance):
        chance = evidence.task.chance
        cheap_rows = [row for row in evidence.task.baselines if row.shortcut != WHOLE_ITEM]
        gains += [(row.score.value - chance, "above a guess", "task") for row in cheap_rows]
    information = evidence.information
    if information is not None:
        scores = {row.name: row.accuracy for row in information.baselines}
        constant = scores.get("majority", math.nan)
        cheap = [score for name, score in scores.items() if name not in NO_BASELINE]
        if information.shortcut_model is not None:
            cheap.append(information.shortcut_model.accuracy)
        if information.function_words is not None:
            gains.append((information.function_words.effect.gain.value, "above a constant answer", "information"))
        gains += [(score - constant, "above a constant answer", "information") for score in cheap]
    known = [row for row in gains if math.isfinite(row[0])]
    if not known:
        return None
    gain, beside, section = max(known)
    points = max(0.0, 100 * gain)
    return KeyNumber(max(gain, 0.0), f"{points:.1f}", f"points {beside} come from shortcuts alone", section)


def measure_labels(evidence: AuditEvidence) -> KeyNumber | None:
    """Return the share of items that are expected to be bad."""
    suspects: list[tuple[SuspectItems | None, str]] = [
        (None if evidence.information is None else evidence.information.suspects, "information"),
        (None if evidence.discrimination is None else evidence.discrimination.suspects, "discrimination"),
    ]
    for row, section in suspects:
        if row is not None and row.n_judged and math.isfinite(row.expected.value):
            share, low, high = (end / row.n_judged for end in (row.expected.value, row.expected.low, row.expected.high))
            interval = f" ({format_percent(low)} to {format_percent(high)})" if math.isfinite(low) else ""
            unit = f"of items are expected to have a wrong label or another defect{interval}"
            return KeyNumber(share, format_percent(share), unit, section, ("A108", "A509"))
    return None


def measure_split(evidence: AuditEvidence) -> KeyNumber | None:
    """Return the largest drop of the quick model from random folds to a harder split."""
    splits = evidence.splits
    if splits is None:
        return None
    rows = [row for row in splits.stress if math.isfinite(row.drop)]
    if rows:
        hardest = max(rows, key=lambda row: row.drop)
        points = max(0.0, 100 * hardest.drop)
        return KeyNumber(
            hardest.drop,
            f"{points:.1f}",
            f"points are lost with the {hardest.split} split, compared with random folds",
            "splits",
        )
    apart = [row.value for row in splits.divergence if row.split == "given" and row.measure == "a_distance"]
    if not apart or not math.isfinite(apart[0]):
        return None
    share = (2 + apart[0]) / 4
    return KeyNumber(share, format_percent(share), "of texts can be assigned to their part by a classifier", "splits")


def measure_ranking(evidence: AuditEvidence) -> KeyNumber | None:
    """Return how many systems may be first, or the difference that can be distinguished."""
    if evidence.votes is not None:
        rated = [row for row in evidence.votes.ratings if row.rank is not None]
        return _count_firsts([row.system for row in rated if row.rank_low == 1], len(rated), " by the votes", "votes")
    discrimination = evidence.discrimination
    if discrimination is None:
        return None
    if discrimination.basis != "quick models" and discrimination.n_systems > 1:
        benchmarks: dict[str, list[RankedSystem]] = {}
        for row in discrimination.systems:
            if row.rank_low is not None:
                benchmarks.setdefault(row.benchmark, []).append(row)
        if benchmarks:
            firsts = {name: [row.system for row in rows if row.rank_low == 1] for name, rows in benchmarks.items()}
            name = max(firsts, key=lambda name: len(firsts[name]) / len(benchmarks[name]))
            where = f" on {name}" if len(benchmarks) > 1 else ""
            return _count_firsts(firsts[name], len(benchmarks[name]), where, "discrimination")
        if discrimination.datasets and discrimination.n_systems > 1:
            apart = sum(row.verdict == DISCRIMINATES for row in discrimination.datasets)
            datasets = count_noun(len(discrimination.datasets), "dataset")
            unit = f"of {datasets} {choose_verb(apart, 'tells its', 'tell their')} systems apart"
            return KeyNumber(float(apart), f"{apart}", unit, "discrimination")
    if discrimination.detectable is None or not math.isfinite(discrimination.detectable):
        return None
    number, unit = f"{100 * discrimination.detectable:.1f}", "points are needed to tell two systems apart"
    if not discrimination.has_shares:
        number, unit = f"{discrimination.detectable:.3g}", "is the difference needed to tell two systems apart"
    return KeyNumber(discrimination.detectable, number, unit, "discrimination")


def _count_firsts(firsts: list[str], n_systems: int, where: str, section: str) -> KeyNumber:
    """Count the systems that may be first, and name them where they are few."""
    names = f": {', '.join(map(quote, firsts))}" if 0 < len(firsts) <= MAX_NAMES else ""
    unit = f"of {count_noun(n_systems, 'system')} may be first{where}{names}"
    return KeyNumber(float(len(firsts)), f"{len(firsts)}", unit, section)


def measure_difficulty(evidence: AuditEvidence) -> KeyNumber | None:
    """Return the share of items that all systems get right or wrong, else of those that words give away."""
    discrimination, difficulty = evidence.discrimination, evidence.difficulty
    has_outcomes = discrimination is not None and discrimination.basis == "predictions" and discrimination.has_shares
    if discrimination is not None and has_outcomes and discrimination.items:
        items = discrimination.items[0]
        share = items.n_all_right / max(items.n_items, 1)
        who = {1: "the only system", 2: "both systems"}.get(discrimination.n_systems)
        unit = f"of items are right for {who or f'all {discrimination.n_systems} systems'}"
        return KeyNumber(share, format_percent(share), unit, "discrimination")
    if difficulty is not None and difficulty.obvious is not None and math.isfinite(difficulty.obvious.value):
        share = difficulty.obvious.value
        return KeyNumber(share, format_percent(share), "of pairs are given away by shared words", "difficulty")
    if difficulty is not None and difficulty.closer_to_other is not None and math.isfinite(difficulty.closer_to_other):
        share = 1 - difficulty.closer_to_other
        unit = "of texts have the label of the most similar training text"
        return KeyNumber(share, format_percent(share), unit, "difficulty")
    return None


_NUMBERS: dict[TopicName, Callable[[AuditEvidence], KeyNumber | None]] = {
    "leakage": measure_leakage,
    "shortcuts": measure_shortcuts,
    "labels": measure_labels,
    "split": measure_split,
    "ranking": measure_ranking,
    "difficulty": measure_difficulty,
}
