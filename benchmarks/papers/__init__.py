"""What the five papers print, row by row, and what this package finds: the tables of docs/reproductions.md."""
