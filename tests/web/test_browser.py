"""The pages in a real browser: the whole journey, with the keyboard, on a phone, in two tabs, after a restart."""

from __future__ import annotations

import json
import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed: pages are not opened")
NASTY = "<img src=x onerror=document.title=1>"
TABS = (
    "",
    "/findings",
    "/items",
    "/review",
    "/systems",
    "/splits",
    "/compare",
    "/files",
    "/tools",
    "/tools/split",
    "/items/0",
)
# Names, landmarks and contrast, as far as they can be computed without a library.
CHECKS = (Path(__file__).parent / "accessibility.js").read_text(encoding="utf-8")


playwright.expect.set_options(timeout=60_000)


@pytest.fixture
def page(chromium):
    """Return a page that fails the test where its console says anything."""
    context = chromium.new_context(viewport={"width": 1100, "height": 900}, accept_downloads=True)
    page = context.new_page()
    page.set_default_timeout(90_000)
    messages = []
    page.on("console", lambda message: messages.append(message.text))
    page.on("pageerror", lambda error: messages.append(str(error)))
    page.messages = messages
    yield page
    context.close()


def make_files(folder: Path, small) -> list[Path]:
    """Write data with a copied text, and the answers of two systems, under hostile names."""
    rows = small(60).replace("w1 ", "<script>document.title=2</script> ").splitlines()
    rows.append("\t".join(["copy", *rows[4].split("\t")[1:]]))
    data = folder / f"{NASTY}.tsv"
    data.write_text("\n".join(rows) + "\n", encoding="utf-8")
    answers = ["id\tsystem\tpredicted"]
    for number in range(0, 60, 4):
        answers += [f"i{number}\t{NASTY}\tsport", f"i{number}\tother\tfood"]
    predictions = folder / "answers.tsv"
    predictions.write_text("\n".join(answers) + "\n", encoding="utf-8")
    return [data, predictions]


def start_audit(page, sections=("profile",)) -> None:
    for box in page.query_selector_all("[name=sections]"):
        box.set_checked(box.get_attribute("value") in sections)
    page.click("text=Start the audit")
    page.wait_for_selector(".verdict")


def leave(page) -> None:
    """Leave the site while it is still served: a page that loads its icon after the server has ended would complain."""
    page.wait_for_load_state("networkidle")
    assert page.messages == []
    page.goto("about:blank")
    page.messages.clear()


def test_from_dropped_files_to_repaired_data(page, serving, small, tmp_path):
    """Drop, check, audit, read, decide, repair, download, restart, next version, compare."""
    files = make_files(tmp_path, small)
    with serving(tmp_path / "state") as client:
        page.goto(client.server.address)
        assert "token" not in page.url
        page.set_input_files("input[type=file]", files)
        page.click("text=Look at the files")
        page.wait_for_selector(".preview")
        assert page.inner_text("h1").startswith(NASTY.partition(".")[0])
        kinds = [select.evaluate("node => node.value") for select in page.query_selector_all("select[name=kind]")]
        assert kinds == ["data", "predictions"]
        assert page.evaluate("document.querySelector('#role-label').selectedOptions[0].textContent") == "label"
        start_audit(page, ("profile", "discrimination"))
        home = page.url
        page.goto(f"{home}/items?q=w13")
        assert page.locator("tr[id]").count() == 3
        page.fill("#q", "")
        playwright.expect(page.locator("tr[id]")).to_have_count(50)
        page.select_option("#filter-proposal", "retire")
        playwright.expect(page.locator("tr[id]")).to_have_count(1)
        playwright.expect(page).to_have_url(re.compile("proposal=retire"))
        page.click("tr[id] a.open")
        page.wait_for_selector("dialog[open] .details")
        assert "copy" in page.inner_text("dialog[open] h3")
        page.click("dialog[open] button[value=drop]")
        page.wait_for_selector("tr[id] .badge.good")
        page.goto(f"{home}/items/0")
        assert NASTY in page.inner_text("main")
        page.fill("input[name=label]", "food")
        page.fill("input[name=reason]", NASTY)
        page.click("button[value=relabel]")
        page.wait_for_selector("#rows")
        page.click("text=Repair the data")
        page.wait_for_selector("#repair [role=status]")
        assert "1 of 61 items dropped, 1 relabelled; 60 are left." in page.inner_text("#repair")
        texts = {}
        for name in ("repaired.tsv", "changes.tsv"):
            with page.expect_download() as waiting:
                page.click(f"text={name}")
            texts[name] = Path(waiting.value.path()).read_text(encoding="utf-8").splitlines()
        assert len(texts["repaired.tsv"]) == 61
        assert [line.split("\t")[:2] for line in texts["changes.tsv"]] == [
            ["id", "action"],
            ["i3", "drop"],
            ["i0", "relabel"],
        ]
        leave(page)
    with serving(tmp_path / "state") as client:  # another process would have another key and port
        page.goto(client.server.address)
        page.click("a.name")
        page.click("nav >> text=Files")
        page.click("text=Continue with the repaired data")
        page.wait_for_selector(".preview")
        assert "version 2" in page.inner_text("h1")
        start_audit(page)
        page.click("nav >> text=Compare")
        playwright.expect(page).to_have_title(re.compile("^Compare"))
        assert "What changed since version 1" in page.inner_text("main")
        assert "not checked" in page.inner_text("main")
        leave(page)


