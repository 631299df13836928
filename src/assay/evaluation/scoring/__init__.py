"""Scores of systems with intervals: predictions as arrays, the metrics that apply, and each class on its own."""
