"""What the page shows of columns before an audit."""

from __future__ import annotations

import polars as pl

from assay.web.work.column_summaries import summarise_column


def test_columns_of_values_numbers_and_texts_are_summarised_as_such():
    values = summarise_column(pl.Series(["b", "a", "b", None, ""]))
    assert (values["about"], values["values"], values["n_empty"]) == ("2 values", [("b", 2), ("a", 1)], 2)
    numbers = summarise_column(pl.Series([str(number / 2) for number in range(100)]))
    assert numbers["about"] == "0 to 49.5; all different"
    assert len(numbers["bars"]) == 16
    texts = summarise_column(pl.Series(["word " * number for number in range(1, 41)] + ["x"]))
    assert texts["about"] == "1 to 200 characters, half up to 100; all different"
    assert summarise_column(pl.Series([None, None], dtype=pl.String))["about"] == "empty"
