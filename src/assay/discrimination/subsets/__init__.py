"""Which datasets and items are needed: redundancy, the smallest subset that keeps the ranking, proposals."""
