"""The weakness of each measure of a leaderboard."""

from __future__ import annotations

from typing import Final

SATURATION: Final = (
    "First and last of the top were chosen on the same items: even equal systems show a gap, and the index of five "
    "equal systems is about 0.1 and not 1. Wrong gold labels and ambiguous items leave "
    "headroom that no system can use."
)
AGREEMENT: Final = (
    "Agreement depends on the systems: a wide range of systems agrees everywhere, their top rarely does. Systems of "
    "one family are not independent, so intervals are too narrow. Low agreement may mean noise or another ability."
)
RANK: Final = (
    "Noise adds dimensions and a wide range of systems hides them; scores in percent near the bounds are stretched by "
    "the logit. The number of components describes these systems, not the abilities that benchmarks need."
)
COMPLETION: Final = (
    "Cells are hidden at random, so relatives of a system and of a dataset stay visible: new kinds of systems or "
    "datasets are harder. A good prediction shows redundancy, not that the scores are right."
)
SCALE: Final = (
    "One number per system assumes one ability. Datasets that measure something else count as noise, families of "
    "similar datasets count several times, and intervals treat the datasets as a sample of similar ones."
)
ADAPTIVE: Final = (
    "Item parameters from few systems are rough, and new systems may be better than all of them. Chosen items lose "
    "their value once they are known. The estimate is about rank and mean, not about subjects."
)
CHECKPOINTS: Final = (
    "Signal is the range of the systems and grows with their number; noise is the noise of training between neighbouring "
    "checkpoints, which are correlated, and leaves out the choice of items and seeds."
)
COST: Final = (
    "Costs are from one run at the prices of its day. Systems that failed early are cheap; caching and batching "
    "are not counted. A system on the front need not be a good buy: it is only not beaten on both."
)
