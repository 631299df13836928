"""The check `leaderboard`."""
