"""Systems on obvious and non-obvious items."""
