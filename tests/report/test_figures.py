from __future__ import annotations

import re
from xml.sax.saxutils import escape

import pytest
from tests.example_audit import make_audit

from assay.base.errors import AssayError, UsageError
from assay.report import write_figures
from assay.views.charts import CHARTS

HEADS = {".csv": b"", ".svg": b"<svg", ".pdf": b"%PDF", ".png": b"\x89PNG\r\n\x1a\n"}


def test_every_chart_is_saved_with_its_title_as_svg_pdf_and_png_with_its_points(audit, tmp_path):
    paths = write_figures(audit, tmp_path / "new" / "folder")
    assert {path.name for path in paths} == {f"{name}{kind}" for name in CHARTS for kind in HEADS}
    assert all(path.read_bytes().startswith(HEADS[path.suffix]) for path in paths)
    for path in paths:
        if path.suffix == ".svg":
            assert f">{escape(CHARTS[path.stem].title)}<" in path.read_text(encoding="utf-8")


@pytest.mark.parametrize(("width", "inches"), [("single", 3.35), ("double", 7.0)])
def test_figures_have_the_width_of_columns_at_300_dpi(audit, tmp_path, width, inches, monkeypatch):
    monkeypatch.setattr("assay.report.figures.CHARTS", {name: CHARTS[name] for name in ("ranks", "lambdas", "words")})
    paths = write_figures(audit, tmp_path, width)
    assert len(paths) == 12
    for path in paths:
        content = path.read_bytes()
        if path.suffix == ".csv":
            headings, *rows = content.decode().splitlines()
            assert headings.count(",") == len(CHARTS[path.stem].columns) - 1
            assert rows
            continue
        if path.suffix == ".png":
            n_pixels, resolution = int.from_bytes(content[16:20]), content.index(b"pHYs") + 4
            assert n_pixels == pytest.approx(300 * inches, abs=2)
            assert int.from_bytes(content[resolution : resolution + 4]) == pytest.approx(300 / 0.0254, abs=1)
        elif path.suffix == ".svg":
            assert f'width="{inches:g}in"' in content.decode()
        else:
            box = re.search(rb"/MediaBox \[0 0 ([\d.]+)", content)
            assert float(box[1]) == pytest.approx(72 * inches, abs=0.5)


def test_an_unknown_width_is_refused(audit, tmp_path):
    with pytest.raises(UsageError, match="No figure width 'triple'"):
        write_figures(audit, tmp_path, "triple")


def test_private_figures_leave_out_words_of_the_texts(tmp_path):
    names = {path.stem for path in write_figures(make_audit(private=True), tmp_path)}
    assert names == {name for name, chart in CHARTS.items() if not chart.shows_words}


def test_a_folder_that_cannot_be_created_is_an_error(audit, tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(AssayError, match="cannot be created"):
        write_figures(audit, tmp_path / "file" / "folder")
