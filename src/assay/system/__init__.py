"""The machine: files, JSON of others, limits of memory, processes and terminals."""
