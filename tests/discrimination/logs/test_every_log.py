import pytest

from assay.base.errors import AssayError, UsageError
from assay.discrimination.logs import LOGS, read_logs


def test_every_format_finds_nothing_in_an_empty_folder(tmp_path):
    assert all(module.find(tmp_path) == [] for module in LOGS.values())


def test_a_folder_without_logs_lists_the_formats(tmp_path):
    with pytest.raises(AssayError, match="no logs found; known are lm-evaluation-harness, inspect"):
        read_logs(tmp_path)


def test_a_missing_folder_is_an_error(tmp_path):
    with pytest.raises(AssayError, match="no such file or folder"):
        read_logs(tmp_path / "nowhere")


def test_an_unknown_format_has_a_hint(tmp_path):
    with pytest.raises(UsageError, match="Did you mean 'inspect'"):
        read_logs(tmp_path, "inspct")
