"""Make the pictures of the documentation: `python -m scripts.pictures [NAMES…] [--shared DIR] [--out DIR]`.

The web page and the reports are opened in Chromium, in light and dark and at the width of a phone. The data is bundled,
or has a licence that allows it (MIT, CC BY 4.0, see NOTICE); of others there is no picture. Pictures are WebP.
"""

from __future__ import annotations

import argparse
import gzip
import io
import shutil
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
WIDTH, HEIGHT, PHONE = 1180, 860, 390
QUALITY = 62
WAIT_MS = 600_000


class Camera:
    """A browser that saves pictures of what it shows."""

    def __init__(self, browser: Any, folder: Path) -> None:
        self.browser, self.folder = browser, folder

    def open(self, address: str, *, dark: bool = False, phone: bool = False) -> Any:
        """Open an address in a window of its own."""
        size = {"width": PHONE if phone else WIDTH, "height": HEIGHT}
        context = self.browser.new_context(viewport=size, color_scheme="dark" if dark else "light")
        page = context.new_page()
        page.set_default_timeout(WAIT_MS)
        page.goto(address)
        return page

    def save(self, page: Any, name: str, *, height: int = HEIGHT, at: str | None = None) -> None:
        """Save the window, or so much of the page from an element on."""
        from PIL import Image

        page.wait_for_load_state("networkidle")
        page.mouse.move(0, 0)
        if at is not None:
            page.evaluate("(place) => document.querySelector(place).scrollIntoView({behavior: 'instant'})", at)
        page.set_viewport_size({"width": page.viewport_size["width"], "height": height})
        page.wait_for_timeout(400)
        picture = Image.open(io.BytesIO(page.screenshot()))
        path = self.folder / f"{name}.webp"
        picture.convert("RGB").save(path, "WEBP", quality=QUALITY, method=6)
        print(f"{path.name}  {path.stat().st_size / 1000:.0f} KB", flush=True)


@contextmanager
def open_camera(folder: Path) -> Iterator[Camera]:
    """Start the browser of this machine."""
    from playwright.sync_api import sync_playwright

    folder.mkdir(parents=True, exist_ok=True)
    names = ("chromium", "chromium-browser", "google-chrome")
    path = next(path for name in names if (path := shutil.which(name)))
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield Camera(browser, folder)
        browser.close()


