"""The check `model`."""
