"use strict";
(() => {
  const token = document.body.dataset.token;
  const address = new URL(location.href);
  if (address.searchParams.has("token")) {
    address.searchParams.delete("token");
    history.replaceState(null, "", address);
  }

  // Files: dropped on a field or chosen in it, sent one after the other.
  for (const field of document.querySelectorAll(".drop")) {
    const input = field.querySelector("input");
    const over = (event) => { event.preventDefault(); field.classList.add("over"); };
    field.addEventListener("dragenter", over);
    field.addEventListener("dragover", over);
    field.addEventListener("dragleave", () => field.classList.remove("over"));
    field.addEventListener("drop", (event) => {
      event.preventDefault();
      field.classList.remove("over");
      const given = new DataTransfer();
      for (const file of event.dataTransfer.files) if (input.multiple || !given.files.length) given.items.add(file);
      input.files = given.files;
      input.dispatchEvent(new Event("change", { bubbles: true }));
    });
  }
  // A file that misses its field must not replace the page.
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
    request.onerror = () => failed(new Error("The connection was lost. Does assay serve still run?"));
    request.send(body);
  });
  const size = (n) => n < 1e6 ? Math.ceil(n / 1e3) + " KB" : n < 1e9 ? (n / 1e6).toFixed(1) + " MB" : (n / 1e9).toFixed(2) + " GB";

  for (const form of document.querySelectorAll("form.upload")) {
    const bar = form.querySelector(".upload-bar"), status = form.querySelector(".upload-status");
    const button = form.querySelector("button[type=submit]"), most = Number(form.dataset.most);
    const say = (text, wrong) => { status.textContent = text; status.classList.toggle("error", Boolean(wrong)); };
    const files = () => [...form.querySelectorAll("input[type=file]")]
      .flatMap((input) => [...input.files].map((file) => ({ kind: input.name, file })));
    const refused = (all) => {
      const large = all.find((one) => one.file.size > most);
      if (large) return large.file.name + " has " + size(large.file.size) + "; at most " + size(most) + " are taken.";
      return all.length ? "" : "Choose a file first.";
    };
    const sent = async (all) => {
      const home = form.dataset.audit ? "/audits/" + form.dataset.audit : (await send("/audits", "", () => {})).address;
      const total = all.reduce((sum, one) => sum + one.file.size, 0) || 1;
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
      const all = files(), why = refused(all);
      if (why) return say(why, true);
      button.disabled = true;
      bar.hidden = false;
      try {
        await sent(all);
      } catch (error) {
        say(error.message, true);
        bar.hidden = true;
        button.disabled = false;
      }
    });
    addEventListener("pageshow", () => { button.disabled = false; bar.hidden = true; say(""); });
  }

  // Progress: ask how far it is, say what is new.
  const work = document.querySelector("[data-state]");
  if (!work) return;
  const words = document.getElementById("words"), bar = document.getElementById("bar"), time = document.getElementById("time");
  const show = (now) => {
    if (words.textContent !== now.words) words.textContent = now.words;
    bar.value = now.share;
    time.textContent = now.time;
    for (const step of work.querySelectorAll("[data-section]")) {
      const name = step.dataset.section;
      step.classList.toggle("done", now.done.includes(name));
      step.classList.toggle("now", name === now.section);
      if (name === now.section) step.setAttribute("aria-current", "step"); else step.removeAttribute("aria-current");
    }
  };
  let misses = 0;
  const ask = async () => {
    try {
      const answer = await fetch(work.dataset.state, { headers: { Accept: "application/json" } });
      if (!answer.ok) throw new Error(answer.statusText);
      const now = await answer.json();
      misses = 0;
      const at = ["waiting", "running", "stopping"];
      if (!at.includes(now.status) || (now.status === "stopping") !== (work.dataset.status === "stopping")) return location.reload();
      show(now);
    } catch (error) {
      misses += 1;
      if (misses > 5) words.textContent = "The connection was lost. Does assay serve still run?";
    }
    setTimeout(ask, misses > 5 ? 5000 : 700);
  };
  ask();
})();
