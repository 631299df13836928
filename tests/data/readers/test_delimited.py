"""CSV and TSV as people really write them."""

from __future__ import annotations

import csv

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.base.errors import AssayError, UsageError
from assay.data import read_table
from assay.kinds import read


@pytest.fixture
def write(tmp_path):
    def write(name, content):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_line_ends_do_not_matter(write, end):
    assert read(write("x.csv", end.join(["text,label", "a,b", "c,d", ""]))).texts.to_list() == ["a", "c"]


def test_a_byte_order_mark_is_not_a_part_of_the_first_name(write):
    assert read_table(write("x.csv", b"\xef\xbb\xbftext,label\na,b\n")).columns == ["text", "label"]


def test_names_are_stripped_and_blank_lines_skipped(write):
    assert read_table(write("x.csv", "\n text , label \n\na,b\n\n")).to_dicts() == [{"text": "a", "label": "b"}]


def test_quoted_cells_may_hold_separators_quotes_and_line_breaks(write):
    path = write("x.csv", 'text,label\n"a, ""b""\nc",d\n5" nails,e\n')
    assert read(path).texts.to_list() == ['a, "b"\nc', '5" nails']


def test_tsv_is_read_unquoted_and_says_that_quotes_are_kept(write):
    data = read(write("x.tsv", 'text\tlabel\n"a ""b"""\tc\n'))
    assert data.texts.to_list() == ['"a ""b"""']
    assert any("keep their quotes" in note for note in data.notes)


def test_tsv_is_read_quoted_where_only_then_its_rows_have_equal_length(write):
    data = read(write("x.tsv", 'text\tlabel\n"a\tb"\tc\n"d\ne"\tf\n'))
    assert data.texts.to_list() == ["a\tb", "d\ne"]
    assert any("quoted" in note for note in data.notes)


def test_quoting_can_be_chosen(write):
    path = write("x.tsv", 'text\tlabel\n"a"\tb\n')
    assert read(path, quoting="double").texts.to_list() == ["a"]
    assert read(path, quoting="none").texts.to_list() == ['"a"']
    with pytest.raises(UsageError, match=r"No quoting 'single'. Known: auto, double, none"):
        read(path, quoting="single")


def test_tab_and_semicolon_separate_where_the_header_has_no_comma(write):
    assert read(write("x.csv", "text;label\na, b;c\n")).texts.to_list() == ["a, b"]
    assert read(write("y.csv", "text\tlabel\na\tc\n")).texts.to_list() == ["a"]


def test_a_separator_at_the_end_of_the_header_is_ignored(write):
    assert read_table(write("x.csv", "text,label,\na,b,\n")).columns == ["text", "label"]
    assert read_table(write("y.csv", "text,label,\na,b\nc,d\n")).rows() == [("a", "b"), ("c", "d")]


def test_a_nameless_column_with_content_is_named_by_its_position(write):
    assert read_table(write("x.csv", ",text\n0,a\n")).columns == ["column 1", "text"]


def test_a_repeated_name_is_an_error(write):
    with pytest.raises(AssayError, match="the header names 'text' more than once"):
        read(write("x.csv", "text,text\na,b\n"))


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("3,only", r"line 4: 2 fields, the header has 3 \(id, text, label\). Is a quote missing\?"),
        ("3,a,b,c", "line 4: 4 fields"),
        ('3,"a\nb",c,d', "line 4: 4 fields"),
        ('3,"open,x\n4,a,b', "line 4: 2 fields"),
    ],
)
def test_a_ragged_row_is_named_by_its_line(write, row, message):
    with pytest.raises(AssayError, match=f"reviews.csv, {message}"):
        read(write("reviews.csv", f"id,text,label\n1,a,x\n2,b,y\n{row}\n5,e,z\n"))


def test_lines_are_counted_through_quoted_line_breaks_and_blank_lines(write):
    with pytest.raises(AssayError, match="line 7: 1 field, the header has 2"):
        read(write("x.csv", 'text,label\n"a\nb",c\n\nd,e\n\nf\n'))
    with pytest.raises(AssayError, match="line 4: 1 field, the header has 2"):
        read(write("x.tsv", "text\tlabel\nd\te\n\nf\n"))


def test_a_ragged_row_of_tsv_is_named_by_its_line(write):
    with pytest.raises(AssayError, match=r"x.tsv, line 3: 3 fields, the header has 2 \(text, label\)"):
        read(write("x.tsv", "text\tlabel\na\tb\nc\td\te\n"))


def test_a_quote_that_never_closes_is_an_error(write):
    with pytest.raises(AssayError, match=r"line 3: a quote opens and never closes. Is a quote missing"):
        read(write("x.csv", 'text,label\na,b\nc,"d\ne,f\n'))


def test_a_last_cell_with_a_line_break_is_not_an_open_quote(write):
    assert read_table(write("x.csv", 'text,label\na,"b\nc ""q"""\n'))["label"].to_list() == ['b\nc "q"']


@given(st.lists(st.tuples(*[st.text("ab,\"'\n \t;é", max_size=6)] * 2), min_size=1, max_size=6))
@settings(max_examples=150, deadline=None)
def test_quoted_files_are_read_as_the_csv_module_reads_them(tmp_path_factory, rows):
    path = tmp_path_factory.mktemp("csv") / "x.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([("a", "b"), *rows])
    assert read_table(path).rows() == rows


def test_a_stray_quote_that_joins_rows_is_noted(tmp_path):
    path = tmp_path / "x.csv"
    path.write_text('text,label\na,x\n"b,x\nc,x\n"d,x\ne,x\n', encoding="utf-8")
    data = read(path, text="text")
    assert len(data) == 3
    assert "x.csv: line breaks in 1 cell; if rows are missing, look for a stray quote" in data.notes


def test_a_ragged_table_with_stray_quotes_is_not_read_as_quoted(tmp_path):
    path = tmp_path / "x.tsv"
    path.write_text('text\tlabel\n"Well" said he\tx\nno label\nit is "so\tx\n"And" more\ty\n', encoding="utf-8")
    with pytest.raises(AssayError, match=r"x.tsv, line 3: 1 field, the header has 2"):
        read(path)


def test_a_carriage_return_within_a_row_is_a_readable_error(tmp_path):
    path = tmp_path / "a.csv"
    path.write_bytes(b"id,text,label\n1,one two,x\n2,three\rfour,y\n3,five,x\n")
    with pytest.raises(AssayError, match="fields, the header has 3"):
        read(path)
