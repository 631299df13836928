"""The check `splits`."""
