"""Cues: cheap features of texts that are tied to a label."""