def take_report(camera: Camera, name: str, page: str) -> None:
    """Take the first screen of a report in light, in dark colours and on a phone, as PICTURES says."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "report.html")
        path.write_text(page, encoding="utf-8")
        for suffix, options in LOOKS.items():
            if suffix not in PICTURES.get(name, ("", "-phone")):
                continue
            tab = camera.open(path.as_uri(), **options)
            camera.save(tab, f"report-{name}{suffix}", height=820 if "phone" not in options else 1100)
            if not suffix and name in PLACES:
                for place, (selector, height) in PLACES[name].items():
                    camera.save(tab, f"report-{name}-{place}", at=selector, height=height)
            tab.context.close()


LOOKS: dict[str, dict[str, bool]] = {"": {}, "-dark": {"dark": True}, "-phone": {"phone": True}}
PICTURES = {"arguments": tuple(LOOKS), "judges": ("",), "questions": ("",)}  # all others: light, and on a phone
# What else of a report is shown: an element, and how many pixels from there on.
PLACES = {
    "arguments": {"findings": ("#findings", 620), "items": ("#items", 640), "systems": ("#discrimination", 1000)},
    "multiple-choice": {"findings": ("#findings", 640)},
    "leaderboard": {"ranks": ("#discrimination", 820)},
    "tagging": {"models": ("#model", 700)},
}


def make_reports(shared: Path) -> Iterator[tuple[str, Callable[[], str]]]:
    """Yield the reports by name, each made when it is asked for; those whose data is not here are left out."""
    import assay
    from assay.report import render_page

    def read_superglue() -> str:
        with gzip.open(shared / "leaderboards" / "leaderboards.tsv.gz", "rt", encoding="utf-8") as lines:
            kept = [line for number, line in enumerate(lines) if number == 0 or line.startswith("SuperGLUE\t")]
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "SuperGLUE.tsv")
            path.write_text("".join(kept), encoding="utf-8")
            return render_page(assay.audit(scores=path))

    def read_wnut() -> str:
        parts = {"train": "wnut17train.conll.gz", "dev": "emerging.dev.conll", "test": "emerging.test.annotated"}
        files: dict[str, Any] = {part: shared / "wnut17" / name for part, name in parts.items()}
        data = assay.read(**files)
        return render_page(assay.audit(data, cache=True))

    def read_llmbar() -> str:
        return render_page(assay.audit(verdicts=shared / "llmbar" / "verdicts_order_12.tsv.gz", cache=True))

    def read_gsm8k() -> str:
        items, answers = (shared / "gsm8k" / f"{name}.tsv.gz" for name in ("items", "pred_answers"))
        return render_page(assay.audit(items, answers, cache=True))

    yield "arguments", lambda: render_page(audit_demo("arguments"))
    yield "multiple-choice", lambda: render_page(audit_demo("mmlu-redux"))
    if shared.is_dir():
        yield "leaderboard", read_superglue
        yield "tagging", read_wnut
        yield "judges", read_llmbar
        yield "questions", read_gsm8k


def audit_demo(name: str) -> Any:
    """Audit bundled data as `assay demo NAME` does."""
    import assay
    from assay.data.bundled import get_bundled

    bundled = get_bundled(name)
    return assay.audit(bundled.find("data"), bundled.find("predictions"), reviewed=bundled.reviewed, cache=True)


def take_web(camera: Camera) -> None:
    """Take every tab of the web page, with the bundled data."""
    from assay.cli.web_tools import describe_tools
    from assay.data.bundled import find_bundled
    from assay.web import Server

    with tempfile.TemporaryDirectory() as folder, Server(folder, port=0, tools=describe_tools()) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        tab = camera.open(server.address)
        camera.save(tab, "web-home", height=560)
        tab.set_input_files("input[type=file]", [find_bundled(), find_bundled("predictions")])
        tab.click("text=Look at the files")
        tab.wait_for_selector(".preview")
        camera.save(tab, "web-setup", height=900)
        tab.click("text=Start the audit")
        tab.wait_for_selector("#partial .finding", timeout=WAIT_MS)
        camera.save(tab, "web-running", height=760)
        tab.wait_for_selector(".verdict", timeout=WAIT_MS)
        home = tab.url
        take_tabs(camera, tab, home, "web")
        for suffix, options in {"-dark": {"dark": True}, "-phone": {"phone": True}}.items():
            other = camera.open(server.address, **options)
            take_tabs(camera, other, home, "web", suffix)
            other.context.close()
        take_review(camera, tab, home)
        take_split(camera, tab, home)
        take_second_version(camera, tab, home)
        tab.context.close()
        server.shutdown()
        thread.join()


TABS = {
    "overview": ("", 800),
    "findings": ("/findings", 760),
    "items": ("/items?proposal=retire", 760),
    "systems": ("/systems", 900),
    "splits": ("/splits", 900),
    "tools": ("/tools", 760),
    "tool": ("/tools/evaluate", 760),
}
TABS_IN_DARK = ("overview", "items")


def take_tabs(camera: Camera, tab: Any, home: str, name: str, suffix: str = "") -> None:
    """Take the tabs of a version, in dark and on a phone only some of them."""
    for place, (path, height) in TABS.items():
        if suffix and place not in TABS_IN_DARK:
            continue
        tab.goto(home + path)
        camera.save(tab, f"{name}-{place}{suffix}", height=height)
    if not suffix:
        tab.goto(f"{home}/items")
        tab.click("tr[id] a.open")
        tab.wait_for_selector("dialog[open] .details")
        camera.save(tab, f"{name}-drawer", height=760)


def take_review(camera: Camera, tab: Any, home: str) -> None:
    """Review a batch with the key of the selected label, and take an item and the estimate."""
    tab.goto(f"{home}/review")
    tab.click("button.main")
    for number in range(20):
        tab.wait_for_selector(f".review-state:has(progress[value='{number}'])")
        tab.wait_for_selector("[data-first]:focus")
        if number == 3:
            camera.save(tab, "web-review", height=760)
        tab.keyboard.press("Enter")
    tab.wait_for_selector("#batch-done")
    camera.save(tab, "web-review-estimate", height=560)


def take_split(camera: Camera, tab: Any, home: str) -> None:
    """Make a split, and take its drift and scores."""
    tab.goto(f"{home}/splits")
    tab.select_option("#scoring", "model")
    tab.click("text=Split and compare")
    tab.wait_for_selector("#drift-title")
    camera.save(tab, "web-split", height=900)


def take_second_version(camera: Camera, tab: Any, home: str) -> None:
    """Suppress a finding, drop an item, and take the repaired data and the comparison of the next version with this."""
    tab.goto(f"{home}/findings")
    tab.select_option("#suppress-finding", index=1)
    tab.fill("#suppress-reason", "Stronger systems are listed next to it.")
    tab.click("#suppress button[type=submit]")
    tab.goto(f"{home}/items")
    tab.click("tr[id] a.open")
    tab.click("dialog[open] button[value=drop]")
    tab.wait_for_selector("tr[id] .badge.good")
    tab.click("text=Repair the data")
    tab.wait_for_selector("#repair [role=status]")
    camera.save(tab, "web-files", height=760)
    tab.click("text=Continue with the repaired data")
    tab.wait_for_selector(".preview")
    for box in tab.query_selector_all("[name=sections]"):
        box.set_checked(box.get_attribute("value") in ("profile", "information"))
    tab.click("text=Start the audit")
    tab.wait_for_selector(".verdict")
    tab.goto(f"{tab.url}/compare")
    camera.save(tab, "web-compare", height=900)


def main() -> None:
    """Take the pictures that are named, or all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "names", nargs="*", help="web, arguments, multiple-choice, leaderboard, tagging, judges, questions"
    )
    parser.add_argument("--shared", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--out", type=Path, default=ROOT / "docs" / "pictures")
    chosen = parser.parse_args()
    with open_camera(chosen.out) as camera:
        for name, render in make_reports(chosen.shared):
            if not chosen.names or name in chosen.names:
                take_report(camera, name, render())
        if not chosen.names or "web" in chosen.names:
            take_web(camera)


if __name__ == "__main__":
    main()
