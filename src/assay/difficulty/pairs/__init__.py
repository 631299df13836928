"""Pairs of texts: lexical divergence, obvious and non-obvious cases, annotators (Peinelt et al. 2019)."""

from assay.difficulty.pairs.annotators import CaseComparison, compare_agreement, compare_time
from assay.difficulty.pairs.cases import CASES, PairCases, PartCases, assign_cases, assign_cases_by_label
from assay.difficulty.pairs.dataset import PairDifficulty, pair_difficulty
from assay.difficulty.pairs.graded import (
    GradedSimilarity,
    OptionSimilarity,
    SimilarityGroup,
    measure_similarity,
    rate_options,
    relate_similarity,
)
from assay.difficulty.pairs.measures import MEASURES, SIMILARITIES, dice, jaccard, jensen_shannon

__all__ = [
    "CASES",
    "MEASURES",
    "SIMILARITIES",
    "CaseComparison",
    "GradedSimilarity",
    "OptionSimilarity",
    "PairCases",
    "PairDifficulty",
    "PartCases",
    "SimilarityGroup",
    "assign_cases",
    "assign_cases_by_label",
    "compare_agreement",
    "compare_time",
    "dice",
    "jaccard",
    "jensen_shannon",
    "measure_similarity",
    "pair_difficulty",
    "rate_options",
    "relate_similarity",
]
