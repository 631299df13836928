"""Compiled loops over the bytes and the word numbers of texts."""
