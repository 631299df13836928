"""Features of data (Xiao et al. 2022), and the profile of a dataset."""

from assay.base.lazy import name_function
from assay.features.dataset_features import HEAVY_FEATURES, INTERACTION_FEATURES, PAPER_FEATURES, measure_features
from assay.features.drift import (
    GradeDrift,
    LabelDrift,
    LabelShift,
    LengthDrift,
    grade_drift,
    label_drift,
    label_set_drift,
    length_drift,
)
from assay.features.labelled_texts import LabelledTexts
from assay.features.measures.lexical import count_distinct_words, load_basic_words
from assay.features.place_shares import label_shares_by_place
from assay.features.profiling.profiles import Profile, profile
from assay.features.registry import FEATURES, FeatureValue

__all__ = [
    "FEATURES",
    "HEAVY_FEATURES",
    "INTERACTION_FEATURES",
    "PAPER_FEATURES",
    "FeatureValue",
    "GradeDrift",
    "LabelDrift",
    "LabelShift",
    "LabelledTexts",
    "LengthDrift",
    "Profile",
    "count_distinct_words",
    "grade_drift",
    "label_drift",
    "label_set_drift",
    "label_shares_by_place",
    "length_drift",
    "load_basic_words",
    "measure_features",
    "profile",
]

name_function(__name__, "profile")
