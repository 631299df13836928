"use strict";
(() => {
  // Charts: enlarged, zoomed and selected from, and saved as SVG, PNG and PDF for one column of a paper, numbers as CSV.
  const INCHES = 3.35, DPI = 600, NEAR = 6; // pixels that a drag has at least
  const save = (name, type, content) => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([content], { type }));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  };
  const readSize = (chart) => chart.dataset.whole.split(" ").slice(2).map(Number);
  const writeSvg = (chart) => {
    const copy = chart.cloneNode(true), [width, height] = readSize(chart);
    const values = { viewBox: chart.dataset.whole, width: INCHES + "in", height: (INCHES * height / width).toFixed(3) + "in", "font-family": "sans-serif" };
    for (const [name, value] of Object.entries(values)) copy.setAttribute(name, value);
    for (const name of ["data-whole", "aria-hidden", "focusable"]) copy.removeAttribute(name);
    for (const mark of copy.querySelectorAll("[data-items],[data-tip]")) { delete mark.dataset.items; delete mark.dataset.tip; mark.removeAttribute("style"); }
    return new XMLSerializer().serializeToString(copy);
  };
  const paint = async (chart) => {
    const image = new Image(), canvas = document.createElement("canvas"), [width, height] = readSize(chart);
    image.src = "data:image/svg+xml;charset=utf-8," + encodeURIComponent(writeSvg(chart));
    await image.decode();
    [canvas.width, canvas.height] = [Math.round(INCHES * DPI), Math.round(INCHES * DPI * height / width)];
    const brush = canvas.getContext("2d");
    brush.fillStyle = "#fff";
    brush.fillRect(0, 0, canvas.width, canvas.height);
    brush.drawImage(image, 0, 0, canvas.width, canvas.height);
    return canvas;
  };
  // A PNG says how large it is by a chunk with pixels per metre, which is put behind the first one.
  const checksum = (bytes) => {
    let sum = -1;
    for (const byte of bytes) {
      sum ^= byte;
      for (let bit = 0; bit < 8; bit++) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0);
    }
    return ~sum >>> 0;
  };
  const writePng = async (chart) => {
    const canvas = await paint(chart), blob = await new Promise((done) => canvas.toBlob(done, "image/png"));
    const chunk = new DataView(new ArrayBuffer(21)), perMetre = Math.round(DPI / 0.0254);
    chunk.setUint32(0, 9);
    [..."pHYs"].forEach((letter, place) => chunk.setUint8(4 + place, letter.charCodeAt(0)));
    chunk.setUint32(8, perMetre);
    chunk.setUint32(12, perMetre);
    chunk.setUint8(16, 1);
    chunk.setUint32(17, checksum(new Uint8Array(chunk.buffer, 4, 13)));
    return new Blob([blob.slice(0, 33), chunk.buffer, blob.slice(33)]);
  };
  const writePdf = async (chart) => {
    const canvas = await paint(chart), { width, height } = canvas;
    const pixels = canvas.getContext("2d").getImageData(0, 0, width, height).data, colours = new Uint8Array(3 * width * height);
    for (let from = 0, to = 0; from < pixels.length; from += 4) for (let part = 0; part < 3; part++) colours[to++] = pixels[from + part];
    const packed = await new Response(new Blob([colours]).stream().pipeThrough(new CompressionStream("deflate"))).arrayBuffer();
    const [across, down] = [72 * INCHES, 72 * INCHES * height / width].map((points) => points.toFixed(2));
    const content = "q " + across + " 0 0 " + down + " 0 0 cm /Chart Do Q";
    const objects = [
      ["<</Type/Catalog/Pages 2 0 R>>"],
      ["<</Type/Pages/Kids[3 0 R]/Count 1>>"],
      ["<</Type/Page/Parent 2 0 R/MediaBox[0 0 " + across + " " + down + "]/Contents 4 0 R/Resources<</XObject<</Chart 5 0 R>>>>>>"],
      ["<</Length " + content.length + ">>stream\n" + content + "\nendstream"],
      ["<</Type/XObject/Subtype/Image/Width " + width + "/Height " + height + "/ColorSpace/DeviceRGB/BitsPerComponent 8/Filter/FlateDecode/Length " + packed.byteLength + ">>stream\n", packed, "\nendstream"],
    ];
    const parts = ["%PDF-1.4\n"], places = [];
    let at = parts[0].length;
    objects.forEach((object, number) => {
      places.push(String(at).padStart(10, "0") + " 00000 n \n");
      for (const part of [number + 1 + " 0 obj\n", ...object, "\nendobj\n"]) { parts.push(part); at += part.byteLength ?? part.length; }
    });
    parts.push("xref\n0 6\n0000000000 65535 f \n" + places.join("") + "trailer<</Size 6/Root 1 0 R>>\nstartxref\n" + at + "\n%%EOF\n");
    return new Blob(parts);
  };
  const quote = (cell) => /[",\n]/.test(cell) ? '"' + cell.replaceAll('"', '""') + '"' : cell;
  const writeCsv = (table) => [...table.rows].map((row) => [...row.cells].map((cell) => quote(cell.textContent)).join(",")).join("\n") + "\n";

  // A drag over marks of items selects these items; any other one, or one with Shift, zooms into the chart.
  const listMarks = (chart, box) => [...chart.querySelectorAll("[data-items]")].filter((mark) => {
    const { left, right, top, bottom } = mark.getBoundingClientRect();
    return left < box.right && right > box.left && top < box.bottom && bottom > box.top;
  });
  const joinFilters = (marks) => {
    const filters = [...new Set(marks.map((mark) => mark.dataset.items))];
    return filters.length === 1 ? filters[0] : "any=" + encodeURIComponent(filters.join("|"));
  };
  const zoom = (chart, box) => {
    const toChart = chart.getScreenCTM().inverse();
    const [from, to] = [new DOMPoint(box.left, box.top), new DOMPoint(box.right, box.bottom)].map((point) => point.matrixTransform(toChart));
    // The part that is shown has the form of the whole, so that the page around the chart stays where it is.
    const [width, height] = readSize(chart), share = Math.max((to.x - from.x) / width, (to.y - from.y) / height);
    const size = [share * width, share * height], corner = [(from.x + to.x - size[0]) / 2, (from.y + to.y - size[1]) / 2];
    chart.setAttribute("viewBox", [...corner, ...size].map((value) => value.toFixed(2)).join(" "));
  };
  const followDrags = (chart, onZoom) => {
    let start = null, shade = null;
    const boxOf = (event) => ({
      left: Math.min(start.clientX, event.clientX), right: Math.max(start.clientX, event.clientX),
      top: Math.min(start.clientY, event.clientY), bottom: Math.max(start.clientY, event.clientY),
    });
    const end = () => { start = null; shade?.remove(); shade = null; };
    chart.addEventListener("pointerdown", (event) => { if (event.button === 0 && event.pointerType !== "touch") { start = event; event.preventDefault(); } });
    addEventListener("pointermove", (event) => {
      if (!start) return;
      const box = boxOf(event);
      if (!shade && box.right - box.left < NEAR && box.bottom - box.top < NEAR) return;
      if (!shade) { shade = document.createElement("div"); shade.className = "brush"; document.body.append(shade); }
      Object.assign(shade.style, { left: box.left + "px", top: box.top + "px", width: box.right - box.left + "px", height: box.bottom - box.top + "px" });
    });
    addEventListener("pointerup", (event) => {
      if (!shade) return end();
      const box = boxOf(event), marks = event.shiftKey ? [] : listMarks(chart, box);
      end();
      addEventListener("click", (click) => click.stopPropagation(), { capture: true, once: true }); // of the end of the drag
      setTimeout(() => { if (marks.length) chart.dispatchEvent(new CustomEvent("items", { bubbles: true, detail: joinFilters(marks) })); else { zoom(chart, box); onZoom(true); } });
    });
    addEventListener("pointercancel", end);
  };

  const addButton = (line, text, title, act) => {
    const button = document.createElement("button");
    Object.assign(button, { type: "button", textContent: text });
    button.setAttribute("aria-label", title);
    button.addEventListener("click", () => act(button));
    line.append(button);
    return button;
  };
  for (const figure of document.querySelectorAll("figure[id^=chart-]")) {
    const chart = figure.querySelector(".chart svg"), table = figure.querySelector(".data table");
    const title = figure.querySelector("figcaption").textContent, line = document.createElement("p");
    line.className = "save";
    if (chart) {
      chart.dataset.whole = chart.getAttribute("viewBox");
      const large = addButton(line, "Enlarge", "Enlarge: " + title, (button) => {
        button.textContent = figure.classList.toggle("large") ? "Reduce" : "Enlarge";
        button.setAttribute("aria-label", button.textContent + ": " + title);
      });
      const whole = addButton(line, "Whole chart", "Show the whole chart: " + title, () => {
        chart.setAttribute("viewBox", chart.dataset.whole);
        whole.hidden = true;
        large.focus();
      });
      whole.hidden = true;
      followDrags(chart, () => { whole.hidden = false; });
    }
    const formats = chart ? [["SVG", "image/svg+xml", writeSvg], ["PNG", "image/png", writePng], ["PDF", "application/pdf", writePdf]] : [];
    for (const [format, type, write] of formats) {
      addButton(line, format, "Save as " + format + ": " + title, async () => save(figure.id + "." + format.toLowerCase(), type, await write(chart)));
    }
    if (table) addButton(line, "CSV", "Save as CSV: " + title, () => save(figure.id + ".csv", "text/csv", writeCsv(table)));
    if (chart) {
      const hint = document.createElement("span");
      hint.className = "quiet";
      hint.textContent = chart.querySelector("[data-items]") ? "Drag: select items. Shift and drag: zoom." : "Drag: zoom.";
      line.append(hint);
    }
    figure.append(line);
  }
})();
