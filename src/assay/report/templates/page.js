"use strict";
(() => {
  const tip = document.getElementById("tip");
  const show = (event) => {
    const text = event.target.getAttribute && event.target.getAttribute("data-tip");
    tip.hidden = !text;
    if (!text) return;
    tip.textContent = text;
    const box = tip.getBoundingClientRect();
    const left = Math.min(event.clientX + 14, innerWidth - box.width - 8);
    const top = event.clientY + 18 + box.height > innerHeight ? event.clientY - box.height - 12 : event.clientY + 18;
    tip.attributeStyleMap ? place(left, top) : (tip.style.left = left + "px", tip.style.top = top + "px");
  };
  const place = (left, top) => {
    tip.attributeStyleMap.set("left", CSS.px(Math.max(8, left)));
    tip.attributeStyleMap.set("top", CSS.px(top));
  };
  for (const chart of document.querySelectorAll(".chart")) {
    chart.addEventListener("pointermove", show);
    chart.addEventListener("pointerdown", show);
    chart.addEventListener("pointerleave", () => { tip.hidden = true; });
  }
  addEventListener("beforeprint", () => { tip.hidden = true; });

  const table = document.getElementById("item-table");
  if (!table) return;
  const body = table.tBodies[0], rows = [...body.rows], heads = [...table.tHead.rows[0].cells];
  const search = document.getElementById("search"), wish = document.getElementById("proposal");
  const found = document.getElementById("found"), all = found.textContent;
  const where = heads.findIndex((head) => head.textContent === "proposal");
  const words = rows.map((row) => row.textContent.toLowerCase());
  const filter = () => {
    const asked = search.value.trim().toLowerCase();
    let n = 0;
    rows.forEach((row, i) => {
      const fits = words[i].includes(asked) && (!wish.value || row.cells[where].textContent === wish.value);
      row.hidden = !fits;
      n += fits;
    });
    found.textContent = asked || wish.value ? n + " of " + rows.length + " shown items" : all;
  };
  search.addEventListener("input", filter);
  wish.addEventListener("change", filter);
  document.getElementById("filters").addEventListener("submit", (event) => event.preventDefault());

  const number = (text) => text === "" ? NaN : Number(text.replaceAll(",", ""));
  const order = (a, b) => {
    const x = number(a), y = number(b);
    if (!Number.isNaN(x) && !Number.isNaN(y)) return x - y;
    if ((a === "") !== (b === "")) return a === "" ? 1 : -1;
    return a < b ? -1 : a > b ? 1 : 0;
  };
  heads.forEach((head, column) => head.firstElementChild.addEventListener("click", () => {
    const up = head.getAttribute("aria-sort") !== "ascending";
    heads.forEach((one) => one.setAttribute("aria-sort", "none"));
    head.setAttribute("aria-sort", up ? "ascending" : "descending");
    const place = new Map(rows.map((row, i) => [row, i]));
    const key = (row) => row.cells[column].textContent;
    const sorted = [...rows].sort((a, b) => (up ? 1 : -1) * order(key(a), key(b)) || place.get(a) - place.get(b));
    body.append(...sorted);
  }));
})();
