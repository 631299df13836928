"use strict";
(() => {
  const token = document.body.dataset.token;
  const address = new URL(location.href);
  if (address.searchParams.has("token")) {
    address.searchParams.delete("token");
    history.replaceState(null, "", address);
  }

  // Files: dropped on a field or chosen in it, also whole folders; uploaded one after the other.
  const paths = new WeakMap(); // of files inside dropped folders
  const nameFile = (file) => paths.get(file) || file.webkitRelativePath || file.name;
  const listFolder = (entry) => new Promise((done, failed) => {
    const reader = entry.createReader(), entries = [];
    const next = () => reader.readEntries((some) => { entries.push(...some); if (some.length) next(); else done(entries); }, failed);
    next();
  });
  const collect = async (entry) => {
    if (entry.isDirectory) return (await Promise.all((await listFolder(entry)).map(collect))).flat();
    const file = await new Promise((done, failed) => entry.file(done, failed));
    paths.set(file, entry.fullPath.replace(/^\//, ""));
    return [file];
  };
  for (const field of document.querySelectorAll(".drop")) {
    const summary = field.querySelector(".chosen");
    const choose = (files) => {
      field.files = files.filter((file) => !nameFile(file).split("/").some((name) => name.startsWith(".")));
      summary.textContent = field.files.length ? "Chosen: " + field.files.length + (field.files.length === 1 ? " file" : " files") : "";
    };
    const over = (event) => { event.preventDefault(); field.classList.add("over"); };
    field.addEventListener("dragenter", over);
    field.addEventListener("dragover", over);
    field.addEventListener("dragleave", () => field.classList.remove("over"));
    field.addEventListener("drop", async (event) => {
      event.preventDefault();
      field.classList.remove("over");
      const entries = [...event.dataTransfer.items].map((item) => item.webkitGetAsEntry && item.webkitGetAsEntry()).filter(Boolean);
      if (entries.some((entry) => entry.isDirectory)) return choose((await Promise.all(entries.map(collect))).flat());
      const input = field.querySelector("input"), transfer = new DataTransfer();
      for (const file of event.dataTransfer.files) transfer.items.add(file);
      input.files = transfer.files;
      input.dispatchEvent(new Event("change", { bubbles: true }));
    });
    for (const each of field.querySelectorAll("input")) each.addEventListener("change", () => choose([...each.files]));
  }
  // A file dropped next to a field must not replace the page.
  for (const kind of ["dragover", "drop"]) addEventListener(kind, (event) => event.preventDefault());

  const send = (path, body, progress) => new Promise((done, failed) => {
    const request = new XMLHttpRequest();
    request.open("POST", path);
    request.setRequestHeader("X-Assay-Token", token);
    request.setRequestHeader("Accept", "application/json");
    request.setRequestHeader("Content-Type", "application/octet-stream");
    request.responseType = "json";
    request.upload.onprogress = (event) => progress(event.loaded);
    request.onload = () => request.status < 300 ? done(request.response)
      : failed(new Error((request.response || {}).error || "The server answered " + request.status + "."));
    request.onerror = () => failed(new Error("The connection was lost. Is assay serve still running?"));
    request.send(body);
  });
  const size = (n) => n < 1e6 ? Math.ceil(n / 1e3) + " KB" : n < 1e9 ? (n / 1e6).toFixed(1) + " MB" : (n / 1e9).toFixed(2) + " GB";

  for (const form of document.querySelectorAll("form.upload")) {
    const bar = form.querySelector(".upload-bar"), status = form.querySelector(".upload-status");
    const button = form.querySelector("button[type=submit]"), maxBytes = Number(form.dataset.maxBytes);
    const field = form.querySelector(".drop");
    const say = (text, wrong) => { status.textContent = text; status.classList.toggle("error", Boolean(wrong)); };
    const findProblem = (files) => {
      const large = files.find((file) => file.size > maxBytes);
      if (large) return large.name + " has " + size(large.size) + "; at most " + size(maxBytes) + " are accepted.";
      return files.length ? "" : "Choose a file first.";
    };
    const create = async () => (await send("/versions" + (form.dataset.of ? "?of=" + form.dataset.of : ""), "", () => {})).address;
    const sendAll = async (files) => {
      const isNew = !form.dataset.version, home = isNew ? await create() : "/versions/" + form.dataset.version;
      const total = files.reduce((sum, file) => sum + file.size, 0) || 1;
      let before = 0;
      try {
        for (const file of files) {
          say("Copying " + nameFile(file) + " (" + size(file.size) + ") …");
          await send(home + "/files?name=" + encodeURIComponent(nameFile(file)), file, (n) => { bar.value = (before + n) / total; });
          before += file.size;
        }
      } catch (error) {
        if (isNew) await send(home + "/delete", "", () => {}).catch(() => {}); // nothing is left behind
        throw error;
      }
      say("Recognising the files …");
      location.assign(home);
    };
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      const files = field.files || [], problem = findProblem(files);
      if (problem) return say(problem, true);
      button.disabled = true;
      bar.hidden = false;
      try {
        await sendAll(files);
      } catch (error) {
        say(error.message, true);
        bar.hidden = true;
        button.disabled = false;
      }
    });
    addEventListener("pageshow", () => { button.disabled = false; bar.hidden = true; say(""); });
  }

  // Columns: a role that is chosen at a column moves there, and the data is read again.
  const check = document.getElementById("check-columns");
  if (check) for (const select of document.querySelectorAll(".column-role")) {
    select.hidden = false;
    select.addEventListener("change", () => {
      const number = select.dataset.column;
      for (const role of document.querySelectorAll(".roles select[id^=role-]")) if (role.value === number) role.value = "";
      if (select.value) document.getElementById("role-" + select.value).value = number;
      const hasText = document.getElementById("role-text").value !== "";
      document.getElementById("columns-status").textContent = hasText ? "Reading the data again …" : "Choose the column that contains the texts.";
      if (!hasText) return;
      check.form.requestSubmit(check);
    });
  }

  // Items: the table follows the filters, the address follows both, and the back button works.
  const filters = document.getElementById("filters"), rows = document.getElementById("rows");
  if (filters && rows) {
    let last = 0;
    const load = async (address, remember) => {
      const number = ++last, url = new URL(address, location.href);
      if (remember) history.replaceState(null, "", url);
      url.searchParams.set("fragment", "1");
      const response = await fetch(url);
      const text = await response.text();
      if (number !== last || !response.ok) return;
      rows.innerHTML = text;
    };
    const readFilters = () => {
      const values = new URLSearchParams();
      for (const [name, value] of new FormData(filters)) if (value) values.set(name, value);
      return filters.getAttribute("action") + "?" + values;
    };
    const boxes = [...filters.querySelectorAll("[data-column-name]")];
    for (const box of boxes) box.addEventListener("input", () => {
      const chosen = boxes.filter((each) => each.checked).map((each) => each.dataset.columnName);
      const asUsual = boxes.every((each) => each.checked === ("default" in each.dataset));
      filters.elements.columns.value = asUsual ? "" : chosen.join(",") || "id";
    });
    let timer = 0;
    filters.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(() => load(readFilters(), true), 120); });
    filters.addEventListener("submit", (event) => { event.preventDefault(); load(readFilters(), true); });
    const drawer = document.getElementById("drawer");
    let opener = null;
    const open = async (address) => {
      const url = new URL(address, location.href);
      url.searchParams.set("fragment", "1");
      const response = await fetch(url);
      if (!response.ok) return location.assign(address);
      drawer.innerHTML = '<form class="drawer-buttons" method="dialog">'
        + '<button class="small" type="button" data-step="-1">Previous</button> <button class="small" type="button" data-step="1">Next</button> '
        + '<button class="small close" aria-label="Close the item">Close</button></form>' + await response.text();
      for (const button of drawer.querySelectorAll("[data-step]")) button.disabled = !findNeighbour(button.dataset.step);
      if (!drawer.open) drawer.showModal();
      drawer.scrollTop = 0;
    };
    // The row before or after the item in the drawer, or the link to the page that has it.
    const findNeighbour = (step) => {
      const here = document.getElementById("item-" + drawer.querySelector(".details").dataset.row);
      if (!here) return null;
      return step > 0 ? here.nextElementSibling || rows.querySelector("a[rel=next]") : here.previousElementSibling || rows.querySelector("a[rel=prev]");
    };
    const move = async (step) => {
      let row = findNeighbour(step);
      if (row && row.matches("a")) {
        await load(row.href, true);
        const drawn = rows.querySelectorAll("tr[id]");
        row = drawn[step > 0 ? 0 : drawn.length - 1];
      }
      if (!row) return;
      opener = row.id;
      await open(row.querySelector("a.open").href);
      const again = drawer.querySelector('[data-step="' + step + '"]');
      (again.disabled ? drawer.querySelector(".close") : again).focus();
    };
    // A whole response replaces its excerpt.
    const showWhole = async (link) => {
      link.setAttribute("aria-busy", "true");
      const response = await fetch(link.href), page = new DOMParser().parseFromString(await response.text(), "text/html");
      const whole = page.querySelector(".response-text.whole");
      if (!whole) return location.assign(link.href);
      link.closest(".response").querySelector(".response-text").replaceWith(document.adoptNode(whole));
      link.closest("p").remove();
      whole.focus();
    };
    const follow = (event) => {
      const link = event.target.closest("a");
      if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
      if (link.matches(".whole-response")) {
        event.preventDefault();
        return showWhole(link);
      }
      if (link.matches(".open")) {
        event.preventDefault();
        if (!drawer.contains(link)) opener = link.closest("tr").id;
        open(link.href);
      } else if (rows.contains(link) && link.matches(".sort, [rel]")) {
        event.preventDefault();
        const values = new URL(link.href).searchParams;
        for (const name of ["sort", "desc"]) filters.elements[name].value = values.get(name) || "";
        load(link.href, true).then(() => document.querySelector("#rows .scroll")?.focus());
      }
    };
    rows.addEventListener("click", follow);
    drawer.addEventListener("click", follow);
    drawer.addEventListener("click", (event) => { const button = event.target.closest("[data-step]"); if (button) move(button.dataset.step); });
    drawer.addEventListener("close", () => document.querySelector("#" + opener + " a.open")?.focus());
    drawer.addEventListener("submit", async (event) => {
      const form = event.target.closest("form.decide");
      if (!form) return;
      event.preventDefault();
      const body = new URLSearchParams(new FormData(form, event.submitter));
      const response = await fetch(form.getAttribute("action") + "?fragment=1", { method: "POST", body, headers: { Accept: "application/json", "X-Assay-Token": token } });
      const answer = await response.json();
      if (!response.ok) {
        const problem = drawer.querySelector(".problem") || form.appendChild(document.createElement("p"));
        problem.className = "problem notice error";
        problem.setAttribute("role", "alert");
        problem.textContent = answer.error;
        if (answer.seen !== undefined) form.elements.seen.value = answer.seen;
        return;
      }
      document.getElementById("n-decided").textContent = answer.n;
      drawer.close();
      await load(location.href, false);
      document.querySelector("#" + opener + " a.open")?.focus();
    });
  }

  // Findings: a button next to each leads to the form that suppresses it.
  const suppress = document.getElementById("suppress");
  if (suppress) for (const option of suppress.elements.finding.options) {
    const block = document.getElementById(option.value);
    if (!block) continue;
    const button = document.createElement("button");
    Object.assign(button, { type: "button", className: "small", textContent: "Suppress " + option.value });
    button.addEventListener("click", () => { suppress.elements.finding.value = option.value; suppress.elements.reason.focus(); });
    block.append(button);
  }

  // Charts: bars and cells lead to their items, and so do several that are selected together.
  const home = location.pathname.match(/^\/versions\/[\w-]+/);
  if (home) {
    const show = (query) => location.assign(home[0] + "/items?" + query);
    for (const mark of document.querySelectorAll("[data-items]")) {
      mark.style.cursor = "pointer";
      mark.addEventListener("click", () => show(mark.dataset.items));
    }
    for (const chart of document.querySelectorAll(".chart")) chart.addEventListener("items", (event) => show(event.detail));
  }

  // Runs of tools: show the result when it is there.
  const tool = document.querySelector("[data-run]");
  if (tool) {
    const poll = async () => {
      try {
        const response = await fetch(tool.dataset.run, { headers: { Accept: "application/json" } });
        if (response.ok && (await response.json()).status !== "running") return location.reload();
      } catch (error) { /* asked again below */ }
      setTimeout(poll, 1000);
    };
    poll();
  }

  // Progress: fetch the state, and announce only changes.
  const run = document.querySelector("[data-state]");
  if (!run) return;
  const message = document.getElementById("message"), bar = document.getElementById("bar"), time = document.getElementById("time");
  const show = (state) => {
    if (message.textContent !== state.message) message.textContent = state.message;
    bar.value = state.share;
    time.textContent = state.time;
    for (const step of run.querySelectorAll("[data-section]")) {
      const name = step.dataset.section;
      step.hidden = !state.sections.includes(name);
      step.classList.toggle("done", state.done.includes(name));
      step.classList.toggle("now", name === state.section);
      if (name === state.section) step.setAttribute("aria-current", "step"); else step.removeAttribute("aria-current");
    }
  };
  const partial = document.getElementById("partial");
  let misses = 0, ended = -1;
  const showFindings = async (state) => {
    if (!partial || state.n_ended === ended) return;
    ended = state.n_ended;
    const response = await fetch(partial.dataset.address);
    if (response.ok) partial.innerHTML = await response.text();
  };
  const update = async () => {
    try {
      const response = await fetch(run.dataset.state, { headers: { Accept: "application/json" } });
      if (!response.ok) throw new Error(response.statusText);
      const state = await response.json();
      misses = 0;
      const active = ["waiting", "running", "stopping"];
      if (!active.includes(state.status) || (state.status === "stopping") !== (run.dataset.status === "stopping")) return location.reload();
      show(state);
      await showFindings(state);
    } catch (error) {
      misses += 1;
      if (misses > 5) message.textContent = "The connection was lost. Is assay serve still running?";
    }
    setTimeout(update, misses > 5 ? 5000 : 700);
  };
  update();
})();
