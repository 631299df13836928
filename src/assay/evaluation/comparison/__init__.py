"""Systems against each other, against baselines, and against a new sample."""
