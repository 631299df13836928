"""How the parts of a split differ: each measure next to what random splits give."""
