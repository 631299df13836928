"""How much memory a file will need, measured from its metadata before it is read."""
