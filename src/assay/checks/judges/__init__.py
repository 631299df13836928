"""The check `judges`."""
