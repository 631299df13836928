"""Results of the check of the ranking: a discrimination, and measures of the systems' answers."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from assay.base.marks import OWN
from assay.discrimination import Discrimination
from assay.discrimination.items.failures import OutcomeCell, SharedFailures
from assay.discrimination.items.gold import BelowBaseline, NegativeItems, SystemAgreement
from assay.evaluation import Comparison, MetricWinner, Repeats, SmallestDifference
from assay.suspects import Suspects


@dataclass(frozen=True)
class DiscriminationEvidence(Discrimination):
    """How well this test set still tells good systems from better ones.

    All that `assay.discriminate` returns, with at most 1,000 ids in a list of items. `basis` says where the systems
    come from. `comparisons`, `failures` and `outcome_map` are about the best systems, the better one first.
    """

    basis: Literal["scores", "predictions", "quick models"] = field(kw_only=True)
    n_systems: int = field(kw_only=True)
    agreement: tuple[SystemAgreement, ...] = ()
    negative: NegativeItems | None = None
    suspects: Suspects | None = None
    n_test: int | None = None
    metric: str | None = field(default=None, metadata=OWN)
    below_baseline: tuple[BelowBaseline, ...] = ()
    winners: tuple[MetricWinner, ...] = ()
    difference: SmallestDifference | None = None
    repeats: Repeats | None = None
    comparisons: tuple[Comparison, ...] = ()
    failures: tuple[SharedFailures, ...] = ()
    outcome_map: tuple[OutcomeCell, ...] = ()

    @property
    def has_shares(self) -> bool:
        """Whether scores are from 0 to 1, so that their differences are points of 100."""
        return self.difference is None or self.difference.has_shares
