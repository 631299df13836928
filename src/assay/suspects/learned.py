"""Constants learned over datasets with known truth; `python -m benchmarks.suspects learning` writes this file."""

# Weights of the votes of systems.
SKILL_EXPONENT = 4.0  # of the ratio of error rates: how much more votes of better systems count
SCATTER_SYSTEMS = 4.0  # of n systems, the share of all other answers counts n / (n + this), their lead the rest
SHARING_EXPONENT = 2.0  # of the correlation of errors: systems that err together share a vote, others do not

# Bad items on reviewed benchmarks, as a share of all items: those with at least this doubt, and the most in all.
REVIEWED_DOUBTS = (-0.8, -0.6, -0.4, -0.2, 0.0, 0.2, 0.4, 0.6, 0.8, 0.9, 1.0)
REVIEWED_BAD = (0.0336, 0.0308, 0.0285, 0.0266, 0.0251, 0.0239, 0.0225, 0.0208, 0.0166, 0.0129, 0.00301)
MAX_BAD = 0.14
