"""The check `contamination`."""
