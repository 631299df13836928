"""Whether a lower value of a metric is better, by its name."""

from __future__ import annotations

import re
from functools import cache

# Names, or their parts between separators, of metrics for which lower is better.
LOWER_IS_BETTER = {
    *("perplexity", "ppl", "loss", "nll", "wer", "cer", "ter", "mer", "error", "errors", "mse", "rmse", "mae", "ece"),
    *("brier", "latency", "runtime", "toxicity", "hallucination", "bpb", "distance", "deviation"),
}
_PHRASES = ("bits_per_byte", "edit_distance", "error_rate", "log_loss", "cross_entropy", "time_to_first_token")
_SEPARATORS = re.compile(r"[^a-z0-9]+")


@cache
def is_lower_better(metric: str) -> bool:
    """Return whether a lower value of a metric is better.

    >>> [is_lower_better(name) for name in ("word_perplexity,none", "WER", "accuracy", "error reduction", "gap ↓")]
    [True, True, False, False, True]
    """
    if "↓" in metric or "↑" in metric:
        return "↓" in metric
    words = [word for word in _SEPARATORS.split(metric.lower()) if word]
    name = "_".join(words)
    if "reduction" in words or "improvement" in words or "free" in words:
        return False
    return bool(LOWER_IS_BETTER & set(words)) or any(phrase in name for phrase in _PHRASES)
