"""The check `profile`."""
