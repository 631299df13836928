"""Damaged and half-written files: each costs itself, the page says so, and nothing else is lost."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys

import polars as pl
import pytest

from assay.web.damage import LISTED, LOSSES, find_damage
from assay.web.decisions import ItemDecision, load_decisions, save_decisions
from assay.web.store import Version, VersionStore

TABS = (
    "",
    "/findings",
    "/items",
    "/review",
    "/items/0",
    "/items?q=goal&wrong=0",
    "/sections",
    "/systems",
    "/compare",
    "/files",
)
TABS += ("/splits", "/tools", "/state", "/partial", "/output/report.html")
CONTENTS = {"cut": None, "empty": b"", "other": b'{"items": 3, "status": 3, "sections": 3, "error": 3}', "list": b"[]"}


@pytest.fixture
def damaged(client, audit):
    """Return a copy of a finished audit to damage: its address and its folder."""
    source = client.server.store.folder / audit.rpartition("/")[2]
    folder = source.with_name(source.name[:-6] + os.urandom(3).hex())
    shutil.copytree(source, folder)
    version = Version(folder)
    version.update(dataset=f"copy {folder.name}", number=1)
    save_decisions(version, {"i1": ItemDecision("drop")})
    version.write("repair.json", {"error": None, "n_before": 80, "n_after": 79, "n_dropped": 1, "n_relabelled": 0})
    version.write("applied.json", {"error": None})
    item = {"id": "i1", "batch": 1, "draw_probability": 0.5, "texts": {}, "options": []}
    version.write("review.json", {"items": [item], "size": 1, "seed": 0, "labels": [], "notes": [], "error": None})
    version.write("verdicts.json", {"items": {}})
    yield f"/versions/{folder.name}", folder
    shutil.rmtree(folder)


def get(client, path):
    answer, page = client.ask("GET", path, headers={"Cookie": f"{client.server.cookie}={client.server.token}"})
    return answer.status, page.decode()


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("answers.arrow", pl.concat_list("answer-0").alias("answer-0")),
        ("answers.arrow", pl.lit("x").alias("score-0")),
        ("browse.arrow", pl.lit(10**9, pl.UInt32).alias("order suspicion")),
        ("browse.arrow", pl.lit(b"x").alias("text")),
        ("browse.arrow", pl.lit("x").alias("suspicion")),
        ("flagged.arrow", pl.lit("x").alias("rows")),
        ("blocks.arrow", pl.lit(1).alias("search")),
    ],
)
def test_a_table_with_other_types_is_damaged(client, damaged, name, change):
    address, folder = damaged
    frame = pl.read_ipc((folder / name).read_bytes()).with_columns(change)
    frame.write_ipc(folder / name, compression="uncompressed")
    assert [damage.file for damage in find_damage(folder)] == [name]
    for tab in (*TABS, "/items?proposal=keep&sort=suspicion"):
        assert get(client, address + tab)[0] in (200, 404), tab


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("outcome.json", {"items": {"keep": [0]}}),
        ("outcome.json", {"items": {"keep": 60}}),
        ("outcome.json", {"sections": {"profile": 1}}),
        ("browse.json", {"label": [["a", 1, 2], ["b"], "c"]}),
    ],
)
def test_values_of_another_type_end_no_page(client, damaged, name, change):
    address, folder = damaged
    (folder / name).write_text(json.dumps(json.loads((folder / name).read_text()) | change))
    for tab in ("", "/items"):
        assert get(client, address + tab)[0] in (200, 404)


def test_huge_numbers_in_the_progress_are_damage(client, damaged):
    address, folder = damaged
    (folder / "progress.json").write_text('{"section": "writing", "share": ' + "9" * 400 + ', "start": 1.0}')
    assert get(client, f"{address}/state")[0] == 200


@pytest.mark.parametrize("size", [["x", 1], None])
def test_a_file_of_another_type_in_the_record_is_left_out(client, damaged, size):
    address, folder = damaged
    record = json.loads((folder / "entry.json").read_text())
    for file in record["files"]:
        file["bytes"] = size
    (folder / "entry.json").write_text(json.dumps(record))
    assert get(client, f"{address}/files")[0] == 200


def test_sections_of_another_type_in_the_progress_are_left_out(client, damaged):
    address, folder = damaged
    progress = {"section": "writing", "share": 1.0, "start": 1.0, "sections": [[[]], "profile"]}
    (folder / "progress.json").write_text(json.dumps(progress))
    assert get(client, f"{address}/state")[0] == 200


def test_texts_that_are_not_utf_8_are_damage(client, damaged):
    address, folder = damaged
    path = folder / "browse.arrow"
    texts = pl.read_ipc(path.read_bytes())["search"]
    path.write_bytes(path.read_bytes().replace(texts[0].encode(), b"\xff" * len(texts[0].encode())))
    assert [damage.file for damage in find_damage(folder)] == ["browse.arrow"]
    assert get(client, f"{address}/items")[0] in (200, 404)


@pytest.mark.parametrize("name", [name for name in LOSSES if name != "suppressed.json"])
@pytest.mark.parametrize("content", CONTENTS.values(), ids=CONTENTS)
def test_a_damaged_file_is_named_on_the_page_and_no_page_fails(client, damaged, name, content):
    address, folder = damaged
    path = folder / name
    assert path.is_file()
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2] if content is None else content)
    names = [damage.file for damage in find_damage(folder)]
    assert names in ([name], [])  # another object can be a valid record
    assert names or content == CONTENTS["other"]
    for tab in TABS:
        status, page = get(client, address + tab)
        assert status in (200, 404), (tab, page)
        if names and "data-token" in page and status == 200:  # one of our pages, not the report
            assert f"<code>{name}</code> is damaged" in page
    assert f"/versions/{folder.name}" in client.get("/")
    assert not {*names} & {*LISTED} or f"<code>{name}</code> is damaged" in client.get("/")


def test_a_version_with_a_damaged_record_stays_listed_and_can_be_deleted(client, small):
    address = client.create()
    client.upload(address, "data", "reviews.tsv", small(12))
    folder = client.server.store.folder / address.rpartition("/")[2]
    for break_record in (lambda path: path.write_text('{"files": ['), lambda path: path.unlink()):
        break_record(folder / "entry.json")
        assert address in client.get("/")
        page = client.get(address)
        assert "<code>entry.json</code> is damaged" in page
        assert "Put it back from a backup. Or delete this version." in page
        assert "file-1-" in page  # what is still there
        client.upload(address, "data", "more.tsv", small(12), status=409)
    client.post(f"{address}/delete")
    assert address not in client.get("/")
    assert not folder.exists()


def test_damaged_suppressions_are_named_and_kept(client, damaged):
    address, folder = damaged
    path = folder.parent / "suppressed.json"
    path.write_text('{"copy": [')
    try:
        assert "<code>suppressed.json</code> is damaged" in client.get(f"{address}/findings")
    finally:
        path.unlink()


def test_damaged_decisions_are_kept_when_new_ones_are_written(damaged):
    _, folder = damaged
    (folder / "decisions.json").write_text('{"items": {"i1": ["dr')
    save_decisions(Version(folder), {"i2": ItemDecision("keep")})
    assert load_decisions(Version(folder)) == {"i2": ItemDecision("keep")}
    assert (folder / "decisions.json.damaged").read_text() == '{"items": {"i1": ["dr'


def test_a_damaged_run_of_a_tool_is_shown(client, damaged):
    address, folder = damaged
    run = folder / "runs" / folder.name
    run.mkdir(parents=True)
    for name, content in (("run.json", '{"title": "sp'), ("compare.json", '{"result": {"a": 3}}')):
        (run / name).write_text(content)
    for path in (f"{address}/tools", f"{address}/splits", f"{address}/runs/{run.name}"):
        client.get(path)


KILLED = """
import asyncio, os, sys
from pathlib import Path
from assay.web.store import Version
from assay.web.uploads import receive_upload

