"""Compiled search for the nearest rows, one block of cosines at a time."""

from __future__ import annotations

from assay.base.loops import compile_loop


@compile_loop
def keep_nearest(cosines, first_row, columns, labels, best, nearest):  # type: ignore[no-untyped-def]
    """Update the best cosine and its row, of the same label (0) and of another (1), for each row of the block.

    Equal cosines keep the earlier row. A row is never its own neighbour.
    """
    for place in range(cosines.shape[0]):
        row = first_row + place
        for number in range(columns.size):
            cosine = cosines[place, number]
            if cosine <= best[0, row] and cosine <= best[1, row]:
                continue
            column = columns[number]
            kind = 0 if labels[column] == labels[row] else 1
            if cosine > best[kind, row] and column != row:
                best[kind, row] = cosine
                nearest[kind, row] = column
