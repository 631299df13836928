"""Tables as the papers print them, where no file of ../shared/data has them. Numeric facts only."""

from math import nan

# Paper 002, Table 7 (SemEval-2017 B), as printed: TPR_o, TPR_n, TNR_o, TNR_n, F1_o, F1_n, F1.
TABLE_7 = {
    "SimBow": (0.976, 0.842, 0.609, 0.197, 0.604, 0.198, 0.424),
    "LearningToQuestion": (1.000, 1.000, 0.000, 0.000, 0.383, 0.195, 0.312),
    "KeLP": (0.920, 0.632, 0.831, 0.432, 0.746, 0.199, 0.506),
    "Talla": (0.760, 0.763, 0.684, 0.467, 0.548, 0.247, 0.426),
    "Beihang-MSRA": (1.000, 1.000, 0.000, 0.000, 0.383, 0.195, 0.312),
    "NLM_NIH": (0.880, 0.500, 0.841, 0.397, 0.736, 0.154, 0.473),
    "UINSUSKA-TiTech": (0.752, 0.421, 0.858, 0.552, 0.681, 0.164, 0.467),
    "IIT-UHH": (0.704, 0.737, 0.682, 0.403, 0.516, 0.221, 0.390),
    "SCIR-QA": (0.912, 0.842, 0.709, 0.352, 0.641, 0.234, 0.464),
    "FA3L": (0.448, 0.263, 0.861, 0.756, 0.473, 0.160, 0.365),
    "random": (0.552, 0.395, 0.495, 0.521, 0.348, 0.147, 0.280),
}
# Of 880 pairs 163 are positive; rates in steps of 1/125 and 1/38, and as many pairs below the median as above.
SIZES_B = (125, 38, 402, 315)
SIZES_C = (179, 67, 4333, 4221)  # of 8,800 pairs with 246 positives, in the same way
# Paper 004, Table 2, as printed; nan if there is no standard split. The last column is the new sample.
TABLE_2 = {
    "POS tagging": (0.961, 0.962, 0.960, 0.944, 0.927),
    "Probing-WC": (0.520, 0.527, 0.232, 0.250, 0.279),
    "Probing-BShift": (0.800, 0.808, 0.695, 0.706, 0.450),
    "Headline generation": (0.073, 0.095, 0.062, 0.040, 0.069),
    "Quality estimation": (0.502, 0.626, 0.621, 0.711, 0.767),
    "Emoji prediction": (nan, 0.125, 0.196, -0.040, 0.091),
    "News classification": (nan, 0.681, 0.720, 0.634, 0.618),
}
PRINTED_MSE = (0.179, 0.030, 0.015, 0.011)
# Paper 000, Table 2: Spearman's correlation and RMSE of λ_var, then of λ_sva.
REGRESSORS_000 = {
    "knn": (0.77, 2.42, 0.87, 51.21),
    "lightgbm": (0.72, 1.53, 0.87, 32.74),
    "tree": (0.64, 1.73, 0.84, 43.33),
    "svm": (0.68, 2.83, 0.77, 62.44),
}
# Paper 000, Table 3, by ranker and length of lists: NDCG of λ_var and λ_sva, MAP of both.
TABLE_3_000 = {
    ("lightgbm", 7): (97.76, 98.73, 97.01, 99.05),
    ("lightgbm", 5): (96.73, 97.08, 96.56, 98.15),
    ("xgboost", 9): (96.66, 97.13, 92.91, 93.62),
    ("xgboost", 7): (96.74, 97.65, 94.77, 96.11),
    ("xgboost", 5): (95.93, 97.10, 95.49, 98.25),
}
RANKERS_000 = {ranker: row for (ranker, n), row in TABLE_3_000.items() if n == 7}
# Paper 000, Table 4: rows of train, test and development together.
SIZES_000 = {
    "IMDB": 50_000,
    "Yelp": 598_000,
    "QC": 5_952,
    "DPedia": 630_000,
    "CR": 3_994,
    "ATIS": 5_871,
    "SST1": 11_855,
}
SIZES_000 |= {"MR": 10_662, "ADE": 23_516}
