"""The check `forecast`."""
