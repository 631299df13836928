"""The check `information`."""
