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

  // What is written and not yet sent is kept over a reload, for each item and reviewer.
  const FIELDS = ["comment", "new_label"];
  const nameDraft = (form) => ["draft", location.pathname, form.elements.reviewer.value, form.elements.id.value].join(" ");
  const keepDraft = (form) => {
    const values = Object.fromEntries(FIELDS.map((name) => [name, form.elements[name].value]));
    if (FIELDS.every((name) => values[name] === form.elements[name].defaultValue)) sessionStorage.removeItem(nameDraft(form));
    else sessionStorage.setItem(nameDraft(form), JSON.stringify(values));
  };
  const restoreDraft = () => {
    const form = review.querySelector(".review-form:has([name=comment])"), draft = form && sessionStorage.getItem(nameDraft(form));
    if (draft) for (const [name, value] of Object.entries(JSON.parse(draft))) form.elements[name].value = value;
  };
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
      if (form.elements.comment && !address.pathname.endsWith("/undo")) sessionStorage.removeItem(nameDraft(form));
      review.innerHTML = await response.text();
      restoreDraft();
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
  review.addEventListener("input", (event) => { if (FIELDS.includes(event.target.name)) keepDraft(event.target.form); });
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
  restoreDraft();
  focusFirst();
})();
