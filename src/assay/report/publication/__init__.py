"""Publications with a dataset: a block for its card, Croissant metadata, and a citation."""
