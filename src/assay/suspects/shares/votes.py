"""The share of wrong labels by the answers of systems that share the difficulty of items and their wrong answers.

Items are counted by how many systems give the gold label, and whether the others mostly give one answer. If labels are
right, the first follows from a distribution of difficulty with one peak and the skill of every system, and the second
from how often systems that are wrong agree, which is seen where some systems are right.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from assay.base.arrays import Array
from assay.suspects.shares.estimation import MIN_DISPERSION, weigh_shares
from assay.suspects.votes import AnswerVotes

MIN_SYSTEMS = 3
MIN_AGREEMENT = 0.7  # between systems, beyond chance; below it, estimates are too high on MMLU-Pro
MIN_COVERAGE = 0.8  # of the items, by systems whose answers are counted
MIN_ITEMS = 50
COPY_SHARE = 0.9  # of the items on which one of two systems is wrong: if both are, they are copies
MAX_COPY_CELLS = 20_000_000
MAX_LABELS = 50  # beyond which a wrong label is taken to be one that no system gives
MAX_SAMPLE = 400_000  # of items × labels
COMMON_SHARE = 0.75  # of the wrong answers that are the same, from which systems are said to agree on one
# Prior means and deviations of difficulty, which has one peak: its place, the logarithm of its width, that of the
# freedom of its tails (Student's t) above the least, and that of how much wider one side is.
DIFFICULTY = ((0.0, 2.0), (0.4, 0.7), (1.0, 1.0), (0.0, 0.3))
MIN_FREEDOM = 2.0  # tails of difficulty are never heavier
MIN_ACCURACY = 0.02
LOGIT_SCALE = 1.2  # of the logit of accuracy: skill for items of one difficulty differs more than over all
# Prior of the agreement of wrong answers: logit of the share of the most common one, its slope, logarithm of the spread.
AGREEMENT_MEANS, AGREEMENT_DEVIATIONS = (1.0, 0.0, 2.0), (2.0, 0.5, 2.0)
N_RARE_ANSWERS = 2  # further wrong answers to an item
_COMMON_SHARES = (np.arange(100) + 0.5) / 100
_DIFFICULTIES = np.linspace(-5.0, 5.0, 41)
_MAX_PARAMETER = 5.0  # deviations from the prior mean


def replace_labels(votes: AnswerVotes) -> Iterator[AnswerVotes]:
    """Yield the votes of a sample of items as if their gold labels were wrong, label by label."""
    labels = np.unique(votes.gold)
    rows = np.arange(0, len(votes.gold), 1 + len(votes.gold) * min(len(labels), MAX_LABELS) // MAX_SAMPLE)
    sample = votes.take(rows)
    if not 2 <= len(labels) <= MAX_LABELS:
        unknown = max(len(votes.answers), int(votes.gold.max(initial=0)) + 1)
        yield sample.replace_gold(np.full(len(rows), unknown))
        return
    for label in labels.tolist():
        others = np.flatnonzero(sample.gold != label)
        if len(others):
            chosen = sample.take(others)
            yield chosen.replace_gold(np.full(len(others), label))


def weigh_vote_shares(votes: AnswerVotes, wrong: Sequence[AnswerVotes]) -> Array | None:
    """Return the log likelihood of the share of wrong labels; None if too few systems answer the same items."""
    is_answered = votes.codes >= 0
    systems = np.flatnonzero(is_answered.sum(axis=1) >= MIN_COVERAGE * len(votes.gold))
    systems = _drop_copies(votes.codes != votes.gold, systems)
    if not votes.gold.size or len(systems) < MIN_SYSTEMS or is_answered[systems].all(axis=0).sum() < MIN_ITEMS:
        return None
    table = _count_items(votes, systems)
    of_wrong = sum((_count_items(each, systems) for each in wrong), np.zeros_like(table))
    if not table[-1].sum():  # items on which all systems are right are not listed
        of_wrong[-1] = 0.0
    if not of_wrong.sum():
        return None
    outcomes = _list_outcomes(votes, systems)
    common = _follow_agreement(table)
    split = np.stack([1 - common, common], axis=1)

    def curve(parameters: Array) -> Array:
        density = _draw_difficulty(parameters)
        cells = (density / density.sum(axis=-1, keepdims=True) @ outcomes.T)[..., None] * split
        if not table[-1].sum():
            cells[..., -1, :] = 0.0
        cells = cells.reshape(*cells.shape[:-2], -1)
        return np.asarray(cells / cells.sum(axis=-1, keepdims=True))

    return weigh_shares(table.ravel(), (of_wrong / of_wrong.sum()).ravel(), curve, len(DIFFICULTY), MIN_DISPERSION)


def _drop_copies(is_wrong: Array, systems: Array) -> Array:
    """Return the systems without those that are wrong on the same items as an earlier one: they add no evidence."""
    wrong = is_wrong[systems][:, :: 1 + is_wrong.size // MAX_COPY_CELLS].astype(np.float32)
    both, alone = wrong @ wrong.T, wrong.sum(axis=1)
    is_copy = both >= COPY_SHARE * np.maximum(alone[:, None] + alone - both, 1.0)
    kept: list[int] = []
    for system in range(len(systems)):
        if not is_copy[system, kept].any():
            kept.append(system)
    return systems[kept]


def _count_items(votes: AnswerVotes, systems: Array) -> Array:
    """Count items by how many systems give the gold label, and whether the others mostly agree."""
    codes = votes.codes[systems]
    kept = np.flatnonzero((codes >= 0).all(axis=0))
    n_right = (codes[:, kept] == votes.gold[kept]).sum(axis=0)
    n_wrong = len(systems) - n_right
    agrees = (n_wrong > 0) & (votes.n_other[kept] >= COMMON_SHARE * n_wrong)
    cells = n_right * 2 + agrees
    return np.bincount(cells, minlength=2 * (len(systems) + 1)).reshape(-1, 2).astype(float)


def _list_outcomes(votes: AnswerVotes, systems: Array) -> Array:
    """Return the probability of every number of right answers (numbers × difficulties), from the skill of systems."""
    codes = votes.codes[systems]
    right, answered = (codes == votes.gold).sum(axis=1), (codes >= 0).sum(axis=1)
    accuracy = np.clip(right / answered, MIN_ACCURACY, 1 - MIN_ACCURACY)
    logits = np.log(accuracy / (1 - accuracy))
    chances = 1 / (1 + np.exp(-(_DIFFICULTIES + LOGIT_SCALE * (logits - logits.mean())[:, None])))
    outcomes = np.zeros((len(systems) + 1, len(_DIFFICULTIES)))
    outcomes[0] = 1.0
    for number, chance in enumerate(chances):
        outcomes[1 : number + 2] = outcomes[1 : number + 2] * (1 - chance) + outcomes[: number + 1] * chance
        outcomes[0] *= 1 - chance
    return outcomes


def _draw_difficulty(parameters: Array) -> Array:
    """Return the density of difficulty: one peak, and tails as heavy as the items ask for.

    Two peaks would explain wrong labels as items that are hard for all systems.
    """
    means, deviations = np.array(DIFFICULTY).T
    values = means + deviations * np.clip(parameters, -_MAX_PARAMETER, _MAX_PARAMETER)
    place, width, freedom, skew = np.moveaxis(values, -1, 0)[..., None]
    side = np.where(place > _DIFFICULTIES, skew, -skew)
    distance = (_DIFFICULTIES - place) * np.exp(-width - side)
    tails = MIN_FREEDOM + np.exp(freedom)
    log = -(tails + 1) / 2 * np.log1p(distance**2 / tails)
    return np.asarray(np.exp(log - log.max(axis=-1, keepdims=True)))


def _follow_agreement(table: Array) -> Array:
    """Return how often systems that are wrong mostly agree, by the number that is right.

    The share of the most common wrong answer among all wrong answers varies between items (beta-binomial), and may rise
    or fall with the number of systems that are wrong. It is fitted where at least one system is right and two are wrong,
    and continued to items on which all are wrong.
    """
    from scipy.optimize import minimize
    from scipy.special import bdtrc

    n_wrong = len(table) - 1 - np.arange(len(table))
    fitted = (n_wrong >= 2) & (n_wrong < len(table) - 1)
    place = np.log(np.maximum(n_wrong, 2) / 2)
    n_needed = np.ceil(COMMON_SHARE * n_wrong)[:, None]
    rest = (1 - _COMMON_SHARES) / N_RARE_ANSWERS  # of each other wrong answer
    chances = [bdtrc(n_needed - 1, n_wrong[:, None], share) for share in (_COMMON_SHARES, rest)]
    agrees = chances[0] + N_RARE_ANSWERS * chances[1]

    def follow(parameters: Array) -> Array:
        level, slope, log_spread = parameters
        mean = 1 / (1 + np.exp(-np.clip(level + slope * place, -6, 6)))[:, None]
        size = np.exp(np.clip(log_spread, -1, 6))
        log = (mean * size - 1) * np.log(_COMMON_SHARES) + ((1 - mean) * size - 1) * np.log(1 - _COMMON_SHARES)
        density = np.exp(log - log.max(axis=1, keepdims=True))
        return np.asarray((density * agrees).sum(axis=1) / density.sum(axis=1))

    def lose(parameters: Array) -> float:
        chance = np.clip(follow(parameters)[fitted], 1e-9, 1 - 1e-9)
        apart, agree = table[fitted].T
        deviations = (parameters - AGREEMENT_MEANS) / AGREEMENT_DEVIATIONS
        return float(-(agree @ np.log(chance) + apart @ np.log(1 - chance)) + (deviations**2).sum() / 2)

    common = follow(minimize(lose, np.array(AGREEMENT_MEANS), method="BFGS").x)
    common[n_wrong == 1] = 1.0
    common[n_wrong == 0] = 0.0
    return common
