"""Which items are hard: lexical divergence, obvious and non-obvious cases, nearest texts (paper 002)."""

from __future__ import annotations

from assay.difficulty.agreement import CaseAgreement, agreement_by_case, fleiss_kappa, time_by_case
from assay.difficulty.cases import CASES, Obviousness, PartCases, obviousness, obviousness_by_label
from assay.difficulty.distribution import Distribution, distribution, distributions
from assay.difficulty.divergence import jensen_shannon
from assay.difficulty.guesser import guesser_map
from assay.difficulty.measures import MEASURES, SIMILARITIES
from assay.difficulty.neighbours import Neighbours, nearest_texts
from assay.difficulty.pairs import PairDifficulty, pair_difficulty
from assay.difficulty.positive import Polarity, polarity, positives, usual_positive
from assay.difficulty.rates import CaseRates, case_rates, guesser_rates
from assay.difficulty.similarity import dice, jaccard
from assay.difficulty.systems import GUESSER, SystemOnCases, SystemOnTexts, systems_on_cases, systems_on_texts
from assay.difficulty.texts import TextDifficulty, text_difficulty

__all__ = [
    "CASES",
    "GUESSER",
    "MEASURES",
    "SIMILARITIES",
    "CaseAgreement",
    "CaseRates",
    "Distribution",
    "Neighbours",
    "Obviousness",
    "PairDifficulty",
    "PartCases",
    "Polarity",
    "SystemOnCases",
    "SystemOnTexts",
    "TextDifficulty",
    "agreement_by_case",
    "case_rates",
    "dice",
    "distribution",
    "distributions",
    "fleiss_kappa",
    "guesser_map",
    "guesser_rates",
    "jaccard",
    "jensen_shannon",
    "nearest_texts",
    "obviousness",
    "obviousness_by_label",
    "pair_difficulty",
    "polarity",
    "positives",
    "systems_on_cases",
    "systems_on_texts",
    "text_difficulty",
    "time_by_case",
    "usual_positive",
]
