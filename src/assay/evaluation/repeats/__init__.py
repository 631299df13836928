"""Repeats of the same run: variance of items and repeats, pass@k, and the items that a comparison needs."""
