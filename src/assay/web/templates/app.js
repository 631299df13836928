"use strict";
(() => {
  const token = document.body.dataset.token;
  const address = new URL(location.href);
  if (address.searchParams.has("token")) {
    address.searchParams.delete("token");
    history.replaceState(null, "", address);
  }

  // Files: dropped on a field or chosen in it, uploaded one after the other.
  for (const field of document.querySelectorAll(".drop")) {
    const input = field.querySelector("input");
    const over = (event) => { event.preventDefault(); field.classList.add("over"); };
    field.addEventListener("dragenter", over);
    field.addEventListener("dragover", over);
    field.addEventListener("dragleave", () => field.classList.remove("over"));
    field.addEventListener("drop", (event) => {
      event.preventDefault();
      field.classList.remove("over");
      const transfer = new DataTransfer();
      for (const file of event.dataTransfer.files) if (input.multiple || !transfer.files.length) transfer.items.add(file);
      input.files = transfer.files;
      input.dispatchEvent(new Event("change", { bubbles: true }));
    });
  }
  // A file dropped beside a field must not replace the page.
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
    const say = (text, wrong) => { status.textContent = text; status.classList.toggle("error", Boolean(wrong)); };
    const files = () => [...form.querySelectorAll("input[type=file]")]
      .flatMap((input) => [...input.files].map((file) => ({ kind: input.name, file })));
    const findProblem = (all) => {
      const large = all.find((upload) => upload.file.size > maxBytes);
      if (large) return large.file.name + " has " + size(large.file.size) + "; at most " + size(maxBytes) + " are accepted.";
      return all.length ? "" : "Choose a file first.";
    };
    const sendAll = async (all) => {
      const home = form.dataset.audit ? "/audits/" + form.dataset.audit : (await send("/audits", "", () => {})).address;
      const total = all.reduce((sum, upload) => sum + upload.file.size, 0) || 1;
      let before = 0;
      for (const { kind, file } of all) {
        say("Copying " + file.name + " (" + size(file.size) + ") …");
        const query = "?kind=" + kind + "&name=" + encodeURIComponent(file.name);
        await send(home + "/files" + query, file, (n) => { bar.value = (before + n) / total; });
        before += file.size;
      }
      say("Reading the columns …");
      location.assign(home);
    };
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      const all = files(), problem = findProblem(all);
      if (problem) return say(problem, true);
      button.disabled = true;
      bar.hidden = false;
      try {
        await sendAll(all);
      } catch (error) {
        say(error.message, true);
        bar.hidden = true;
        button.disabled = false;
      }
    });
    addEventListener("pageshow", () => { button.disabled = false; bar.hidden = true; say(""); });
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
      step.classList.toggle("done", state.done.includes(name));
      step.classList.toggle("now", name === state.section);
      if (name === state.section) step.setAttribute("aria-current", "step"); else step.removeAttribute("aria-current");
    }
  };
  let misses = 0;
  const update = async () => {
    try {
      const response = await fetch(run.dataset.state, { headers: { Accept: "application/json" } });
      if (!response.ok) throw new Error(response.statusText);
      const state = await response.json();
      misses = 0;
      const active = ["waiting", "running", "stopping"];
      if (!active.includes(state.status) || (state.status === "stopping") !== (run.dataset.status === "stopping")) return location.reload();
      show(state);
    } catch (error) {
      misses += 1;
      if (misses > 5) message.textContent = "The connection was lost. Is assay serve still running?";
    }
    setTimeout(update, misses > 5 ? 5000 : 700);
  };
  update();
})();
