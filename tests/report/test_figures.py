from __future__ import annotations

import pytest
from tests.example_audit import make_audit

from assay.base.errors import AssayError
from assay.report import write_figures
from assay.report.charts import CHARTS


def test_every_chart_is_saved_as_svg_and_png(audit, tmp_path):
    paths = write_figures(audit, tmp_path / "new" / "folder")
    assert {path.name for path in paths} == {f"{name}.{kind}" for name in CHARTS for kind in ("svg", "png")}
    for path in paths:
        head = path.read_bytes()[:8]
        assert head.startswith(b"<svg") if path.suffix == ".svg" else head == b"\x89PNG\r\n\x1a\n"


def test_private_figures_leave_out_words_of_the_texts(tmp_path):
    names = {path.stem for path in write_figures(make_audit(private=True), tmp_path)}
    assert names == {name for name, chart in CHARTS.items() if not chart.shows_words}


def test_a_folder_that_cannot_be_created_is_an_error(audit, tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(AssayError, match="cannot be created"):
        write_figures(audit, tmp_path / "file" / "folder")
