"""Rules on judges: accuracy, position, length, constant answers, agreement, own family."""

from __future__ import annotations

import math
from collections.abc import Iterator
from statistics import median

from assay.checks.findings import NotChecked, Outcome, Severity, make_finding, rule
from assay.judges import Judge, JudgeAudit
from assay.wording.numbers import format_interval, format_percent
from assay.wording.sentences import quote

MAX_FLIP_RATE = 0.1
SERIOUS_FLIP_RATE = 0.3
MAX_POSITION_GAP = 0.05  # of the share of first answers that win, from one half
MAX_LENGTH_GAP = 0.05  # of the share of longer answers that win, above what gold says
MAX_LONGER_SHARE = 0.6  # of longer answers that win, if gold is unknown
MIN_ALPHA = 2 / 3  # below which Krippendorff (2004) draws no conclusions
MAX_FINDINGS = 5
NO_GOLD = NotChecked("There are no gold verdicts.")
NO_PAIRS = NotChecked("Verdicts do not choose between two answers.")


@rule("A701", "Judge worse than a constant verdict", section="judges", decides=True)
def find_weak_judges(judges: JudgeAudit) -> Iterator[Outcome]:
    """Report judges whose accuracy is no higher than the share of the most frequent gold verdict.

    It is an error if at least half of the judges are worse.
    """
    constant = judges.constant_verdict
    if constant is None:
        yield NO_GOLD
        return
    weak = [row for row in judges.judges if row.right.low <= constant.accuracy]
    others = (
        f" {len(weak)} of {len(judges.judges)} judges are not better than that beyond chance." if len(weak) > 1 else ""
    )
    is_common = sum(row.right.high < constant.accuracy for row in weak) >= len(judges.judges) / 2
    for place, row in enumerate(sorted(weak, key=lambda row: row.accuracy)[:MAX_FINDINGS]):
        below = row.right.high < constant.accuracy
        severity: Severity = "error" if below and is_common else "warning"
        estimate = row.right
        relation = "is worse than" if below else "is not better than"
        yield make_finding(
            severity,
            f"Judge {quote(row.judge)} {relation} a constant verdict: it is right in "
            f"{format_interval(estimate, 'percent')}, always "
            f"answering {quote(constant.verdict)} in {format_percent(constant.accuracy)}.{'' if place else others}",
            f"Do not use the verdicts of {quote(row.judge)} as scores.",
            estimate,
            n=row.n,
            subject=row.judge,
        )


@rule("A702", "Verdicts change with the order", section="judges")
def find_position_flips(judges: JudgeAudit) -> Iterator[Outcome]:
    """Report judges that often change their verdict when the two answers change places; an error if half of them do."""
    tested = [row for row in judges.judges if row.n_both_orders]
    if not tested:
        yield NotChecked("Answers were not shown in both orders.") if judges.kind == "pairs" else NO_PAIRS
        return
    changing = [row for row in tested if row.position_flips.low > MAX_FLIP_RATE]
    is_common = sum(row.position_flips.low > SERIOUS_FLIP_RATE for row in tested) >= len(tested) / 2
    for row in sorted(changing, key=lambda row: -row.position_flip_rate)[:MAX_FINDINGS]:
        estimate = row.position_flips
        yield make_finding(
            "error" if is_common and row.position_flips.low > SERIOUS_FLIP_RATE else "warning",
            f"Judge {quote(row.judge)} changes its verdict in {format_interval(estimate, 'percent')} of "
            f"{row.n_both_orders:,} items "
            "when the answers change places.",
            "Show every pair in both orders and count a changed verdict as a tie.",
            estimate,
            n=row.n_both_orders,
            subject=row.judge,
        )


@rule("A703", "Prefers a position", section="judges")
def find_position_preference(judges: JudgeAudit) -> Iterator[Outcome]:
    """Report judges that prefer the answer shown first, or second, clearly more often, over both orders."""
    tested = [row for row in judges.judges if row.n_both_orders]
    if not tested:
        yield NotChecked("Answers were not shown in both orders.") if judges.kind == "pairs" else NO_PAIRS
        return
    biased = [row for row in tested if _distance_from_half(row) > MAX_POSITION_GAP]
    for row in sorted(biased, key=lambda row: -abs(row.first_position_share - 0.5))[:MAX_FINDINGS]:
        estimate = row.first_wins
        place = "first" if row.first_position_share > 0.5 else "second"
        yield make_finding(
            "warning",
            f"Judge {quote(row.judge)} prefers the answer shown {place}: the first one wins "
            f"{format_interval(estimate, 'percent')} of "
            "its decided verdicts, over both orders.",
            "Show every pair in both orders.",
            estimate,
            n=row.n,
            subject=row.judge,
        )


