"""The check `discrimination`."""
