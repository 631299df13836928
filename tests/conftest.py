"""What all tests share: where the real data stands, and a command line to call."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

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
    """Return the path of a file of real data, or skip where it is not there."""

    def find(name: str) -> Path:
        path = SHARED / name
        if not path.exists():
            pytest.skip(f"needs the real data file ../shared/data/{name}")
        return path

    return find


@pytest.fixture
def run() -> Callable[..., subprocess.CompletedProcess[str]]:
    """Call `assay` as a user does, in a process of its own."""

    def call(*arguments: object, **options: object) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "assay", *map(str, arguments)]
        return subprocess.run(command, capture_output=True, text=True, timeout=300, **options)

    return call
