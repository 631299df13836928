// Names for parts of the theme that have none: the search dialog, and the buttons of each block of code.
const nameParts = () => {
  for (const dialog of document.querySelectorAll(".md-search[role=dialog]")) dialog.setAttribute("aria-label", "Search");
  document.querySelectorAll(".md-code__nav").forEach((bar, number) => {
    bar.setAttribute("aria-label", "Code block " + (number + 1));
    for (const button of bar.querySelectorAll("button[title]")) button.setAttribute("aria-label", button.title);
  });
};
nameParts();
new MutationObserver(nameParts).observe(document.body, { childList: true, subtree: true });