def test_journey_with_the_keyboard_alone(page, serving, small, tmp_path):
    files = make_files(tmp_path, small)
    page.on("filechooser", lambda chooser: chooser.set_files(files[0]))
    with serving(tmp_path / "state") as client:
        page.goto(client.server.address)
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.className") == "skip"
        focus_with_tab(page, "input[name=files]")
        page.keyboard.press("Space")
        playwright.expect(page.locator("input[name=files]")).to_have_js_property(
            "value", f"C:\\fakepath\\{files[0].name}"
        )
        press_with_tab(page, "form.upload button[type=submit]")
        page.wait_for_selector(".preview")
        for box in page.query_selector_all("[name=sections]"):
            if box.get_attribute("value") != "profile":
                box.focus()
                page.keyboard.press("Space")
        press_with_tab(page, "button.main >> text=Start")
        page.wait_for_selector(".verdict")
        press_with_tab(page, ".tabs >> text=Items")
        page.wait_for_selector("#rows")
        press_with_tab(page, "tr[id] a.open")
        page.wait_for_selector("dialog[open]")
        press_with_tab(page, "dialog[open] button[value=keep]")
        page.wait_for_selector("tr[id] .badge.good")
        playwright.expect(page.locator("tr[id] a.open").first).to_be_focused()
        leave(page)


def focus_with_tab(page, selector: str) -> None:
    """Press the tabulator until an element has the focus."""
    target = page.locator(selector).first
    for _ in range(200):
        if target.evaluate("node => node === document.activeElement"):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"{selector} cannot be reached")


def press_with_tab(page, selector: str) -> None:
    focus_with_tab(page, selector)
    page.keyboard.press("Enter")


@pytest.mark.parametrize(("width", "scheme"), [(390, "light"), (1100, "dark")])
def test_every_page_fits_and_is_accessible(chromium, client, audit, width, scheme):
    context = chromium.new_context(viewport={"width": width, "height": 800}, color_scheme=scheme)
    page = context.new_page()
    page.goto(client.server.address)
    unstarted = client.post(f"{audit}/again")
    for path in ("/", *(f"{audit}{tab}" for tab in TABS), unstarted, "/no-such-page"):
        page.goto(f"{client.server.origin}{path}")
        assert page.evaluate("document.documentElement.scrollWidth") <= width, path
        assert page.evaluate(CHECKS) == [], path
    context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_no_violation(chromium, client, audit, find_violations, scheme):
    context = chromium.new_context(viewport={"width": 1100, "height": 800}, color_scheme=scheme)
    page = context.new_page()
    page.goto(client.server.address)
    unstarted = client.post(f"{audit}/again")
    for path in ("/", *(f"{audit}{tab}" for tab in TABS), unstarted, "/no-such-page"):
        page.goto(f"{client.server.origin}{path}")
        assert find_violations(page) == [], path
    context.close()


def test_drawer_leads_to_the_next_item_also_on_the_next_page(page, client, audit):
    page.goto(client.server.address)
    page.goto(f"{client.server.origin}{audit}/items?sort=id")
    ids = page.locator("tr[id] a.open").all_inner_texts()
    page.locator("tr[id] a.open").nth(len(ids) - 2).click()
    title = page.locator("dialog[open] h2")
    playwright.expect(title).to_have_text(f"Item {ids[-2]}")
    page.click("dialog[open] >> text=Next")
    playwright.expect(title).to_have_text(f"Item {ids[-1]}")
    page.click("dialog[open] >> text=Next")
    playwright.expect(page.locator("#rows tr[id] a.open").first).not_to_have_text(ids[0])
    first = page.locator("#rows tr[id] a.open").first.inner_text()
    playwright.expect(title).to_have_text(f"Item {first}")
    page.click("dialog[open] >> text=Previous")
    playwright.expect(title).to_have_text(f"Item {ids[-1]}")
    page.keyboard.press("Escape")
    playwright.expect(page.locator("#rows tr[id] a.open").last).to_be_focused()
    page.locator("tr[id] a.open").first.click()
    playwright.expect(page.locator("dialog[open] [data-step='-1']")).to_be_disabled()
    assert page.messages == []


