"""The check `votes`."""
