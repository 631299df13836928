"""Who may ask, and what never leaves: hosts, origins, the key, paths, sizes."""

from __future__ import annotations

import http.client
import tracemalloc
from urllib.parse import quote

import pytest

from assay.web.security import check_host, check_key, check_origin, read_host_name
from assay.web.store import Version


def cookie(client):
    return {"Cookie": f"{client.server.cookie}={client.server.token}"}


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "evil.example:8000",
        "[::1].evil.com",
        "[::1]evil.com:8000",
        "[127.0.0.1",
        "::1:x",
        "127.0.0.1.evil.example",
        "a@127.0.0.1",
        "",
    ],
)
def test_foreign_host_names_are_refused(client, host):
    answer, content = client.ask("GET", "/", headers={**cookie(client), "Host": host})
    assert answer.status == 403
    assert b"answers only under its own address" in content


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost:9999", "[::1]:8000", "LOCALHOST"])
def test_own_names_are_accepted_with_any_port(client, host):
    assert client.ask("GET", "/", headers={**cookie(client), "Host": host})[0].status == 200


def test_open_server_accepts_addresses_but_not_names():
    check_host("192.168.1.7:8000", "0.0.0.0")
    with pytest.raises(Exception, match="only under its own address"):
        check_host("evil.example:8000", "0.0.0.0")
    with pytest.raises(Exception, match="only under its own address"):
        check_host("192.168.1.7:8000", "127.0.0.1")
    assert read_host_name("[bad") == ""


def test_pages_need_the_key(client, audit):
    tabs = ("output/report.html", "output/audit.json", "state", "compare", "items", "items/0", "tools", "splits")
    for path in ("/", audit, *(f"{audit}/{tab}" for tab in tabs)):
        for headers in ({}, {"Cookie": f"{client.server.cookie}=wrong"}, {"X-Assay-Token": "é"}):
            answer, content = client.ask("GET", path, headers=headers)
            assert answer.status == 403
            assert b"Open the address that assay serve printed" in content
            assert client.server.token.encode() not in content


def test_printed_address_opens_the_page_and_stores_the_key_in_a_cookie(client):
    path = client.server.address.removeprefix(client.server.origin)
    answer, content = client.ask("GET", path)
    assert answer.status == 200
    kept = answer.getheader("Set-Cookie")
    assert kept.startswith(f"{client.server.cookie}={client.server.token};")
    assert "HttpOnly" in kept
    assert "SameSite=Strict" in kept
    assert b"Audit your data" in content


def test_actions_need_the_token_of_the_page(client, audit):
    form = {"Content-Type": "application/x-www-form-urlencoded", **cookie(client)}
    before = len(client.server.store.versions())
    for path in ("/demo", "/versions", f"{audit}/delete", f"{audit}/start", f"{audit}/files?kind=data&name=x.csv"):
        for body in (b"", b"token=wrong"):
            assert client.ask("POST", path, body, form)[0].status == 403
    assert len(client.server.store.versions()) == before
    assert "Read the report" in client.get(audit)


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://127.0.0.1:1"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
)
def test_pages_of_other_sites_are_refused(client, headers):
    answer, content = client.ask("POST", "/demo", b"", {**client.headers(), **headers})
    assert answer.status == 403
    assert b"another site" in content


def test_key_of_an_earlier_server_is_refused(client, serving):
    with serving(client.server.store.folder) as other:
        assert other.server.token != client.server.token
        headers = {"Cookie": f"{other.server.cookie}={client.server.token}"}
        assert other.ask("GET", "/", headers=headers)[0].status == 403
    with pytest.raises(Exception, match="The key is missing or old"):
        check_key("right", None, "", "wrong")
    check_origin({})


@pytest.mark.parametrize(
    "path",
    [
        "/../../etc/passwd",
        "/static/../server.py",
        "/static/..%2fserver.py",
        "/versions/../../x",
        "/versions/..%2f..%2fx",
        "{audit}/entry.json",
        "{audit}/../entry.json",
        "{audit}/%2e%2e/entry.json",
        "{audit}/output/report.html/..",
        "{audit}/output/entry.json",
        "{audit}/output/..%2fentry.json",
        "{audit}/items/..%2f..%2fentry.json",
        "{audit}/items/99999999999",
        "{audit}/preview.json",
        "//evil.example/x",
    ],
)
def test_paths_outside_the_store_are_not_found(client, audit, path):
    answer, content = client.ask("GET", path.format(audit=audit), headers=cookie(client))
    assert answer.status == 404
    assert b"root:" not in content


@pytest.mark.parametrize("name", ["../../evil.csv", "/etc/passwd", "..", "a\\..\\b.tsv", "x\0.csv", "", "n" * 5000])
def test_upload_names_never_become_paths(client, name):
    audit = client.create()
    client.upload(audit, "data", name, "text,label\na,b\n")
    entry = client.server.store.get(audit.rpartition("/")[2])
    stored = {path.name for path in entry.folder.iterdir()} - {"entry.json"}
    assert len(stored) == 1
    assert stored.pop().startswith("file-1-")
    assert not list(client.server.store.folder.parent.rglob("evil*"))


