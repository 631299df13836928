"""Columns of a table: which roles they play, and how their cells become text, labels, parts and ids."""
