"""What all tests share: where the real data stands, and a command line to call."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

# No test asserts a time, and a shared machine may be slow; in CI the same examples are tried every time.
settings.register_profile(
    "assay", deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=bool(os.environ.get("CI"))
)
settings.load_profile("assay")

SHARED = Path(__file__).resolve().parents[2] / "shared" / "data"


@pytest.fixture(scope="session")
def shared() -> Callable[[str], Path]:
    """Return the path of a file of real data, or skip if it is not there."""

    def find(name: str) -> Path:
        path = SHARED / name
        if not path.exists():
            pytest.skip(f"needs the real data file ../shared/data/{name}")
        return path

    return find


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    """Start a real browser, or skip if there is none.

    Playwright keeps an event loop running in this thread, so the browser ends with its module: tests of other modules
    start loops of their own.
    """
    playwright = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed: pages are not opened")
    names = ("chromium", "chromium-browser", "google-chrome")
    path = next((path for name in names if (path := shutil.which(name))), None)
    if path is None:
        pytest.skip("no Chromium on this machine: pages are not opened")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def find_violations() -> Callable[[Any], list[tuple[str, list[str]]]]:
    """Return a function that names the rules of axe-core which an open page breaks, with the first elements of each."""
    axe = pytest.importorskip("axe_playwright_python.base", reason="axe-playwright-python is not installed")
    script = axe.AXE_FILE_PATH.read_text(encoding="utf-8")

    def find(page: Any) -> list[tuple[str, list[str]]]:
        page.evaluate(script)
        violations = page.evaluate("axe.run().then((result) => result.violations)")
        return [(row["id"], [node["html"][:200] for node in row["nodes"][:5]]) for row in violations]

    return find


@pytest.fixture
def run() -> Callable[..., subprocess.CompletedProcess[str]]:
    """Call `assay` as a user does, in a process of its own."""

    def call(*arguments: object, **options: object) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "assay", *map(str, arguments)]
        return subprocess.run(command, capture_output=True, text=True, timeout=300, **options)

    return call
