"use strict";
(() => {
  // Tooltips of charts.
  const tip = document.getElementById("tip");
  const showTip = (event) => {
    const text = event.target.getAttribute && event.target.getAttribute("data-tip");
    tip.hidden = !text;
    if (!text) return;
    tip.textContent = text;
    const box = tip.getBoundingClientRect();
    const below = event.clientY + 18;
    tip.style.left = Math.max(8, Math.min(event.clientX + 14, innerWidth - box.width - 8)) + "px";
    tip.style.top = (below + box.height > innerHeight ? event.clientY - box.height - 12 : below) + "px";
  };
  for (const chart of document.querySelectorAll(".chart")) {
    chart.addEventListener("pointermove", showTip);
    chart.addEventListener("pointerdown", showTip);
    chart.addEventListener("click", (event) => {
      const link = event.target.getAttribute("data-items");
      if (link && document.documentElement.classList.contains("live")) location.hash = "#items?" + link;
    });
    chart.addEventListener("items", (event) => {
      if (document.documentElement.classList.contains("live")) location.hash = "#items?" + event.detail;
    });
    chart.addEventListener("pointerleave", () => { tip.hidden = true; });
  }
  addEventListener("beforeprint", () => { tip.hidden = true; });

  // A link into a closed block opens it.
  const openTarget = () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    const block = target && target.closest("details");
    if (block) { block.open = true; target.scrollIntoView(); }
  };
  addEventListener("hashchange", openTarget);
  openTarget();

  // Items: unpacked, filtered, and only the visible rows drawn.
  const sources = [...document.querySelectorAll("template.item-data")].filter((source) => source.content.textContent);
  if (!sources.length || typeof DecompressionStream === "undefined") return;
  const find = (id) => document.getElementById(id);
  const browser = find("browser"), list = find("list"), holder = find("item-rows"), drawer = find("drawer");
  const search = find("search"), count = find("found");
  const make = (tag, className, text) => {
    const element = document.createElement(tag);
    if (className) element.className = className;
    if (text !== undefined && text !== null) element.textContent = text;
    return element;
  };
  const isolate = (text, className) => make("bdi", className, text);
  const PROPOSALS = ["keep", "repair", "retire"];
  const OUTCOMES = { 1: ["right", "✓ right"], 0: ["wrong", "✕ wrong"], "~": ["part", "partly right"] };
  const number = (value) => value.toLocaleString("en");
  let items, size, shown = [], height = 0, drawn = new Map(), lower = [], member = {}, extra = {}, current = -1;
  let source = sources[0], unpacked = new Map();

  const unpack = async () => {
    const bytes = Uint8Array.from(atob(source.content.textContent), (letter) => letter.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
    return JSON.parse(await new Response(stream).text());
  };
  const named = (column, row) => column && column.codes[row] >= 0 ? column.names[column.codes[row]] : null;
  const words = (row) => lower[row] ??= [
    items.id[row], items.text ? items.text[row] : "", named(items.label, row), named(items.suggested, row),
  ].join("\n").toLowerCase();
  const reasons = (row) => items.reasons[row].map((code) => items.reason_names[code]);

  // Filters: what the fields and the address say.
  const select = (name) => find("by-" + name);
  const fill = (name, values) => {
    const field = select(name);
    if (!field) return;
    while (field.options.length > 1) field.remove(1);
    field.closest("label").hidden = !values.length;
    for (const [value, text] of values) {
      const option = make("option", "", text);
      option.value = value;
      field.append(option);
    }
  };
  const FIELDS = ["finding", "proposal", "part", "label", "solved", "wrong", "state", "suspicion", "order"];
  const readFields = () => {
    const state = sources.length > 1 ? { task: source.dataset.task, ...extra } : { ...extra };
    if (search.value.trim()) state.q = search.value.trim();
    for (const name of FIELDS) if (select(name) && select(name).value) state[name] = select(name).value;
    return state;
  };
  const address = (state) => {
    const pairs = Object.entries(state).map(([name, value]) => name + "=" + encodeURIComponent(value));
    return "#items" + (pairs.length ? "?" + pairs.join("&") : "");
  };
  const writeAddress = (state) => {
    try { history.replaceState(null, "", address(state)); } catch { /* a page without an address of its own */ }
  };
  const readAddress = () => {
    const [place, query] = location.hash.slice(1).split("?");
    return place === "items" ? Object.fromEntries(new URLSearchParams(query || "")) : null;
  };
  const choose = (state) => {
    const rules = [];
    const byName = (column, value) => {
      const code = column ? column.names.indexOf(value) : -1;
      return (row) => column && code >= 0 && column.codes[row] === code;
    };
    if (state.finding) {
      const rows = member[state.finding] ??= new Set(items.findings[state.finding] || []);
      rules.push((row) => rows.has(row));
    }
    if (state.proposal) rules.push((row) => PROPOSALS[items.proposal[row]] === state.proposal);
    if (state.part) rules.push(byName(items.part, state.part));
    if (state.label) rules.push(byName(items.label, state.label));
    for (const [name, outcome] of [["solved", "1"], ["wrong", "0"]]) if (state[name]) {
      const outcomes = (items.outcomes || [])[items.systems.indexOf(state[name])] || "";
      rules.push((row) => outcomes[row] === outcome);
    }
    if (state.state && items.responses) {
      const all = items.responses, rows = new Set(all.at.filter((_, n) => describeResponse(n).includes(state.state)));
      rules.push((row) => rows.has(row));
    }
    if (state.suspicion) rules.push((row) => items.suspicion[row] !== null && 100 * items.suspicion[row] >= +state.suspicion);
    if (state.right) {
      const [low, high] = state.right.split("-").map(Number);
      rules.push((row) => items.right[row] !== null && items.right[row] >= low && items.right[row] <= high);
    }
    if (state.any) {  // what several marks of a chart lead to
      const rows = new Set(state.any.split("|").flatMap((query) => choose({ ...Object.fromEntries(new URLSearchParams(query)), any: "" })));
      rules.push((row) => rows.has(row));
    }
    if (state.q) {
      const parts = [...state.q.toLowerCase().matchAll(/"([^"]+)"|(\S+)/g)].map((match) => match[1] || match[2]);
      rules.push((row) => parts.every((part) => words(row).includes(part)));
    }
    const rows = [];
    for (let row = 0; row < size; row++) if (rules.every((rule) => rule(row))) rows.push(row);
    const keys = {
      suspicion: (row) => -(items.suspicion[row] ?? -1),
      hard: (row) => items.right[row] ?? 1e9,
      easy: (row) => -(items.right[row] ?? -1),
    };
    if (keys[state.order]) rows.sort((a, b) => keys[state.order](a) - keys[state.order](b) || a - b);
    if (state.order === "id") rows.sort((a, b) => items.id[a] < items.id[b] ? -1 : items.id[a] > items.id[b] ? 1 : a - b);
    return rows;
  };

  // Responses: their state, how the harness lost or made up an answer, and whether reading changes the score.
  const describeResponse = (n) => {
    const all = items.responses, changes = all.graded[n] !== all.right[n] ? ["other score as read"] : [];
    return [named(all.state, n), named(all.loss, n), ...changes].filter(Boolean);
  };
  const listResponses = (row) => {
    const all = items.responses, found = [];
    for (let n = all.starts[row]; n >= 0 && n < all.at.length && all.at[n] === row; n++) found.push(n);
    return found;
  };
  const drawScore = (title, code) => {
    const [name, text] = OUTCOMES[code] || ["", "not scored"];
    return make("span", "outcome " + name, title + ": " + text);
  };
  const drawResponse = (n) => {
    const all = items.responses, block = make("article", "response"), head = make("p", "response-head");
    head.append(isolate(named(all.system, n)));
    if (all.repeat[n]) head.append(make("span", "quiet", "repeat " + (all.repeat[n] + 1)));
    for (const word of describeResponse(n)) head.append(make("span", "badge " + (word === "complete" ? "good" : "warning"), word));
    const scores = make("p", "response-scores"), answers = [["extracted", all.extracted], ["read", all.read]];
    for (const [title, column] of answers) {
      const value = named(column, n);
      scores.append(title + " ", value === null ? make("span", "quiet", "nothing") : isolate(value, "token"), " ");
    }
    scores.append(drawScore("as graded", all.graded[n]), " ", drawScore("as read", all.right[n]));
    block.append(head, scores);
    if (all.span[n] || all.before[n]) {
      const quote = make("bdi", "full response-text");
      quote.append(all.before[n], make("mark", "", all.span[n]), all.after[n]);
      block.append(quote);
    }
    return block;
  };

  // How many systems are right; the mean score where answers are partly right.
  const describeOutcomes = (row) => {
    const right = items.right[row];
    if (right === null || !items.systems.length) return "";
    const answered = items.outcomes ? items.outcomes.filter((column) => column[row] !== ".").length : items.systems.length;
    const partly = items.outcomes && items.outcomes.some((column) => column[row] === "~");
    return partly ? "mean score " + (right / answered).toFixed(2) : number(right) + " of " + answered + " right";
  };

  // The list.
  const drawRow = (place) => {
    const row = shown[place], line = make("li"), button = make("button", "row");
    line.setAttribute("aria-setsize", shown.length);
    line.setAttribute("aria-posinset", place + 1);
    line.style.top = place * height + "px";
    button.type = "button";
    const head = make("span", "row-head"), proposal = PROPOSALS[items.proposal[row]];
    head.append(make("span", "wish " + proposal, proposal), isolate(items.id[row], "row-id"));
    for (const value of [named(items.part, row), named(items.label, row)]) if (value !== null) head.append(isolate(value, "row-name"));
    const right = describeOutcomes(row);
    if (right) head.append(make("span", "row-note", right));
    const why = reasons(row).join("; ");
    if (why) head.append(make("span", "row-note", why));
    button.append(head, isolate(items.text ? (items.text[row] || "").replaceAll(/\n(- )?/g, " / ") : "", "row-text"));
    button.addEventListener("click", () => open(place));
    button.addEventListener("keydown", (event) => {
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (!step) return;
      event.preventDefault();
      focusRow(place + step);
    });
    line.append(button);
    return line;
  };
  const draw = () => {
    if (!height) return;
    const first = Math.max(0, Math.floor(list.scrollTop / height) - 6);
    const last = Math.min(shown.length, first + Math.ceil(list.clientHeight / height) + 12);
    for (const [place, line] of drawn) {
      if ((place < first || place >= last) && !line.contains(document.activeElement)) { line.remove(); drawn.delete(place); }
    }
    for (let place = first; place < last; place++) {
      if (drawn.has(place)) continue;
      const line = drawRow(place), next = [...drawn.keys()].filter((other) => other > place).sort((a, b) => a - b)[0];
      holder.insertBefore(line, next === undefined ? null : drawn.get(next));
      drawn.set(place, line);
    }
  };
  const redraw = () => {
    const focused = [...drawn.values()].find((line) => line.contains(document.activeElement));
    for (const line of drawn.values()) line.remove();
    drawn = new Map();
    holder.style.height = shown.length * height + "px";
    draw();
    if (focused) (holder.querySelector(".row") || list).focus({ preventScroll: true });  // keyboard users stay in the list
  };
  const focusRow = (place) => {
    if (place < 0 || place >= shown.length) return;
    const top = place * height, bottom = top + height;
    if (top < list.scrollTop) list.scrollTop = top;
    if (bottom > list.scrollTop + list.clientHeight) list.scrollTop = bottom - list.clientHeight;
    draw();
    if (drawn.get(place)) drawn.get(place).firstChild.focus();
  };
  const measure = () => {
    const probe = make("li"), button = make("button", "row", "x");
    probe.append(button);
    holder.append(probe);
    height = probe.getBoundingClientRect().height || 64;
    probe.remove();
  };
  const update = (state, keep) => {
    shown = choose(state);
    const right = state.right ? ", right for " + state.right.replace("-", " to ") + " systems" : state.any ? " selected in a chart" : "";
    const part = size === items.all ? "" : " in this page, which has " + number(size) + " of " + number(items.all);
    count.textContent = (shown.length === size ? "" : number(shown.length) + " of ") + number(size) + (size === 1 ? " item" : " items") + part + right;
    if (!keep) list.scrollTop = 0;
    redraw();
  };
  const change = () => { const state = readFields(); writeAddress(state); update(state); };
  const apply = (state) => {
    search.value = state.q || "";
    extra = Object.fromEntries(["right", "any"].filter((name) => state[name]).map((name) => [name, state[name]]));
    for (const name of FIELDS) {
      const field = select(name);
      if (!field) continue;
      field.value = state[name] || "";
      if (field.selectedIndex < 0) field.value = "";
    }
    update({ ...readFields(), ...(state.finding ? { finding: state.finding } : {}) });
  };

  // The drawer.
  const addFact = (facts, name, value, className) => {
    if (value === null || value === undefined || value === "") return;
    const box = make("div"), cell = make("dd");
    cell.append(typeof value === "object" ? value : isolate(value, className));
    box.append(make("dt", "", name), cell);
    facts.append(box);
  };
  const addOther = (title, row) => {
    const block = make("div", "other"), button = make("button", "link");
    button.type = "button";
    button.append(isolate(items.id[row]));
    button.addEventListener("click", () => openRow(row));
    const head = make("p", "quiet", title + " ");
    head.append(button);
    const label = named(items.label, row), part = named(items.part, row);
    for (const value of [part, label]) if (value !== null) head.append(" · ", isolate(value));
    block.append(head);
    if (items.text && items.text[row]) block.append(isolate(items.text[row], "full"));
    return block;
  };
  const openRow = (row) => {
    drawer.replaceChildren();
    const top = make("div", "drawer-top"), title = make("h3"), close = make("button", "", "Close");
    title.id = "drawer-title";
    title.append("Item ", isolate(items.id[row]));
    close.type = "button";
    close.addEventListener("click", () => drawer.close());
    const place = shown.indexOf(row), buttons = make("div", "drawer-buttons");
    for (const [text, step] of [["Previous", -1], ["Next", 1]]) {
      const button = make("button", "", text);
      button.type = "button";
      button.disabled = place < 0 || place + step < 0 || place + step >= shown.length;
      button.addEventListener("click", () => {
        openRow(shown[place + step]);
        const again = [...drawer.querySelectorAll("button")].find((other) => other.textContent === text);
        (again.disabled ? drawer.querySelector("button") : again).focus();
      });
      buttons.append(button);
    }
    buttons.append(close);
    top.append(title, buttons);
    drawer.append(top);
    if (items.text && items.text[row]) drawer.append(isolate(items.text[row], "full main-text"));
    const facts = make("dl", "evidence");
    addFact(facts, "gold label", named(items.label, row), "token");
    addFact(facts, "suggested label", named(items.suggested, row), "token");
    addFact(facts, "part", named(items.part, row));
    const wish = PROPOSALS[items.proposal[row]];
    addFact(facts, "proposal", make("span", "wish " + wish, wish));
    if (items.suspicion[row] !== null) addFact(facts, "suspicion (0 to 1)", items.suspicion[row].toFixed(2));
    drawer.append(facts);
    const why = reasons(row);
    if (why.length || items.doubts[row]) {
      const block = make("ul", "reasons");
      for (const reason of why) block.append(make("li", "", reason));
      if (items.doubts[row]) { const line = make("li"); line.append(isolate(items.doubts[row])); block.append(line); }
      drawer.append(make("h4", "", "Why"), block);
    }
    const anchors = Object.keys(items.findings).filter((name) => (member[name] ??= new Set(items.findings[name])).has(row));
    if (anchors.length) {
      const line = make("p", "", "Findings: ");
      for (const name of anchors) {
        const link = make("a", "code", name);
        link.href = "#" + (source.dataset.task ? source.dataset.task + "-" : "") + name;
        link.addEventListener("click", () => drawer.close());
        line.append(link, " ");
      }
      drawer.append(line);
    }
    const original = items.original[row], nearest = items.nearest[row];
    if (original >= 0) drawer.append(addOther("Repeats", original));
    if (nearest >= 0 && nearest !== original) drawer.append(addOther("Most similar training item", nearest));
    if (items.outcomes && items.outcomes.some((column) => column[row] !== ".")) {
      const table = make("table", "plain answers"), body = make("tbody");
      table.append(make("caption", "", "Answers of the systems"), body);
      items.systems.forEach((system, n) => {
        const outcome = items.outcomes[n][row];
        if (outcome === ".") return;
        const line = make("tr"), head = make("th");
        head.scope = "row";
        head.append(isolate(system));
        const answer = make("td");
        answer.append(isolate(named(items.answers[n], row) ?? ""));
        const state = OUTCOMES[outcome];
        line.append(head, answer, make("td", "outcome " + state[0], state[1]));
        body.append(line);
      });
      drawer.append(table);
    }
    const responses = items.responses ? listResponses(row) : [];
    if (responses.length) {
      const wanted = select("state") && select("state").value, first = (n) => +!describeResponse(n).includes(wanted);
      drawer.append(make("h4", "", "Responses"));
      for (const n of wanted ? responses.sort((a, b) => first(a) - first(b) || a - b) : responses) drawer.append(drawResponse(n));
    }
    current = row;
    if (!drawer.open) drawer.showModal();
    drawer.scrollTop = 0;
    writeAddress({ ...readFields(), item: items.id[row] });
  };
  const open = (place) => openRow(shown[place]);
  drawer.addEventListener("close", () => {
    if (readAddress()) writeAddress(readFields());
    const place = shown.indexOf(current);
    current = -1;
    if (place >= 0 && readAddress()) focusRow(place);
  });
  drawer.addEventListener("click", (event) => { if (event.target === drawer) drawer.close(); });

  // One task at a time: a page of several has the items of each.
  const use = async (task) => {
    const chosen = sources.find((other) => other.dataset.task === task) || (items ? source : sources[0]);
    if (items && chosen === source) return;
    source = chosen;
    if (!unpacked.has(source)) unpacked.set(source, await unpack());
    items = unpacked.get(source);
    size = items.id.length;
    if (items.responses) {
      items.responses.starts = new Int32Array(size).fill(-1);
      items.responses.at.forEach((row, n) => { if (items.responses.starts[row] < 0) items.responses.starts[row] = n; });
    }
    [lower, member, extra] = [[], {}, {}];
    if (select("task")) select("task").value = source.dataset.task;
    fillFields();
  };
  const fillFields = () => {
    const used = (column) => new Set(column.names).size + column.codes.includes(-1) > 1 ? column.names.map((name) => [name, name]) : [];
    fill("finding", Object.keys(items.findings).filter((name) => items.findings[name].length).map((name) => [name, name + " (" + number(items.findings[name].length) + ")"]));
    fill("proposal", PROPOSALS.map((name) => [name, name]));
    fill("part", used(items.part));
    fill("label", used(items.label).slice(0, 500));
    for (const name of ["solved", "wrong"]) fill(name, items.systems.map((system) => [system, system]));
    const counts = {};
    for (let n = 0; n < (items.responses ? items.responses.at.length : 0); n++) {
      for (const word of describeResponse(n)) counts[word] = (counts[word] || 0) + 1;
    }
    fill("state", Object.entries(counts).map(([word, n]) => [word, word + " (" + number(n) + ")"]));
    const suspected = items.suspicion.some((value) => value !== null);
    fill("suspicion", suspected ? [25, 50, 75].map((share) => [share, "at least " + share / 100]) : []);
    if (select("order")) select("order").options[0].textContent = "most against first";
    const orders = [["id", "by id"]];
    if (suspected) orders.unshift(["suspicion", "most suspicious first"]);
    if (items.systems.length) orders.unshift(["hard", "hardest first"], ["easy", "easiest first"]);
    fill("order", orders);
  };
  const follow = async (first) => {
    const state = readAddress();
    if (!state) return;
    await use(state.task);
    apply(state);
    const row = state.item ? items.id.indexOf(state.item) : -1;
    if (row >= 0) {
      const place = shown.indexOf(row);
      if (place >= 0) { list.scrollTop = Math.max(0, (place - 1) * height); draw(); }
      openRow(row);
    } else if (drawer.open) drawer.close();
    if (!first || Object.keys(state).length) find("items").scrollIntoView();
  };
  use().then(async () => {
    document.documentElement.classList.add("live");
    browser.hidden = false;
    measure();
    update(readFields());
    await follow(true);
    list.addEventListener("scroll", draw, { passive: true });
    addEventListener("resize", () => { measure(); redraw(); });
    addEventListener("hashchange", () => follow(false));
    search.addEventListener("input", change);
    for (const name of FIELDS) if (select(name)) select(name).addEventListener("change", change);
    if (select("task")) select("task").addEventListener("change", async () => {
      await use(select("task").value);
      search.value = "";
      for (const name of FIELDS) if (select(name)) select(name).value = "";
      change();
    });
    find("filters").addEventListener("submit", (event) => event.preventDefault());
    find("filters").addEventListener("reset", () => { extra = {}; setTimeout(() => { if (select("task")) select("task").value = source.dataset.task; change(); }); });
    document.documentElement.dataset.items = size;
  });
})();