async def send():
    yield b"half"
    os.kill(os.getpid(), 9)

asyncio.run(receive_upload(Version(Path(sys.argv[1])), "data", "a.tsv", send(), 1000))
"""


@pytest.mark.skipif(os.name != "posix", reason="processes are killed by signals only on Unix")
def test_the_file_of_a_killed_upload_is_removed_at_the_next_start(tmp_path):
    version = VersionStore(tmp_path).create()
    subprocess.run([sys.executable, "-c", KILLED, str(version.folder)], check=False, timeout=120)
    assert len(list(version.folder.iterdir())) == 2
    VersionStore(tmp_path)
    assert [path.name for path in version.folder.iterdir()] == ["entry.json"]


def test_an_empty_folder_is_not_a_version(tmp_path):
    store = VersionStore(tmp_path)
    version = store.create()
    (version.folder / "entry.json").unlink()
    assert store.versions() == []


def test_outputs_of_an_audit_are_written_together(tmp_path, monkeypatch, small):
    from assay.web.uploads import copy_local_file
    from assay.web.work.audit_run import run_audit
    from assay.web.work.cancellation import CancellationWatch

    def fail(*_):
        raise OSError(28, "No space left on device")

    version = VersionStore(tmp_path / "store").create(options={"sections": ["profile"]})
    (tmp_path / "data.tsv").write_text(small(12))
    copy_local_file(version, "data", tmp_path / "data.tsv")
    monkeypatch.setattr("assay.report.write_card", fail)
    monkeypatch.setattr(CancellationWatch, "start", lambda _: None)
    run_audit(version, CancellationWatch())
    assert version.read("outcome.json")["status"] == "failed"
    assert not version.has_result
    assert json.loads((version.folder / "progress.json").read_text())["section"] == "writing"
    assert version.outputs() == {}
