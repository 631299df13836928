"""Files that cannot be read: one line on the page, and the server keeps running."""

from __future__ import annotations

import gzip
import re
import shutil

import pytest

from assay.web.store import VersionStore
from assay.web.uploads import copy_local_file
from assay.web.work.preview import preview_data
from assay.web.work.sources import read_data

ONE = {"depth": "quick", "sections": ["profile"], "seed": "0"}
HOSTILE = '"><script>alert(1)</script>\u202e.csv'


def alert(page: str) -> str:
    return re.search(r'role="alert">(?:<b>[^<]*</b> )?<bdi>(.*?)</bdi>', page, re.S)[1]


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("empty.csv", b"", "empty.csv: the file is empty."),
        ("header.csv", b"text,label\n", "header.csv: the file has a header (text, label) and no rows."),
        ("cut.tsv.gz", gzip.compress(b"text\tlabel\na\tb\n" * 900, mtime=0)[:60], "cut.tsv.gz: the file is cut off"),
        ("fake.gz", b"text,label\na,b\n", "fake.gz: the content is not gzip data"),
        ("image.csv", b"\x89PNG\r\n\x1a\n" + bytes(100), "image.csv: this is a PNG image."),
        ("ragged.csv", b"text,label\na,b\nc\n", "ragged.csv, line 3"),
        ("broken.parquet", b"PAR1 and then nothing", "broken.parquet"),
        ("broken.jsonl", b'{"text": "a"\n', "broken.jsonl"),
        (
            "latin.csv",
            "text,label\ncafé,b\n".encode("latin-1"),
            "latin.csv, line 2: byte 0xe9 at position 14 is not UTF-8",
        ),
    ],
)
def test_unreadable_file_is_named_with_the_reason(tmp_path, name, content, says):
    entry = VersionStore(tmp_path).create()
    (tmp_path / "upload").write_bytes(content)
    copy_local_file(entry, "data", tmp_path / "upload", name)
    preview = preview_data(entry)
    assert says in preview["error"]
    assert str(tmp_path) not in preview["error"]
    assert preview["columns"] == []


def test_page_shows_the_reason_and_no_start_button(client):
    audit = client.create()
    client.upload(audit, "data", "image.csv", b"\x89PNG\r\n\x1a\n" + bytes(100))
    page = client.get(audit)
    assert alert(page) == "image.csv: this is a PNG image."
    assert "Remove the file and add another." in page
    assert "Start the audit" not in page


def test_likely_encoding_is_proposed_and_can_be_chosen(client):
    audit = client.create()
    client.upload(audit, "data", "latin.csv", "text,label\ncafé au lait,b\nthé,c\n".encode("cp1252"))
    page = client.get(audit)
    assert alert(page).endswith("the file looks like cp1252.")
    assert "Choose the encoding below." in page
    assert 'value="cp1252" autocomplete' in page
    assert "No encoding &#39;utf-99&#39;" in client.post(f"{audit}/roles", status=400, encoding="utf-99")
    client.post(f"{audit}/roles", encoding="cp1252")
    assert "<bdi>café au lait</bdi>" in client.get(audit)
    data = read_data(client.server.store.get(audit.rpartition("/")[2]))
    assert data.texts.to_list() == ["café au lait", "thé"]


def test_wide_table_shows_some_columns_and_offers_all(client):
    audit = client.create()
    names = ["label", *(f"c{number}" for number in range(300)), "words"]
    client.upload(audit, "data", "wide.csv", ",".join(names) + "\n" + ",".join(names) + "\n")
    page = client.get(audit)
    assert "The first row of the first 40 columns, of 302" in page
    assert client.columns(audit)["words"] == "301"


