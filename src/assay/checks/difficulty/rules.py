"""Items whose words give the answer away, and systems that depend on them."""

from __future__ import annotations

from collections.abc import Iterator

from assay.base.errors import join_names
from assay.checks.difficulty.results import DifficultyEvidence
from assay.checks.discrimination.results import DiscriminationEvidence
from assay.checks.findings import NotChecked, Outcome, Severity, make_finding, rule, subtract_shares
from assay.checks.measured import Measurements
from assay.difficulty.systems.scoring import CaseAccuracy
from assay.difficulty.view import CASES
from assay.wording.numbers import format_interval, format_percent
from assay.wording.sentences import choose_verb, quote

MIN_DROP = 0.1
COLLAPSED_BELOW = 0.5  # accuracy on non-obvious items
MAX_OBVIOUS = 0.65


@rule("A301", "Collapse on non-obvious items", section="difficulty", decides=True)
def find_collapse(difficulty: DifficultyEvidence, measured: Measurements) -> Iterator[Outcome]:
    """Report systems that lose more than ten points on non-obvious items with 95% confidence; details of the best.

    Systems that agree with the gold labels no better than chance, such as a constant answer, have nothing to lose.
    """
    by_system: dict[str, dict[str, CaseAccuracy]] = {}
    for row in difficulty.systems:
        by_system.setdefault(row.system, {})[row.case] = row
    ranking = measured.find(DiscriminationEvidence)
    idle = {row.system for row in (() if ranking is None else ranking.agreement) if not row.kappa.low > 0}
    systems = {name: cases for name, cases in by_system.items() if len(cases) == 2 and name not in idle}
    if not by_system:
        yield NotChecked("There are no predictions of systems, or items are not obvious and non-obvious.")
        return
    if not systems:
        yield NotChecked("There are no predictions of a system that does better than chance.")
        return
    confidence = 1 - 0.05 / len(systems)
    drops = {
        name: subtract_shares(_share(cases["obvious"]), _share(cases["non-obvious"]), confidence)
        for name, cases in systems.items()
    }
    falling = [name for name, drop in drops.items() if drop.low > MIN_DROP]
    if not falling:
        return
    best = max(falling, key=lambda name: _overall(systems[name]))
    obvious, other = systems[best]["obvious"], systems[best]["non-obvious"]
    who = "it" if len(falling) == 1 else f"the best of these {len(falling)}, {quote(best)},"
    first = quote(best)
    if len(falling) > 1:
        idle_left_out = " that do better than chance" if len(systems) < len(by_system) else ""
        first = f"{len(falling)} of {len(systems)} systems{idle_left_out}"
    claim = (
        f"{first} {choose_verb(len(falling), 'loses', 'lose')} more than ten points where the words do not give the "
        f"answer away: {who} is right on {format_percent(obvious.accuracy.value)} of the obvious items and on "
        f"{format_percent(other.accuracy.value)} of the others, {format_interval(drops[best], 'points')} less."
    )
    severity: Severity = "warning" if other.accuracy.value < COLLAPSED_BELOW else "note"
    action = "Report scores on non-obvious items separately; they say more about understanding."
    yield make_finding(severity, claim, action, drops[best], n=other.n, evidence={"systems": join_names(falling, 10)})


def _share(row: CaseAccuracy) -> tuple[float, int]:
    return row.accuracy.value, row.n


def _overall(cases: dict[str, CaseAccuracy]) -> float:
    right = sum(row.accuracy.value * row.n for row in cases.values())
    return right / sum(row.n for row in cases.values())


@rule("A302", "Most items are obvious", section="difficulty", topic="shortcuts")
def find_obvious_items(difficulty: DifficultyEvidence) -> Iterator[Outcome]:
    """Report if more than 65% of the pairs follow the rule "few shared words, negative" (Peinelt et al.)."""
    pairs = difficulty.pairs
    if pairs is None or pairs.counts is None:
        yield NotChecked("Only pairs with a positive label have obvious and non-obvious cases.")
        return
    share = pairs.obvious_share
    if share.low > MAX_OBVIOUS:
        number = format_interval(share, "percent")
        claim = f"{number} of the pairs are obvious: whether they share words already predicts the label."
        action = "Add pairs that share words but differ in meaning, and the other way round."
        evidence = {title: f"{pairs.counts[case]:,}" for case, title in CASES.items()}
        yield make_finding("note", claim, action, share, n=pairs.n_items, evidence=evidence)
