"""Predictions of systems: files, frames and arrays in; answers aligned with the gold labels out."""
