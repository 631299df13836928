"""The page in a real browser: from a file to a report, with the keyboard, and not a word on the console."""

from __future__ import annotations

import json
import os
import select
import shutil
import subprocess
import sys
import time

import pytest

BROWSER = next(
    (path for name in ("chromium", "chromium-browser", "google-chrome") if (path := shutil.which(name))), None
)
FLAGS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync --remote-debugging-pipe"
).split()
# Puts two pipes where Chromium looks for them, whatever stands there, and becomes Chromium.
PLUMBER = """
import fcntl, os, sys
ends = [fcntl.fcntl(int(end), fcntl.F_DUPFD, 10) for end in sys.argv[1:3]]
for end, place in zip(ends, (3, 4)):
    os.dup2(end, place)
os.execv(sys.argv[3], sys.argv[3:])
"""
pytestmark = pytest.mark.skipif(BROWSER is None, reason="no Chromium on this machine: pages are not opened")


class Browser:
    """Drive Chromium over its debugging pipe (descriptors 3 and 4)."""

    def __init__(self, profile) -> None:
        (reads, self._out), (self._in, writes) = os.pipe(), os.pipe()
        pipes = [str(reads), str(writes)]
        command = [sys.executable, "-c", PLUMBER, *pipes, BROWSER, *FLAGS, f"--user-data-dir={profile}", "about:blank"]
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        self.process = subprocess.Popen(command, pass_fds=(reads, writes), **quiet)
        os.close(reads)
        os.close(writes)
        self._left, self._n, self._session, self.events = b"", 0, {}, []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = {"sessionId": self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]}
        for domain in ("Page", "Runtime", "Log", "DOM"):
            self.call(f"{domain}.enable")

    def call(self, method, **parameters):
        self._n += 1
        message = {"id": self._n, "method": method, "params": parameters, **self._session}
        os.write(self._out, json.dumps(message).encode() + b"\0")
        while (answer := self._next()).get("id") != self._n:
            self.events.append(answer)
        assert "error" not in answer, answer
        return answer["result"]

    def _next(self):
        while b"\0" not in self._left:
            assert select.select([self._in], [], [], 60)[0], "Chromium says nothing"
            piece = os.read(self._in, 1 << 16)
            assert piece, "Chromium has ended"
            self._left += piece
        message, _, self._left = self._left.partition(b"\0")
        return json.loads(message)

    def value(self, expression):
        reply = self.call("Runtime.evaluate", expression=expression, returnByValue=True)
        return None if "exceptionDetails" in reply else reply["result"].get("value")

    def until(self, expression, seconds=90):
        end = time.monotonic() + seconds
        while not self.value(f"document.readyState === 'complete' && !!({expression})"):
            assert time.monotonic() < end, (expression, self.value("document.body.innerText"))
            time.sleep(0.05)

    def choose(self, selector, *paths):
        root = self.call("DOM.getDocument")["root"]["nodeId"]
        node = self.call("DOM.querySelector", nodeId=root, selector=selector)["nodeId"]
        self.call("DOM.setFileInputFiles", nodeId=node, files=[str(path) for path in paths])

    def press(self, selector):
        """Focus an element as the tabulator does, and press Enter."""
        self.value(f"document.querySelector({selector!r}).focus()")
        key = {"key": "Enter", "code": "Enter", "windowsVirtualKeyCode": 13, "text": "\r"}
        self.call("Input.dispatchKeyEvent", type="keyDown", **key)
        self.call("Input.dispatchKeyEvent", type="keyUp", **key)

    def console(self):
        said = ("Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded")
        return [event["params"] for event in self.events if event.get("method") in said]

    def close(self):
        self.process.kill()
        self.process.wait()
        os.close(self._out)
        os.close(self._in)


@pytest.fixture
def browser(tmp_path):
    instance = Browser(tmp_path / "profile")
    yield instance
    instance.close()


