"""One row an item: what its losses say."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from assay.information.control import losses
from assay.information.items import pointwise_information, shortcut_solvable, suspected_errors

if TYPE_CHECKING:
    import polars as pl

Array = NDArray[np.float64]


def item_table(
    rows: NDArray[np.int64],
    names: NDArray[np.str_],
    truth: NDArray[np.int64],
    full: Array,
    controls: list[Array],
    null: Array,
) -> pl.DataFrame:
    """Return, for every held-out item in the order of the data, its information and what is suspected of it.

    An item is solvable by shortcuts if one of the controls solves it.
    """
    import polars as pl

    full_loss, control_loss = losses(full, truth), losses(controls[0], truth)
    suspected = suspected_errors(full, truth, null)
    solved = np.any([shortcut_solvable(control, truth, null) for control in controls], axis=0)
    labels = names.tolist()
    table = pl.DataFrame(
        {
            "row": rows,
            "label": [labels[code] for code in truth],
            "predicted": [labels[code] for code in full.argmax(axis=1)],
            "information": pointwise_information(null, full_loss),
            "shortcut_information": pointwise_information(null, control_loss),
            "nll": full_loss,
            "nll_shortcuts": control_loss,
            "shortcut_solvable": solved,
            "suspected_label": [labels[code] if code >= 0 else None for code in suspected],
        },
        schema_overrides={"suspected_label": pl.String},
    )
    return table.sort("row")
