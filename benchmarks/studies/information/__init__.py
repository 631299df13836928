"""Checks of task-specific information: toy data, training size, and an estimator that fails."""
