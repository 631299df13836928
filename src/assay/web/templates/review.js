"use strict";
(() => {
  // Forms that take a while say so.
  document.addEventListener("submit", (event) => {
    const status = event.target.dataset.wait && event.target.querySelector(".wait-status");
    if (status && !(event.submitter && event.submitter.formAction.endsWith("/undo"))) status.textContent = event.target.dataset.wait;
  });
  const review = document.getElementById("review");
  if (!review) return;
  const token = document.body.dataset.token;
  let busy = false; // a key counts for the item on the screen only, so keys are dropped until the next one is shown

  const focusFirst = () => (review.querySelector("[data-first]") || review.querySelector(".review-form button")).focus();
  const showProblem = (form, answer) => {
    form.querySelector(".problem").textContent = answer.error;
    if (answer.seen !== undefined) form.elements.seen.value = answer.seen;
    if (answer.confirmed !== undefined) form.elements.confirmed.value = answer.confirmed;
  };
  const send = async (form, button) => {
    if (busy) return;
    busy = true;
    try {
      const address = new URL(button && button.hasAttribute("formaction") ? button.formAction : form.action);
      address.searchParams.set("fragment", "1");
      const body = new URLSearchParams(new FormData(form, button));
      const response = await fetch(address, { method: "POST", body, headers: { Accept: "application/json", "X-Assay-Token": token } });
      if (!response.ok) return showProblem(form, await response.json());
      review.innerHTML = await response.text();
      const here = new URL(location.href);
      here.searchParams.delete("item");
      history.replaceState(null, "", here);
      focusFirst();
      scrollTo(0, 0);
    } catch (error) {
      showProblem(form, { error: "The connection was lost. Is assay serve still running?" });
    } finally {
      busy = false;
    }
  };
  review.addEventListener("submit", (event) => {
    const form = event.target;
    if (!form.matches(".review-form")) return;
    event.preventDefault();
    let button = event.submitter;
    // Enter in a field would press the first button.
    if (document.activeElement.name === "comment") return focusFirst();
    if (document.activeElement.name === "new_label") button = form.querySelector("[value=new]");
    send(form, button);
  });
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || busy) return;
    if (event.target.matches("input, select, textarea")) {
      if (event.key === "Escape") focusFirst();
      return;
    }
    if (!/^[\w]$/.test(event.key)) return;
    const target = review.querySelector('.review-form [aria-keyshortcuts="' + event.key.toLowerCase() + '"]');
    if (!target) return;
    event.preventDefault();
    if (target.matches("input")) target.focus(); else target.click();
  });
  focusFirst();
})();
