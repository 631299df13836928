"""How people read values: numbers, names, characters and parts of sentences."""
