"use strict";
(() => {
  // Charts: each is saved as SVG in its light colours, and its numbers as CSV.
  const save = (name, type, text) => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type }));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  };
  const writeSvg = (chart) => {
    const copy = chart.cloneNode(true), size = chart.viewBox.baseVal;
    const values = { width: size.width, height: size.height, "font-family": "sans-serif" };
    for (const [name, value] of Object.entries(values)) copy.setAttribute(name, value);
    for (const mark of copy.querySelectorAll("[data-items],[data-tip]")) { delete mark.dataset.items; delete mark.dataset.tip; mark.removeAttribute("style"); }
    return new XMLSerializer().serializeToString(copy);
  };
  const quote = (cell) => /[",\n]/.test(cell) ? '"' + cell.replaceAll('"', '""') + '"' : cell;
  const writeCsv = (table) => [...table.rows].map((row) => [...row.cells].map((cell) => quote(cell.textContent)).join(",")).join("\n") + "\n";
  for (const figure of document.querySelectorAll("figure[id^=chart-]")) {
    const chart = figure.querySelector(".chart svg"), table = figure.querySelector(".data table");
    const formats = [["SVG", chart && (() => ["image/svg+xml", writeSvg(chart)])], ["CSV", table && (() => ["text/csv", writeCsv(table)])]];
    const line = document.createElement("p");
    line.className = "save";
    for (const [format, make] of formats.filter((each) => each[1])) {
      const button = document.createElement("button");
      Object.assign(button, { type: "button", textContent: format });
      button.setAttribute("aria-label", "Save as " + format + ": " + figure.querySelector("figcaption").textContent);
      button.addEventListener("click", () => save(figure.id + "." + format.toLowerCase(), ...make()));
      line.append(button);
    }
    figure.append(line);
  }
})();