def test_ambiguous_label_is_left_to_the_user(client):
    audit = client.create()
    client.upload(audit, "data", "two.csv", "text,stars,sentiment\na,1,x\nb,2,y\n")
    page = client.get(audit)
    assert alert(page) == "two: the label could be sentiment or stars. Its columns: text, stars, sentiment."
    assert client.chosen(audit)["text"] == "text"  # unambiguous roles are already chosen
    assert "Choose the columns below." in page
    columns = client.columns(audit)
    client.post(f"{audit}/roles", text=columns["text"], label=columns["sentiment"], **ONE)
    assert 'role="alert"' not in client.get(audit)


@pytest.fixture(scope="module")
def unstarted(client):
    audit = client.create()
    client.upload(audit, "data", "d.tsv", "id\ttext\tlabel\n1\tgood\ta\n2\tbad\tb\n")
    return audit


def test_failed_run_shows_the_reason_and_can_be_repeated(client, small):
    audit = client.create()
    client.upload(audit, "data", "wrong.tsv", small(12))
    columns = client.columns(audit)
    client.post(f"{audit}/start", text=columns["text"], label=columns["label"], id=columns["label"], **ONE)
    assert client.wait(audit)["status"] == "failed"
    page = client.get(audit)
    assert "duplicate ids in column &#39;label&#39;" in alert(page)
    assert "Start the audit" in page
    assert "failed" in client.get("/")


@pytest.mark.parametrize(
    ("form", "says"),
    [
        ({"text": "", **ONE}, "No text column is chosen"),
        ({"text": "99", **ONE}, "There is no column number &#39;99&#39;"),
        ({"text": "1", **ONE, "seed": "-1"}, "The seed is &#39;-1&#39;"),
        ({"text": "1", **ONE, "seed": "9" * 5_000}, "The seed is &#39;99999999999999999999&#39;"),
        ({"text": "9" * 5_000, **ONE}, "There is no column number &#39;99999999999999999999&#39;"),
        ({"text": "1", **ONE, "sections": ["profil"]}, "Did you mean &#39;profile&#39;?"),
        ({"text": "1", "depth": "quick"}, "No section is chosen"),
    ],
)
def test_invalid_form_is_refused(client, unstarted, form, says):
    assert says in client.post(f"{unstarted}/start", status=400, **form)
    assert client.state(unstarted)["status"] == "new"


@pytest.mark.parametrize(
    "content",
    [
        "",
        "{",
        "[]",
        "null",
        "{}",
        '{"files": 3}',
        '{"files": [3]}',
        '{"files": [{}], "name": []}',
        '{"created": {}}',
        '{"name": 7, "roles": 7, "options": 7, "started": []}',
        "[" * 5_000,
        '{"a":' * 5_000,
    ],
)
def test_a_damaged_entry_leaves_the_list_and_the_others(client, small, content):
    whole, damaged = client.create(), client.create()
    client.upload(whole, "data", "whole.tsv", small(12))
    folder = client.server.store.folder / damaged.rpartition("/")[2]
    (folder / "entry.json").write_text(content, encoding="utf-8")
    assert "whole.tsv" in client.get("/")
    answer, page = client.ask("GET", damaged, headers={"Cookie": f"{client.server.cookie}={client.server.token}"})
    assert answer.status in (200, 404, 400)
    assert b"Traceback" not in page
    shutil.rmtree(folder)


def test_hostile_names_columns_and_cells_are_escaped(client):
    audit = client.create()
    nasty = "<img src=x onerror=alert(1)>"
    client.upload(audit, "data", HOSTILE, f"text,label,{nasty}\n{nasty},a,{nasty}\nb\x01\u202e,b,c\n")
    for path in (audit, "/"):
        page = client.get(path)
        assert page.count("<script") == page.count('<script src="/static/') == 2
        assert "<img" not in page
        assert "\u202e" not in page
    assert "&lt;img src=x onerror=alert(1)&gt;" in client.get(audit)


def test_audit_without_data_asks_for_it(client):
    audit = client.create()
    assert "Add files" in client.get(audit)
    client.post(f"{audit}/start", **ONE)
    client.wait(audit)
    assert alert(client.get(audit)) == "There is no data yet. Choose a data file."
