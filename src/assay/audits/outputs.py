"""The files an audit leaves: its items, and the folds it recommends."""

from __future__ import annotations

import io
from pathlib import Path

import polars as pl

from assay.base.errors import AssayError, UsageError
from assay.data import Dataset
from assay.system.files import open_for_writing, write_bytes

_BREAKS = r"[\t\n\r\x00-\x1f\x7f\x{85}\x{2028}\x{2029}]+"


def write_items(path: str | Path, items: pl.DataFrame) -> None:
    """Write the table of items as Parquet or TSV, by the name's ending."""
    suffix = Path(path).suffix.lower()
    if suffix == ".parquet":
        content = io.BytesIO()
        items.write_parquet(content)
        write_bytes(path, content.getvalue())
    elif suffix in (".tsv", ".txt"):
        flat = items.with_columns(pl.col(pl.String).str.replace_all(_BREAKS, " "))  # a TSV cell has no breaks
        with open_for_writing(path) as file:
            file.write(flat.write_csv(separator="\t", quote_style="never", null_value=""))
    else:
        raise UsageError(f"items are written as .parquet or .tsv, not '{suffix}'.", place=path)


def write_recommended_folds(path: str | Path, data: Dataset, random_state: int = 0) -> str:
    """Write the folds to score systems under, and say what they are.

    Clusters of texts that keep the label shares (SDS K-means, Wecker et al. 2020), with duplicates kept together;
    stratified random folds if that is not possible.
    """
    from assay.splits import split
    from assay.splits.base import DEFAULT_FOLDS

    data = data.fill_texts()
    reason = ""
    for method in ("sds-k-means", "stratified"):
        try:
            result = split(
                data, method, n_splits=DEFAULT_FOLDS, keep_together="duplicates", random_state=random_state, n_jobs=-1
            )
        except AssayError as error:
            reason = f" ({method} was not possible: {str(error).rstrip('.')})"
            continue
        result.write_folds(path)
        return f"{path}: {DEFAULT_FOLDS} {method} folds, duplicates kept together{reason}."
    raise AssayError(f"No folds can be recommended{reason}.")