def test_file_becomes_report_without_console_messages(browser, client, small, tmp_path):
    data = tmp_path / "<img src=x onerror=document.title=1>.tsv"
    data.write_text(small(60).replace("w1 ", "<script>document.title=2</script> "))
    browser.call("Page.navigate", url=client.server.address)
    browser.until("document.querySelector('form.upload')")
    assert browser.value("location.search") == ""  # the key has left the address
    browser.choose("#file-data", data)
    browser.press("form.upload button[type=submit]")
    browser.until("document.querySelector('.preview')")
    assert browser.value("document.querySelector('h1').textContent") == data.name
    assert browser.value("document.querySelector('#role-label').selectedOptions[0].textContent") == "label"
    browser.value("document.querySelectorAll('[name=sections]').forEach(box => box.checked = box.value === 'profile')")
    browser.press("button.main")
    browser.until("document.querySelector('[data-state] progress')")
    browser.until("document.querySelector('.verdict')")
    browser.press(".button.main")
    browser.until("document.querySelector('#findings')")
    assert browser.value("document.title") == f"{data.name.partition('.')[0]} · audit"
    assert browser.value("self.origin") == "null"
    assert browser.console() == []


def test_console_is_watched_and_foreign_scripts_do_not_run(browser, client):
    browser.call("Page.navigate", url=client.server.address)
    browser.until("document.querySelector('form.upload')")
    browser.value("document.body.insertAdjacentHTML('beforeend', '<img src=x onerror=\"document.title=3\">')")
    browser.value("document.body.append(Object.assign(document.createElement('script'), {text: 'document.title=4'}))")
    browser.until("document.querySelector('img')")
    assert "assay" in browser.value("document.title")
    assert any("Content Security Policy" in json.dumps(event) for event in browser.console())


def test_file_dropped_on_a_field_is_uploaded(browser, client, small, tmp_path):
    for name in ("train.tsv", "test.tsv"):
        (tmp_path / name).write_text(small(12, columns="nr text label other"))
    browser.call("Page.navigate", url=client.server.address)
    browser.until("document.querySelector('form.upload')")
    spot = browser.value(
        "(({x, y}) => ({x: x + 9, y: y + 9}))(document.querySelector('.drop').getBoundingClientRect())"
    )
    files = [str(tmp_path / name) for name in ("train.tsv", "test.tsv")]
    for kind in ("dragEnter", "dragOver", "drop"):
        data = {"items": [], "files": files, "dragOperationsMask": 1}
        browser.call("Input.dispatchDragEvent", type=kind, data=data, **spot)
    browser.until("document.querySelector('#file-data').files.length === 2")
    browser.press("form.upload button[type=submit]")
    browser.until("document.querySelector('.preview')")
    assert "train 12, test 12" in browser.value("document.querySelector('#columns').innerText")


def test_too_large_file_is_refused_before_upload(browser, serving, tmp_path):
    (tmp_path / "large.csv").write_text("text,label\n" + "a,b\n" * 1000)
    with serving(tmp_path / "audits", max_bytes=1000) as client:
        browser.call("Page.navigate", url=client.server.address)
        browser.until("document.querySelector('form.upload')")
        browser.choose("#file-data", tmp_path / "large.csv")
        browser.press("form.upload button[type=submit]")
        browser.until("document.querySelector('.upload-status.error')")
        message = browser.value("document.querySelector('.upload-status').textContent")
        assert message == "large.csv has 5 KB; at most 1 KB are accepted."
        assert client.server.store.versions() == []


def test_pages_fit_the_window_and_all_fields_have_labels(browser, client, audit):
    name = audit.rpartition("/")[2]
    unstarted = client.post(f"{audit}/again")
    for path in ("/", audit, unstarted, f"/compare?old={name}&new={name}"):
        link = "&" if "?" in path else "?"
        browser.call("Page.navigate", url=f"{client.server.origin}{path}{link}token={client.server.token}")
        browser.until("document.querySelector('main h1')")
        for width in (390, 1100):
            screen = {"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": False}
            browser.call("Emulation.setDeviceMetricsOverride", **screen)
            assert browser.value("document.documentElement.scrollWidth") <= width
        unlabelled = "[...document.querySelectorAll('input:not([type=hidden]),select')].filter(x => !x.labels.length)"
        assert browser.value(f"{unlabelled}.length") == 0
