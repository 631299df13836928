from __future__ import annotations

import pytest

from assay.errors import AssayError
from assay.tasks import TaskCache, default_cache


def test_what_is_saved_is_loaded(tmp_path):
    cache = TaskCache(tmp_path / "a" / "b")
    cache.save("ab12", {"x": [1.5, None]})
    assert cache.load("ab12") == (True, {"x": [1.5, None]})
    assert cache.load("ffff") == (False, None)


def test_the_users_cache_folder_can_be_chosen(monkeypatch, tmp_path):
    monkeypatch.setenv("ASSAY_CACHE", str(tmp_path))
    assert default_cache() == tmp_path


def test_a_result_that_cannot_be_written_leaves_nothing(tmp_path):
    cache = TaskCache(tmp_path)
    with pytest.raises(Exception, match="pickle"):
        cache.save("ab12", lambda: None)
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]


def test_a_folder_that_cannot_be_made_is_an_error(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(AssayError, match="cannot keep finished tasks there"):
        TaskCache(tmp_path / "file" / "kept")