def _distance_from_half(row: Judge) -> float:
    return max(row.first_wins.low - 0.5, 0.5 - row.first_wins.high)


@rule("A704", "Prefers longer answers", section="judges")
def find_length_preference(judges: JudgeAudit) -> Iterator[Outcome]:
    """Report judges that prefer longer answers more often than gold verdicts say, or than 60% without gold."""
    known = [row for row in judges.judges if math.isfinite(row.longer_wins_share)]
    if not known:
        yield NotChecked("The lengths of the answers are not known.") if judges.kind == "pairs" else NO_PAIRS
        return
    for row in known[:MAX_FINDINGS]:
        has_gold = math.isfinite(row.longer_gold_share)
        limit = row.longer_gold_share + MAX_LENGTH_GAP if has_gold else MAX_LONGER_SHARE
        if not row.longer_wins.low > limit:
            continue
        estimate = row.longer_wins
        gold = f", and should in {format_percent(row.longer_gold_share)}" if has_gold else ""
        yield make_finding(
            "warning" if has_gold else "note",
            f"Judge {quote(row.judge)} prefers longer answers: they win "
            f"{format_interval(estimate, 'percent')} of its decided "
            f"verdicts{gold}.",
            "Control for length, or compare answers of similar length.",
            estimate,
            n=row.n,
            subject=row.judge,
        )


@rule("A705", "A constant answer scores high", section="judges")
def find_constant_answers(judges: JudgeAudit) -> Iterator[Outcome]:
    """Report a system with one answer for all items that scores as high as the median of the others."""
    constant = [row for row in judges.systems if row.is_constant]
    if not constant:
        yield NotChecked("No system is known to give a constant answer.")
        return
    for row in constant[:MAX_FINDINGS]:
        others = [other.score for other in judges.systems if other.judge == row.judge and not other.is_constant]
        if not others or row.mean.low < median(others):
            continue
        yield make_finding(
            "error",
            f"A constant answer scores high: {quote(row.system)} gives one answer to all items, and judge "
            f"{quote(row.judge)} gives it {format_interval(row.mean)}, the median of the others is {median(others):.2f}.",
            f"Do not trust scores of judge {quote(row.judge)}: an answer without content gets them too.",
            row.mean,
            n=row.n,
            subject=row.system,
        )


@rule("A706", "Judges disagree", section="judges")
def find_disagreement(judges: JudgeAudit) -> Iterator[Outcome]:
    """Report judges whose agreement is, with 95% confidence, below what allows conclusions."""
    if len(judges.judges) < 2 or not math.isfinite(judges.alpha.value):
        yield NotChecked("There are fewer than two judges of the same items.")
        return
    if judges.alpha.high < MIN_ALPHA:
        yield make_finding(
            "warning",
            f"The {len(judges.judges)} judges disagree: Krippendorff's alpha is {format_interval(judges.alpha)}, below "
            f"{MIN_ALPHA:.2f}.",
            "Find out which judges agree with people, and use those.",
            judges.alpha,
            n=judges.n_items,
        )


@rule("A707", "Prefers its own family", section="judges")
def find_own_family(judges: JudgeAudit) -> Iterator[Outcome]:
    """Report judges that prefer answers of their own maker's models more often than judges of other makers do."""
    known = [
        row
        for row in judges.judges
        if math.isfinite(row.own_family_wins.value) and math.isfinite(row.own_family_others)
    ]
    if not known:
        yield NotChecked("No judge met answers of its own family that other judges saw too.")
        return
    for row in known[:MAX_FINDINGS]:
        if row.own_family_wins.low > row.own_family_others:
            estimate = row.own_family_wins
            yield make_finding(
                "warning",
                f"Judge {quote(row.judge)} prefers answers of its own family: they win "
                f"{format_interval(estimate, 'percent')}, with "
                f"other judges {format_percent(row.own_family_others)}.",
                "Use judges of several makers.",
                estimate,
                n=row.n,
                subject=row.judge,
            )
