"""`assay serve` as users start and end it."""

from __future__ import annotations

import http.client
import re
import signal
import socket
import subprocess
import sys

import pytest

from assay.base.errors import AssayError
from assay.web import Server


def started(*arguments):
    command = [sys.executable, "-m", "assay", "serve", "--no-open", *map(str, arguments)]
    return subprocess.Popen(
        command,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )


@pytest.mark.parametrize(("host", "warned"), [("127.0.0.1", False), ("0.0.0.0", True)])
def test_server_prints_its_address_and_stops_with_ctrl_c(tmp_path, host, warned):
    with started("--port", 0, "--host", host, "--folder", tmp_path / "audits") as serving:
        said = []
        for line in serving.stderr:
            said.append(line)
            if "Ctrl-C" in line:
                break
        address = re.search(r"http://127\.0\.0\.1:(\d+)(/\?token=[\w-]+)", "".join(said))
        line = http.client.HTTPConnection("127.0.0.1", int(address[1]), timeout=30)
        line.request("GET", address[2])
        assert line.getresponse().status == 200
        line.close()
        serving.send_signal(signal.SIGINT)
        rest = serving.stderr.read()
        assert serving.wait(30) == 130
    assert ("lets other machines reach this page" in "".join(said)) is warned
    assert rest.strip() == "Interrupted."
    assert (tmp_path / "audits").is_dir()


def test_port_in_use_is_a_one_line_error(run, tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = run("serve", "--no-open", "--port", port, "--folder", tmp_path)
    assert done.returncode == 1
    assert done.stderr == (
        f"Error: Port {port} on 127.0.0.1 is in use. Choose another with --port, or 0 for any free one.\n"
    )


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"port": 99999}, "port is 99999"),
        ({"port": 0, "host": "no.such.host.invalid"}, "no.such.host.invalid is not an address of this machine"),
        ({"port": 0, "host": "192.0.2.1"}, "192.0.2.1 is not an address of this machine"),
    ],
)
def test_impossible_addresses_are_refused(tmp_path, options, says):
    with pytest.raises(AssayError, match=re.escape(says)):
        Server(tmp_path, **options)


def test_folder_that_cannot_be_created_is_refused(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(AssayError, match="datasets cannot be stored there"):
        Server(tmp_path / "file", port=0)