def test_decision_in_one_tab_is_seen_in_the_other(chromium, client, audit):
    context = chromium.new_context()
    first, second = context.new_page(), context.new_page()
    first.goto(client.server.address)
    for page in (first, second):
        page.goto(f"{client.server.origin}{audit}/items?q=w7+")
    first.click("tr[id] a.open")
    first.click("dialog[open] button[value=keep]")
    first.wait_for_selector("tr[id] .badge.good")
    second.reload()
    assert second.locator("tr[id] .badge.good").count() == 1
    second.click("tr[id] a.open")
    second.click("dialog[open] button[value=undo]")
    playwright.expect(second.locator("tr[id] .badge.good")).to_have_count(0)
    context.close()


def test_foreign_scripts_do_not_run(page, client):
    page.goto(client.server.address)
    page.evaluate("document.body.insertAdjacentHTML('beforeend', '<img src=x onerror=\"document.title=3\">')")
    page.evaluate("document.body.append(Object.assign(document.createElement('script'), {text: 'document.title=4'}))")
    page.wait_for_selector("img", state="attached")
    assert "assay" in page.title()
    assert any("Content Security Policy" in message for message in page.messages)


def test_report_has_no_origin(page, client, audit):
    page.goto(client.server.address)
    page.goto(f"{client.server.origin}{audit}/output/report.html")
    assert page.evaluate("self.origin") == "null"
    assert page.messages == []


def test_dropped_files_are_uploaded(page, client, small):
    page.goto(client.server.address)
    content = json.dumps(small(12, columns="nr text label other"))
    page.evaluate(
        f"""() => {{
          const transfer = new DataTransfer();
          for (const name of ["train.tsv", "test.tsv"]) transfer.items.add(new File([{content}], name));
          document.querySelector(".drop").dispatchEvent(new DragEvent("drop", {{dataTransfer: transfer, bubbles: true}}));
        }}"""
    )
    assert page.evaluate("document.querySelector('input[type=file]').files.length") == 2
    page.click("text=Look at the files")
    page.wait_for_selector(".preview")
    assert "train 12, test 12" in page.inner_text("#columns")


def test_a_folder_is_uploaded_with_its_paths(page, client, small, tmp_path):
    folder = tmp_path / "my runs"
    for name in ("per_instance_stats.json", "stats.json", ".DS_Store"):
        (folder / "run 1").mkdir(parents=True, exist_ok=True)
        (folder / "run 1" / name).write_text("[]", encoding="utf-8")
    (folder / "data.tsv").write_text(small(12), encoding="utf-8")
    page.goto(client.server.address)
    page.set_input_files("input[name=folder]", folder)
    playwright.expect(page.locator(".chosen").first).to_have_text("Chosen: 3 files")
    page.click("text=Look at the files")
    page.wait_for_selector(".preview, .files .kind")
    names = {file["name"]: file["kind"] for file in client.server.store.versions()[0].files()}
    assert names == {
        "my runs/data.tsv": "data",
        "my runs/run 1/per_instance_stats.json": "logs",
        "my runs/run 1/stats.json": "logs",
    }
    leave(page)


def test_too_large_file_is_refused_before_upload(page, serving, tmp_path):
    (tmp_path / "large.csv").write_text("text,label\n" + "a,b\n" * 1000)
    with serving(tmp_path / "state", max_bytes=1000) as client:
        page.goto(client.server.address)
        page.set_input_files("input[type=file]", tmp_path / "large.csv")
        page.click("text=Look at the files")
        page.wait_for_selector(".upload-status.error")
        assert page.inner_text(".upload-status") == "large.csv has 5 KB; at most 1 KB are accepted."
        assert client.server.store.versions() == []


def test_200_parallel_requests_are_all_answered(client, audit):
    def ask(number: int) -> int:
        path = (f"{audit}/items?q=w{number}", "/", f"{audit}/findings", f"{audit}/state")[number % 4]
        cookie = {"Cookie": f"{client.server.cookie}={client.server.token}"}
        return client.ask("GET", path, headers=cookie)[0].status

    with ThreadPoolExecutor(200) as pool:
        assert list(pool.map(ask, range(200))) == [200] * 200


