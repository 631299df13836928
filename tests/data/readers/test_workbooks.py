"""Small workbooks that stand for many rows, cells, characters or sheets are refused at once."""

from __future__ import annotations

import io
import zipfile

import pytest
from benchmarks.fuzz.data_cases import write_workbook

from assay.base.errors import AssayError
from assay.data import read_table

HEADER = ["system", "RTE", "SST"]
ROWS = [[f"s{number}", str(60 + number), str(70 + number)] for number in range(5)]


def make_workbook(path, *, sheet="", members=None):
    """Write a workbook whose sheet has further XML at its end, and further members."""
    content = write_workbook([HEADER, *ROWS])
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    files["xl/sheet1.xml"] = files["xl/sheet1.xml"].replace(b"</sheetData>", sheet.encode() + b"</sheetData>")
    for name, (old, new) in (members or {}).items():
        files[name] = files[name].replace(old.encode(), new.encode())
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, each in files.items():
            archive.writestr(name, each)
    return path


def check_refused(path, message):
    pytest.importorskip("openpyxl", reason="the extra excel is not installed")
    assert path.stat().st_size < 100_000
    with pytest.raises(AssayError, match=message):
        read_table(path)


@pytest.mark.parametrize(
    ("sheet", "message"),
    [
        ('<row r="99999999999"><c r="A1"><v>1</v></c></row>', "span more rows or columns"),
        ('<row><c r="XFD9"/></row>' * 20_000, "span more rows or columns"),
        ("<row/>" * 2_000_000, "more than 60 times its size"),
        (f"<row><c><v>{'9' * 5000}</v></c></row>", "the workbook cannot be read"),
    ],
    ids=["number of a row", "number of a column", "many rows", "long number"],
)
def test_sheets_that_span_more_than_they_hold_are_refused(tmp_path, sheet, message):
    check_refused(make_workbook(tmp_path / "scores.xlsx", sheet=sheet), message)


def test_a_long_text_that_many_cells_refer_to_is_refused(tmp_path):
    row = '<row><c t="s"><v>0</v></c></row>'
    path = make_workbook(
        tmp_path / "scores.xlsx",
        sheet=row * 20_000,
        members={
            "[Content_Types].xml": (
                "</Types>",
                '<Override PartName="/xl/strings.xml" ContentType="application/'
                'vnd.openxmlformats-officedocument.spreadsheetml.sharedStrings+xml"/></Types>',
            )
        },
    )
    with zipfile.ZipFile(path, "a", zipfile.ZIP_DEFLATED) as archive:
        text = f"<si><t>{'b' * 30_000}</t></si>"
        archive.writestr(
            "xl/strings.xml", f'<sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">{text}</sst>'
        )
    check_refused(path, "unpacks to more than 250 times its size")


def test_many_sheets_that_share_one_part_are_refused(tmp_path):
    sheets = "".join(f'<sheet name="s{number}" sheetId="{number}" r:id="r1"/>' for number in range(2, 2000))
    members = {"xl/workbook.xml": ("</sheets>", f"{sheets}</sheets>")}
    path = make_workbook(tmp_path / "scores.xlsx", sheet="<row><c/></row>" * 20_000, members=members)
    check_refused(path, "the sheets of the workbook repeat each other's parts")


def test_entities_are_refused(tmp_path):
    entity = '<!DOCTYPE x [<!ENTITY e "text">]><worksheet'
    path = make_workbook(tmp_path / "scores.xlsx", members={"xl/sheet1.xml": ("<worksheet", entity)})
    check_refused(path, "defines entities")


def test_dimensions_that_a_sheet_claims_do_not_fill_its_rows(tmp_path):
    pytest.importorskip("openpyxl", reason="the extra excel is not installed")
    claim = '<dimension ref="A1:XFD1048576"/><sheetData>'
    path = make_workbook(tmp_path / "scores.xlsx", members={"xl/sheet1.xml": ("<sheetData>", claim)})
    assert read_table(path).shape == (5, 3)
