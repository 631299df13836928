"""Damage files of every kind that the package reads: each mutant must be read, or refused with one short line."""
