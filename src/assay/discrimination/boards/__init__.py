"""Measures of a leaderboard beyond λ and ranks: agreement, dimensions, prediction, one scale, items, cost."""
