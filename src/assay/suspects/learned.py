"""Constants learned over datasets with known truth; `python -m benchmarks.suspects learning` writes this file."""

# Weights of the votes of systems.
SKILL_EXPONENT = 5.0  # of the ratio of error rates: how much more votes of better systems count
SCATTER = 0.1  # how much the share of all other answers counts, next to the lead of the best other answer
SHARING_EXPONENT = 2.0  # of the correlation of errors: systems that err together share a vote, others do not

# Bad items on reviewed benchmarks, as a share of all items: those with at least this doubt, and the most in all.
REVIEWED_DOUBTS = (-0.8, -0.6, -0.4, -0.2, 0.0, 0.2, 0.4, 0.6, 0.8, 0.9, 1.0)
REVIEWED_BAD = (0.0333, 0.0301, 0.0282, 0.0262, 0.0249, 0.0236, 0.0219, 0.0193, 0.0145, 0.0117, 0.0029)
MAX_BAD = 0.14
