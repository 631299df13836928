"""Items: analysis, negative discrimination, item response model, reliability, votes against the gold label."""

from assay.discrimination.items.failures import map_outcomes, measure_shared_failures

__all__ = ["map_outcomes", "measure_shared_failures"]
