"""Whatever the bytes, reading ends in data or in one line."""

from __future__ import annotations

import gzip
import io

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.base.errors import AssayError
from assay.kinds import read

FRAME = pl.DataFrame({"id": ["1", "2", "3"], "text": ["a b", 'c "d"', "é"], "label": ["x", "y", "x"]})


def good(suffix: str) -> bytes:
    sink = io.BytesIO()
    if suffix == ".parquet":
        FRAME.write_parquet(sink)
    elif suffix == ".arrow":
        FRAME.write_ipc(sink)
    elif suffix == ".jsonl":
        FRAME.write_ndjson(sink)
    else:
        FRAME.write_csv(sink, separator="\t" if suffix == ".tsv" else ",")
    return gzip.compress(sink.getvalue()) if suffix.endswith(".gz") else sink.getvalue()


def ends_well(path, content):
    path.write_bytes(content)
    try:
        message = repr(read(path))
    except AssayError as error:
        message = str(error)
    assert message
    assert "\n" not in message


SUFFIXES = [".csv", ".tsv", ".jsonl", ".json", ".parquet", ".arrow", ".csv.gz", ""]


@pytest.mark.parametrize("suffix", SUFFIXES)
@given(content=st.binary(max_size=200) | st.text('{}[]":,\t\n\r\\ua1é', max_size=60).map(str.encode))
@settings(max_examples=40, deadline=None)
def test_any_bytes_end_in_data_or_one_line(tmp_path_factory, suffix, content):
    ends_well(tmp_path_factory.getbasetemp() / f"fuzz{suffix}", content)


@pytest.mark.parametrize("suffix", SUFFIXES)
@given(st.data())
@settings(max_examples=40, deadline=None)
def test_a_good_file_with_a_few_bytes_changed_ends_in_data_or_one_line(tmp_path_factory, suffix, data):
    content = bytearray(good(suffix))
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, len(content) - 1))
        content[place : place + data.draw(st.integers(0, 3))] = data.draw(st.binary(max_size=3))
        content = content or bytearray(b" ")
    ends_well(tmp_path_factory.getbasetemp() / f"mutated{suffix}", bytes(content))