def test_stopping_in_one_tab_and_coming_back_in_the_other(chromium, client, small, monkeypatch):
    """Start, look from a second tab, reload both in mid-run, stop by keyboard, leave, come back and go on."""
    monkeypatch.setattr("assay.web.work.jobs.STOP_SECONDS", 60.0)  # a busy machine takes longer to leave a section
    version = client.create()
    client.upload(version, "data", "stopped.tsv", small(3000))
    context = chromium.new_context()
    context.set_default_timeout(90_000)
    first, second = context.new_page(), context.new_page()
    first.goto(client.server.address)
    first.goto(f"{client.server.origin}{version}")
    for box in first.query_selector_all("[name=sections]"):
        box.set_checked(box.get_attribute("value") in ("profile", "splits"))
    first.fill("[name=seed]", "77")
    press_with_tab(first, "button.main >> text=Start")
    playwright.expect(first.locator("[data-section=splits]")).to_have_class("now")
    second.goto(f"{client.server.origin}{version}")
    for page in (first, second):
        page.reload()
        playwright.expect(page.locator("[data-section=profile]")).to_have_class("done")
        playwright.expect(page.locator("#message")).to_have_text(re.compile(r"^Split \(2 of 2\)"))
    press_with_tab(second, "text=Stop and keep finished sections")
    for page in (first, second):
        playwright.expect(page.locator("main")).to_contain_text("It was stopped after 1 of 2 sections, which are kept.")
        assert page.locator(".verdict, .first-screen").count() > 0
    first.goto(client.server.origin)
    playwright.expect(first.locator("main")).to_contain_text("Stopped after 1 of 2 sections.")
    first.click("a.name >> text=stopped")
    first.click("text=Audit again with changes")
    playwright.expect(first.locator("[name=seed]")).to_have_value("77")
    context.close()


BOARDS = ({"a": 90, "b": 80, "c": 60}, {"b": 92, "a": 80, "d": 50})


def test_places_of_a_leaderboard_are_traced_over_versions(page, client, find_violations):
    for scores in BOARDS:
        version = client.create()
        rows = [f"{name},{score},{score - 3},{score - 1}" for name, score in scores.items()]
        client.upload(version, "auto", "board.csv", "\n".join(["model,MMLU,GSM8K,ARC", *rows]) + "\n")
        client.get(version)
        client.post(f"{version}/start", depth="quick", sections=["discrimination"], seed="0")
        assert client.wait(version)["status"] == "done"
    page.goto(client.server.address)
    page.goto(f"{client.server.origin}{version}/compare")
    table = page.get_by_role("group", name="Places of the systems by version")
    rows = [row.split("\t") for row in table.locator("tbody tr").all_inner_texts()]
    assert [(row[0], row[1].split(" ")[0], row[2].split(" ")[0], row[3]) for row in rows] == [
        ("b", "2", "1", "up 1"),
        ("a", "1", "2", "down 1"),
        ("d", "not", "3", "new"),
    ]
    assert table.locator("polyline").count() == 2
    text = page.inner_text("main")
    assert "First: a in version 1, b in version 2." in text
    assert "New: d. Gone: c." in text
    assert find_violations(page) == []
    leave(page)


def test_charts_are_saved_from_the_page(page, client, audit):
    page.goto(client.server.address)
    page.goto(f"{client.server.origin}{audit}")
    for format_, start in (("PNG", b"\x89PNG"), ("PDF", b"%PDF"), ("SVG", b"<svg")):
        with page.expect_download() as waiting:
            page.click(f"figure .save >> text={format_} >> nth=0")
        assert Path(waiting.value.path()).read_bytes().startswith(start)
    leave(page)


def test_a_table_without_a_text_is_not_read(page, client, small):
    address = client.create()
    client.upload(address, "data", "reviews.tsv", small(12))
    page.goto(client.server.address)
    page.goto(f"{client.server.origin}{address}")
    page.select_option(".column-role[data-column='1']", "")
    playwright.expect(page.locator("#columns-status")).to_have_text("Choose the column that contains the texts.")
    assert page.url == f"{client.server.origin}{address}"
    with page.expect_navigation():
        page.select_option(".column-role[data-column='1']", "text")
    assert page.evaluate("document.querySelector('#role-text').selectedOptions[0].textContent") == "text"
    leave(page)
