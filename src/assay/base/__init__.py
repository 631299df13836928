"""What every other package builds on: errors, marks, JSON of results, registries and entry points."""
