"""A real server on a free port, a client, and small data."""

from __future__ import annotations

import http.client
import json
import re
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

import pytest

from assay.cli.web_tools import describe_tools
from assay.web import Server

WORDS = {"sport": "match goal striker referee stadium", "food": "oven flour butter bread yeast"}


def table(n: int = 80, columns: str = "id text label split") -> str:
    """Write a small benchmark as TSV: two topics, two parts."""
    lines = ["\t".join(columns.split())]
    for number in range(n):
        label = ("sport", "food")[number % 2]
        own = WORDS[label].split()
        text = f"{own[number % 5]} {own[number * 3 % 5]} w{number} w{number * 7 % 31}"
        lines.append("\t".join([f"i{number}", text, label, "train" if number % 4 else "test"]))
    return "\n".join(lines) + "\n"


class Client:
    """A client that acts as a browser, with the key."""

    def __init__(self, server: Server) -> None:
        self.server = server

    def ask(
        self, method: str, path: str, body: Any = None, headers: dict[str, str] | None = None
    ) -> tuple[http.client.HTTPResponse, bytes]:
        """Send a request without any additions."""
        line = http.client.HTTPConnection("127.0.0.1", self.server.server_port, timeout=60)
        try:
            line.request(method, path, body, headers or {})
            answer = line.getresponse()
            return answer, answer.read()
        finally:
            line.close()

    def get(self, path: str, status: int = 200) -> str:
        """Get a page with the cookie."""
        answer, content = self.ask("GET", path, headers={"Cookie": f"{self.server.cookie}={self.server.token}"})
        assert answer.status == status, content[-600:]
        return content.decode()

    def post(self, path: str, status: int = 303, **form: Any) -> str:
        """Send a form; return the address it redirects to, or the page."""
        body = urlencode({"token": self.server.token, **form}, doseq=True)
        kind = {"Content-Type": "application/x-www-form-urlencoded", "Origin": self.server.origin}
        answer, content = self.ask("POST", path, body, kind)
        assert answer.status == status, content[-600:]
        return answer.getheader("Location") if status == 303 else content.decode()

    def create(self) -> str:
        """Create a version; return its address."""
        answer, content = self.ask("POST", "/versions", b"", self.headers())
        assert answer.status == 201
        return json.loads(content)["address"]

    def upload(self, audit: str, kind: str, name: str, content: bytes | str, status: int = 201) -> dict[str, Any]:
        """Send a file."""
        body = content.encode() if isinstance(content, str) else content
        answer, reply = self.ask("POST", f"{audit}/files?kind={kind}&name={quote(name)}", body, self.headers())
        assert answer.status == status, reply
        return json.loads(reply)

    def headers(self) -> dict[str, str]:
        """Return the headers of our script."""
        return {"X-Assay-Token": self.server.token, "Accept": "application/json", "Origin": self.server.origin}

    def state(self, audit: str) -> dict[str, Any]:
        """Return the progress of an audit."""
        return json.loads(self.get(f"{audit}/state"))

    def wait(self, audit: str, *wanted: str, seconds: float = 120) -> dict[str, Any]:
        """Wait until an audit has a state, or has ended."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            now = self.state(audit)
            if now["status"] in (wanted or ("done", "cancelled", "failed", "stopped")):
                return now
            time.sleep(0.1)
        raise AssertionError(f"still {now}")

    def columns(self, audit: str) -> dict[str, str]:
        """Return the number of every column in the form."""
        select = re.search(r'<select id="role-text".*?</select>', self.get(audit), re.S)[0]
        return {name: number for number, name in re.findall(r'<option value="(\d+)"[^>]*>([^<]*)<', select)}

    def chosen(self, audit: str) -> dict[str, str]:
        """Return the chosen column of every role in the form."""
        page = self.get(audit)
        selects = re.findall(r'<select id="role-(\w+)"(.*?)</select>', page, re.S)
        options = {role: re.search(r"<option value=\"\d+\" selected>([^<]*)<", select) for role, select in selects}
        return {role: option[1] if option else "" for role, option in options.items()}


@contextmanager
def served(folder: Path, **options: Any) -> Iterator[Client]:
    """Run a server in a thread."""
    with Server(folder, port=0, tools=describe_tools(), **options) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield Client(server)
        finally:
            server.shutdown()
            thread.join()


@pytest.fixture(scope="session", autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Leave the user's cache alone."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ASSAY_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture
def serving() -> Callable[..., Any]:
    return served


@pytest.fixture(scope="session")
def small() -> Callable[..., str]:
    return table


@pytest.fixture(scope="session")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    with served(tmp_path_factory.mktemp("audits")) as client:
        yield client


@pytest.fixture(scope="session")
def audit(client: Client) -> str:
    """Return the address of an audit that is done: one section, with predictions."""
    address = client.create()
    client.upload(address, "data", "my reviews.tsv", table())
    answers = "id\tpredicted\n" + "".join(f"i{n}\t{('sport', 'food')[n % 3 == 0]}\n" for n in range(0, 80, 4))
    client.upload(address, "predictions", "great model.tsv", answers)
    client.get(address)
    where = client.post(f"{address}/start", depth="quick", sections=["profile"], seed="3")
    assert where == address
    client.wait(address)
    return address
