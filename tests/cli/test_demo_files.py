"""`assay demo --files` copies the bundled data, so that the examples of the documentation run in any folder."""

from __future__ import annotations

import pytest

from assay.cli.main import status
from assay.data.bundled import BUNDLED


@pytest.mark.parametrize("name", BUNDLED)
def test_the_files_of_a_benchmark_are_copied(name, tmp_path, capsys):
    assert status(["demo", name, "--files", str(tmp_path / "new" / "folder")]) == 0
    copied = {path.name: path.read_bytes() for path in (tmp_path / "new" / "folder").iterdir()}
    bundled = [BUNDLED[name].find(file) for file in BUNDLED[name].files]
    assert copied == {path.name: path.read_bytes() for path in bundled}
    assert all(path.name in capsys.readouterr().err for path in bundled[:1])


def test_a_folder_that_cannot_be_made_is_an_error(tmp_path, capsys):
    (tmp_path / "file").write_text("")
    assert status(["demo", "--files", str(tmp_path / "file" / "folder")]) == 1
    assert "file" in capsys.readouterr().err
