"""Commands about data: description, parts, contamination, conversion."""
