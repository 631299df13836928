"""The page in a real browser: no harm, no error on the console, a table that sorts and filters."""

from __future__ import annotations

import re
import shutil
import subprocess

import pytest

BROWSER = next(
    (path for name in ("chromium", "chromium-browser", "google-chrome") if (path := shutil.which(name))), None
)
FLAGS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync --enable-logging=stderr --v=0"
).split()
pytestmark = pytest.mark.skipif(BROWSER is None, reason="no Chromium on this machine: pages are not opened")


def opened(page, folder):
    """Open a page and return what it has become, and what was written to the console."""
    path = folder / "page.html"
    path.write_text(page, encoding="utf-8")
    command = [BROWSER, *FLAGS, f"--user-data-dir={folder / 'profile'}", "--dump-dom", path.as_uri()]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
    return done.stdout, [line for line in done.stderr.splitlines() if ":CONSOLE" in line]


def title(page):
    return re.search(r"<title>(.*?)</title>", page, re.S)[1]


def test_a_page_opens_without_a_word_on_the_console(page, tmp_path):
    page, console = opened(page, tmp_path)
    assert console == []
    assert title(page) == "toy · audit"


def test_a_hostile_page_does_no_harm(hostile_page, tmp_path):
    page, console = opened(hostile_page, tmp_path)
    assert console == []
    assert not title(page).startswith("PWNED")
    assert page.count("<script") == 1
    assert "<img" not in page


def test_scripts_that_slip_in_would_not_run(page, tmp_path):
    spoiled = page.replace("</main>", "<script>document.title = 'PWNED'</script></main>")
    page, console = opened(spoiled, tmp_path)
    assert title(page) == "toy · audit"
    assert any("Content Security Policy" in line for line in console)  # the console is really watched


def test_the_table_sorts_and_filters(page, tmp_path):
    steps = """
    const all = (what) => [...document.querySelectorAll("#item-table " + what)];
    const cells = (n) => all("tbody tr:not([hidden])").map((row) => row.cells[n].textContent);
    const column = all("th").findIndex((head) => head.textContent === "divergence");
    const button = all("th button")[column];
    button.click(); button.click();
    const sorted = cells(column).join();
    const search = document.getElementById("search"), wish = document.getElementById("proposal");
    wish.value = "repair"; wish.dispatchEvent(new Event("change"));
    const repaired = cells(0).join();
    wish.value = ""; search.value = "ITEM-7"; search.dispatchEvent(new Event("input"));
    document.title = [sorted, repaired, cells(1).join(), document.getElementById("found").textContent].join("|");
    """
    page = re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", page)
    done, console = opened(page.replace("</body>", f"<script>{steps}</script></body>"), tmp_path)
    told = title(done).split("|")
    assert console == []
    assert told[0] == ",".join(f"{number / 100:.2f}" if number else "0" for number in range(9, -1, -1))
    assert told[1:] == ["repair,repair,repair", "item-7", "1 of 10 shown items"]
