"""The site builds without warnings, loads nothing from elsewhere, is accessible, and can be searched."""

from __future__ import annotations

import functools
import http.server
import re
import subprocess
import sys
import threading
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """Build the site strictly."""
    pytest.importorskip("mkdocs", reason="needs mkdocs: make test installs it")
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr[-3000:]
    return folder


def test_the_site_loads_nothing_from_elsewhere(site):
    pages = list(site.rglob("*.html"))
    assert len(pages) > 15
    foreign = re.compile(r"<(?:script|link|img|iframe)\b[^>]*(?:src|href)=[\"']?(?:https?:)?//")
    assert not [page.name for page in pages if foreign.search(page.read_text(encoding="utf-8"))]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_no_violation_on_the_site(site, chromium, find_violations, scheme):
    handler = functools.partial(QuietHandler, directory=str(site))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        context = chromium.new_context(color_scheme=scheme)
        page = context.new_page()
        for path in ("index", "api", "gallery", "web", "users/comparing-systems", "tutorials/dataset-builder"):
            page.goto(f"http://127.0.0.1:{server.server_port}/{path}.html")
            page.wait_for_load_state("networkidle")
            assert find_violations(page) == [], path
        context.close()
        server.shutdown()


def test_the_search_works_in_pages_opened_as_files(site, chromium):
    page = chromium.new_page()
    page.goto((site / "index.html").as_uri())
    page.click(".md-search__input")
    page.keyboard.type("headroom", delay=20)
    page.wait_for_selector(".md-search-result__item")
    assert page.locator(".md-search-result__item a", has_text="Discrimination").count() > 0
    page.close()


def test_the_page_for_each_kind_of_user_fits_one_screen(site, chromium):
    pages = sorted((site / "users").glob("*.html"))
    assert len(pages) == 3
    page = chromium.new_page(viewport={"width": 1280, "height": 900})
    for path in pages:
        page.goto(path.as_uri())
        assert page.locator("article").bounding_box()["height"] < 780, path.name
    page.close()


class QuietHandler(http.server.SimpleHTTPRequestHandler):
    """Serve files without a line per request."""

    def log_message(self, *_):
        """Write nothing."""


def test_no_page_is_wider_than_a_phone(site, chromium):
    page = chromium.new_page(viewport={"width": 390, "height": 800})
    wide = []
    for path in sorted(site.rglob("*.html")):
        page.goto(path.as_uri())
        if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
            wide.append(path.name)
    page.close()
    assert wide == []
