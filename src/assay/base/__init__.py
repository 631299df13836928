"""The base of every other package: errors, marks, JSON of results, registries and entry points."""
