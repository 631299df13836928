"""Scores of models under families of splits, on a new sample, and by the age of the training data."""
