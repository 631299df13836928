"""Timings, each against the obvious way, side by side in one run."""
