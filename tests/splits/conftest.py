"""Drawn examples have no deadline: the first one compiles."""

from hypothesis import settings

settings.register_profile("no deadline", deadline=None)
settings.load_profile("no deadline")
