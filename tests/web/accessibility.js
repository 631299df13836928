// Return what is wrong on this page: names, labels, landmarks, headings, ids and contrast.
(() => {
  const problems = [];
  const seen = (node) => node.getClientRects().length && getComputedStyle(node).visibility !== "hidden";
  const name = (node) => (node.getAttribute("aria-label") || node.textContent || node.title || "").trim();
  for (const node of document.querySelectorAll("a[href], button, summary")) if (seen(node) && !name(node)) problems.push("no name: " + node.outerHTML.slice(0, 90));
  for (const node of document.querySelectorAll("input:not([type=hidden]), select, textarea")) {
    if (!node.labels.length && !node.getAttribute("aria-label")) problems.push("no label: " + node.outerHTML.slice(0, 90));
  }
  for (const node of document.querySelectorAll("img:not([alt]), svg:not([aria-hidden]):not([aria-label]):not([aria-labelledby]):not([role=presentation])")) problems.push("no alternative: " + node.outerHTML.slice(0, 90));
  for (const landmark of ["main", "header", "footer"]) if (document.querySelectorAll("body > " + landmark).length !== 1) problems.push("not one " + landmark);
  if (document.querySelectorAll("h1").length !== 1) problems.push("not one h1");
  let level = 0;
  for (const heading of document.querySelectorAll("h1, h2, h3, h4")) {
    const next = Number(heading.tagName[1]);
    if (next > level + 1) problems.push("heading skips a level: " + heading.textContent.trim().slice(0, 60));
    level = next;
  }
  const ids = [...document.querySelectorAll("[id]")].map((node) => node.id);
  for (const id of new Set(ids)) if (ids.filter((other) => other === id).length > 1) problems.push("id twice: " + id);
  for (const node of document.querySelectorAll("[aria-labelledby], [aria-describedby]")) {
    for (const id of (node.getAttribute("aria-labelledby") || node.getAttribute("aria-describedby")).split(/\s+/)) if (!document.getElementById(id)) problems.push("no element " + id);
  }
  if (!document.documentElement.lang || !document.title) problems.push("no language or title");
  for (const region of document.querySelectorAll(".scroll")) if (region.scrollWidth > region.clientWidth && region.tabIndex < 0) problems.push("not scrollable with the keyboard");
  const parse = (text) => { const parts = text.match(/[\d.]+/g).map(Number); return parts.length < 4 ? [...parts.slice(0, 3), 1] : parts; };
  const light = ([red, green, blue]) => [red, green, blue].map((value) => value / 255).map((value) => value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4)
    .reduce((sum, value, place) => sum + value * [0.2126, 0.7152, 0.0722][place], 0);
  const ground = (node) => { for (let at = node; at; at = at.parentElement) { const colour = parse(getComputedStyle(at).backgroundColor); if (colour[3] > 0.99) return colour; } return [255, 255, 255, 1]; };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let text = walker.nextNode(); text; text = walker.nextNode()) {
    const node = text.parentElement;
    if (!text.data.trim() || !seen(node) || node.closest("svg, script, option, [disabled], .unseen, .skip, [aria-hidden]")) continue;
    const style = getComputedStyle(node), colours = [light(parse(style.color)), light(ground(node))].sort();
    const large = parseFloat(style.fontSize) >= 24 || (parseFloat(style.fontSize) >= 18.66 && Number(style.fontWeight) >= 700);
    const ratio = (Math.max(...colours) + 0.05) / (Math.min(...colours) + 0.05);
    if (ratio < (large ? 3 : 4.5)) problems.push("contrast " + ratio.toFixed(2) + ": " + text.data.trim().slice(0, 40));
  }
  return problems;
})()