def test_damaged_record_of_a_file_is_refused(tmp_path):
    with pytest.raises(Exception, match=r"is damaged: '\.\./secret' is not a file of a version"):
        Version(tmp_path).path({"file": "../secret"})


def test_files_over_the_size_limit_are_refused(serving, tmp_path):
    with serving(tmp_path, max_bytes=1000) as client:
        audit = client.create()
        refusal = client.upload(audit, "data", "large.csv", b"x" * 3_000_000, status=413)
        assert refusal["error"] == "The file has 3,000,000 bytes; at most 1,000 are accepted. Use assay audit for it."
        assert "1 KB each" in client.get("/")
        folder = client.server.store.folder / audit.rpartition("/")[2]
        assert [path.name for path in folder.iterdir()] == ["entry.json"]


def test_uploads_are_streamed_and_never_held_in_memory(client):
    audit, n = client.create(), 60_000_000
    line = http.client.HTTPConnection("127.0.0.1", client.server.server_port, timeout=60)
    tracemalloc.start()
    line.putrequest("POST", f"{audit}/files?kind=data&name=large.csv")
    for header, value in {**client.headers(), "Content-Length": str(n)}.items():
        line.putheader(header, value)
    line.endheaders()
    piece = b"x" * 1_000_000
    for _ in range(n // len(piece)):
        line.send(piece)
    assert line.getresponse().status == 201
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    line.close()
    assert peak < 20_000_000
    assert client.server.store.get(audit.rpartition("/")[2]).files()[0]["bytes"] == n
    client.post(f"{audit}/delete")


def test_interrupted_upload_leaves_no_file(client):
    audit = client.create()
    line = http.client.HTTPConnection("127.0.0.1", client.server.server_port, timeout=60)
    line.putrequest("POST", f"{audit}/files?kind=data&name=d.csv")
    for header, value in {**client.headers(), "Content-Length": "1000"}.items():
        line.putheader(header, value)
    line.endheaders()
    line.send(b"text,label\n")
    line.close()
    client.upload(audit, "scores", "s.csv", "system,A\nx,1\n")
    entry = client.server.store.get(audit.rpartition("/")[2])
    assert [file["kind"] for file in entry.files()] == ["scores"]


@pytest.mark.parametrize(
    ("headers", "status"),
    [({"Content-Length": "many"}, 400), ({"Transfer-Encoding": "chunked"}, 400), ({"Content-Length": "-5"}, 400)],
)
def test_bodies_need_a_content_length(client, headers, status):
    line = http.client.HTTPConnection("127.0.0.1", client.server.server_port, timeout=60)
    line.putrequest("POST", "/versions")
    for header, value in {**client.headers(), **headers}.items():
        line.putheader(header, value)
    line.endheaders()
    assert line.getresponse().status == status
    line.close()


def test_forms_have_a_size_limit(client):
    body = b"token=" + quote(client.server.token).encode() + b"&x=" + b"y" * 1_100_000
    kind = {"Content-Type": "application/x-www-form-urlencoded"}
    assert client.ask("POST", "/demo", body, kind)[0].status == 413


def test_only_known_kinds_of_files_and_one_score_table_are_accepted(client):
    audit = client.create()
    assert "No kind of file 'evil'" in client.upload(audit, "evil", "x.csv", "a", status=400)["error"]
    client.upload(audit, "scores", "s.csv", "system,A\nx,1\n")
    assert "Remove it first" in client.upload(audit, "scores", "t.csv", "system,A\nx,1\n", status=400)["error"]


def test_pages_allow_only_our_own_script_and_style(client, audit):
    answer, content = client.ask("GET", audit, headers=cookie(client))
    policy = answer.getheader("Content-Security-Policy")
    assert policy.startswith("default-src 'none'; style-src 'self'; script-src 'self'")
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy
    assert b"<style" not in content
    assert b" style=" not in content
    assert answer.getheader("X-Content-Type-Options") == "nosniff"
    assert answer.getheader("Cache-Control") == "no-store"


def test_report_runs_in_a_sandbox(client, audit):
    answer, _ = client.ask("GET", f"{audit}/output/report.html", headers=cookie(client))
    assert answer.getheader("Content-Security-Policy").startswith("sandbox allow-scripts;")
    assert answer.getheader("Content-Disposition") is None


def test_other_methods_and_head_requests_are_harmless(client):
    assert client.ask("PUT", "/", b"x", client.headers())[0].status == 405
    answer, content = client.ask("HEAD", "/", headers=cookie(client))
    assert (answer.status, content) == (200, b"")
    assert client.ask("GET", "/static/app.js")[0].status == 200
    assert b"--accent" in client.ask("GET", "/static/app.css")[1]


def test_internal_error_is_one_line_and_never_a_traceback(client, monkeypatch, capfd):
    from assay.web.pages import setup

    monkeypatch.setattr(setup, "home_page", lambda _: 1 / 0)
    page = client.get("/", status=500)
    assert "Internal error: ZeroDivisionError." in page
    assert "Traceback" not in page
    assert "Traceback" not in capfd.readouterr().err
