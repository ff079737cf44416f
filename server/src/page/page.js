// The pages work without this; it only saves some keys and clicks.
(() => {
  "use strict";
  const form = document.getElementById("search");
  const box = document.getElementById("q");
  if (!form || !box) return;

  // "/" goes to the search box, unless something is being typed.
  document.addEventListener("keydown", (event) => {
    const typing = event.target.closest("input, textarea, select, [contenteditable]");
    if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      box.focus();
      box.select();
    }
  });

  // Another mode searches at once where there is something to search for.
  for (const mode of form.querySelectorAll('input[name="mode"]')) {
    mode.addEventListener("change", () => {
      if (box.value.trim()) form.requestSubmit();
    });
  }

  // Fields left empty stay out of the address.
  form.addEventListener("submit", () => {
    for (const field of form.elements) {
      if (field.name && field.value === "") field.disabled = true;
    }
  });

  // The fields come back when the page is shown again out of the browser's memory.
  window.addEventListener("pageshow", () => {
    for (const field of form.elements) field.disabled = false;
  });
})();
