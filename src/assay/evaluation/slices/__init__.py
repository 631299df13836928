"""Scores on slices of the items: by fold, difficulty, time, part, label, length or any column."""
