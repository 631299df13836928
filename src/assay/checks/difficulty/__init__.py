"""The check `difficulty`."""
