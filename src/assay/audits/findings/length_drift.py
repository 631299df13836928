"""Test texts longer or shorter than training texts."""

from __future__ import annotations

from collections.abc import Iterator

from assay.audits.finding import Check, Finding, Seen
from assay.base.wording import format_percent
from assay.statistics import Interval

FROM = 0.03  # distance of the probability from one half
LARGE = 0.1


def find(seen: Seen) -> Iterator[Finding]:
    """Report where a test text is surely longer (or shorter) than a training text in more than 53 % of the pairs."""
    drift = (seen.result("splits").get("drift") or {}).get("length")
    if not drift:
        return
    share = Interval(drift["longer"], drift["low"], drift["high"])
    beyond = max(share.low - 0.5, 0.5 - share.high)
    if beyond <= FROM or drift["p"] > 0.01:
        return
    longer = share.value > 0.5
    shown = share.value if longer else 1 - share.value
    learnt, asked = drift["parts"]
    claim = (
        f"Texts of {asked} are {'longer' if longer else 'shorter'} than those of {learnt}: {drift['mean_test']:.1f} "
        f"against {drift['mean_train']:.1f} words in the mean; of two drawn at random the one of {asked} is the "
        f"{'longer' if longer else 'shorter'} with probability {format_percent(shown)}."
    )
    action = "Split anew, or report scores by length."
    severity = "warning" if beyond > LARGE else "note"
    yield LENGTH_DRIFT.finding(severity, claim, share, action, {"n": drift["n_test"], "p": drift["p"]})


LENGTH_DRIFT = Check("A203", "splits", "Length drifts between parts", find)
