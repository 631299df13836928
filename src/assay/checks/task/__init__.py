"""The check `task`."""
