from __future__ import annotations

import pickle

import numpy as np
import polars as pl
import pytest

import assay
from assay.statistics import Interval
from assay.tasks import TaskCache, default_cache, run_tasks
from assay.tasks.storage import MAGIC, decode_entry, encode_entry

VALUES = [
    None,
    {"x": [1.5, None, "é"], 3: (True, frozenset({"a", "b"}))},
    Interval(0.5, 0.25, float("nan"), method="wilson"),
    np.float64(0.5),
    np.array(["a", None, "b"], dtype=object),
    np.array([["ab", "c"]]),
    np.zeros((0, 3)),
    pl.DataFrame({"id": ["a", "b"], "n": [1, None]}),
    pl.Series("s", ["x", None]),
]


def test_what_is_saved_is_loaded(tmp_path):
    cache = TaskCache(tmp_path / "a" / "b")
    cache.save("ab12", {"x": [1.5, None]})
    assert cache.load("ab12") == (True, {"x": [1.5, None]})
    assert cache.load("ffff") == (False, None)


@pytest.mark.parametrize("value", VALUES, ids=lambda value: type(value).__name__)
def test_every_kind_of_value_survives(value):
    restored = decode_entry(encode_entry(value))
    assert type(restored) is type(value)
    assert repr(restored) == repr(value)


@pytest.mark.parametrize("dtype", ["bool", "int8", "int64", "uint64", "float32", "float64"])
def test_arrays_keep_type_shape_and_values(dtype):
    array = np.arange(12).reshape(3, 4).astype(dtype)
    restored = decode_entry(encode_entry({"a": array[:, ::2]}))["a"]
    assert restored.dtype == array.dtype
    np.testing.assert_array_equal(restored, array[:, ::2])


def test_every_flipped_byte_is_noticed(tmp_path):
    cache = TaskCache(tmp_path)
    cache.save("ab12", {"x": np.arange(5), "y": "text"})
    path = next(path for path in tmp_path.rglob("*.entry"))
    content = path.read_bytes()
    for at in range(len(content)):
        path.write_bytes(content[:at] + bytes([content[at] ^ 1]) + content[at + 1 :])
        assert cache.load("ab12") == (False, None)


class Exploit:
    def __reduce__(self):
        return exec, ("raise SystemExit('code from a cache entry ran')",)


def test_an_entry_of_another_format_is_never_unpickled(tmp_path):
    cache = TaskCache(tmp_path)
    cache.save("ab12", 1)
    path = next(path for path in tmp_path.rglob("*.entry"))
    for content in (pickle.dumps(Exploit()), MAGIC + pickle.dumps(Exploit())):
        path.write_bytes(content)
        assert cache.load("ab12") == (False, None)


@pytest.mark.parametrize(
    "name", ["os:system", "assay.tasks.storage:decode_entry", "assay.cli.main:main", "builtins:eval"]
)
def test_only_dataclasses_of_this_package_are_rebuilt(name):
    content = encode_entry(Interval(0.5, 0.2, 0.8))
    original = "assay.views.values:Interval"
    assert original.encode() in content
    forged = decode_tree(content)
    forged["class"] = name
    with pytest.raises(ValueError, match="not allowed"):
        decode_entry(encode_tree(forged))


def decode_tree(content: bytes):
    import json

    return json.loads(content[len(MAGIC) + 40 :])


def encode_tree(tree) -> bytes:
    import hashlib
    import json

    body = json.dumps(tree).encode()
    return MAGIC + hashlib.blake2b(body, digest_size=32).digest() + len(body).to_bytes(8, "little") + body


def test_a_value_that_cannot_be_kept_is_an_error_and_leaves_nothing(tmp_path):
    cache = TaskCache(tmp_path)
    for value in (lambda: None, object(), np.array([1j])):
        with pytest.raises(TypeError, match="cannot be kept"):
            cache.save("ab12", value)
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]


def test_a_full_disk_loses_the_entry_and_nothing_else(tmp_path, monkeypatch):
    cache = TaskCache(tmp_path)

    def fail(*_, **__):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("assay.system.files.os.open", fail)
    cache.save("ab12", 1)
    assert cache.problem.startswith(f"Finished tasks cannot be kept in {tmp_path}: No space left on device.")
    assert cache.load("ab12") == (False, None)


def test_the_users_cache_folder_can_be_chosen(monkeypatch, tmp_path):
    monkeypatch.setenv("ASSAY_CACHE", str(tmp_path))
    assert default_cache() == tmp_path


def test_work_goes_on_without_a_folder_and_says_so_once(tmp_path, caplog):
    (tmp_path / "file").write_text("")
    folder = tmp_path / "file" / "kept"
    for _ in range(2):
        assert run_tasks(max, [(1, 5), (7, 2)], cache=folder) == [5, 7]
    assert caplog.messages == [f"Finished tasks cannot be kept in {folder}: Not a directory. The work goes on without."]


def test_profile_and_audit_go_on_without_a_cache(tmp_path, caplog):
    (tmp_path / "file").write_text("")
    (tmp_path / "data.tsv").write_text("id\ttext\tlabel\n" + "".join(f"{n}\tword w{n}\t{n % 2}\n" for n in range(20)))
    cache = tmp_path / "file" / "kept"
    assert assay.profile(tmp_path / "data.tsv", out_of_core=True, cache=cache).n_items == 20
    assert assay.audit(tmp_path / "data.tsv", only=["profile"], cache=cache).data.rows == 20
    assert all("cannot be kept" in message for message in caplog.messages)
    assert len(caplog.messages) == 2  # one per folder
