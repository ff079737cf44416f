// The pages work without this; it only saves some keys and clicks.
(() => {
  "use strict";

  // "Copy citation" on the page of an article.
  const copy = document.getElementById("copy-citation");
  const citation = document.getElementById("citation-text");
  if (copy && citation && navigator.clipboard) {
    const copied = document.getElementById("copied");
    copy.hidden = false;
    copy.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(citation.textContent);
        copied.textContent = "Copied";
      } catch {
        copied.textContent = "The browser does not allow it: select the text and copy it";
      }
    });
  }

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

  // Fields left empty stay out of the address; the button says that it goes on.
  form.addEventListener("submit", () => {
    form.setAttribute("aria-busy", "true");
    for (const field of form.elements) {
      if (field.name && field.value === "") field.disabled = true;
    }
  });

  // The fields come back when the page is shown again out of the browser's memory.
  window.addEventListener("pageshow", () => {
    form.removeAttribute("aria-busy");
    for (const field of form.elements) field.disabled = false;
  });

  // Suggestions: a combobox with a list, after the pattern of WAI-ARIA 1.2.
  const list = document.getElementById("suggestions");
  const said = document.getElementById("suggested");
  const address = box.dataset.suggest;
  if (!list || !said || !address || !window.fetch) return;
  const KINDS = { term: "", mesh: "MeSH", journal: "Journal" };
  const PAUSE = 120;
  let chosen = -1;
  let typed = "";
  let timer = 0;
  let pending = null;

  list.setAttribute("role", "listbox");
  box.setAttribute("role", "combobox");
  box.setAttribute("aria-autocomplete", "list");
  box.setAttribute("aria-controls", list.id);
  box.setAttribute("aria-expanded", "false");

  const close = () => {
    clearTimeout(timer);
    if (pending) pending.abort();
    list.hidden = true;
    chosen = -1;
    box.setAttribute("aria-expanded", "false");
    box.removeAttribute("aria-activedescendant");
  };

  const part = (name, text) => {
    const span = document.createElement("span");
    span.className = name;
    span.textContent = text;
    return span;
  };

  const choose = (at) => {
    const items = list.children;
    if (chosen >= 0 && items[chosen]) items[chosen].setAttribute("aria-selected", "false");
    chosen = at;
    if (chosen < 0) {
      box.value = typed;
      box.removeAttribute("aria-activedescendant");
      return;
    }
    const item = items[chosen];
    item.setAttribute("aria-selected", "true");
    item.scrollIntoView({ block: "nearest" });
    box.value = item.dataset.query;
    box.setAttribute("aria-activedescendant", item.id);
  };

  const show = (suggestions) => {
    list.replaceChildren();
    suggestions.forEach((one, at) => {
      const item = document.createElement("li");
      item.id = `suggestion-${at}`;
      item.setAttribute("role", "option");
      item.setAttribute("aria-selected", "false");
      item.dataset.query = one.query;
      const name = one.found_as ? `${one.text} (${one.found_as})` : one.text;
      item.append(part("what", name), part("kind", KINDS[one.kind] || ""));
      item.append(part("n", one.articles.toLocaleString("en")));
      list.append(item);
    });
    const count = suggestions.length;
    chosen = -1;
    list.hidden = count === 0;
    box.setAttribute("aria-expanded", String(count > 0));
    box.removeAttribute("aria-activedescendant");
    said.textContent = count === 0 ? "" : `${count} suggestions; arrow keys go through them`;
  };

  const ask = async () => {
    const text = box.value;
    if (pending) pending.abort();
    if (text.trim().length < 2) return close();
    const asked = new AbortController();
    pending = asked;
    try {
      const answer = await fetch(`${address}?q=${encodeURIComponent(text)}`, {
        signal: asked.signal,
      });
      if (!answer.ok) return close();
      const { suggestions } = await answer.json();
      if (asked.signal.aborted || box.value !== text) return;
      typed = text;
      show(suggestions);
    } catch {
      // Whoever types on, or a server that is gone: no suggestions.
      if (pending === asked) close();
    }
  };

  box.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(ask, PAUSE);
  });

  box.addEventListener("keydown", (event) => {
    const open = !list.hidden;
    const count = list.children.length;
    if (event.key === "Escape" && open) {
      event.preventDefault();
      choose(-1);
      close();
    } else if (event.key === "ArrowDown" && open) {
      event.preventDefault();
      choose(chosen + 1 < count ? chosen + 1 : -1);
    } else if (event.key === "ArrowUp" && open) {
      event.preventDefault();
      choose(chosen < 0 ? count - 1 : chosen - 1);
    } else if (event.key === "ArrowDown") {
      ask();
    }
  });

  list.addEventListener("pointerdown", (event) => {
    const item = event.target.closest("li");
    // The box keeps the focus, so that the list stays until it is taken.
    event.preventDefault();
    if (!item) return;
    box.value = item.dataset.query;
    close();
    form.requestSubmit();
  });

  box.addEventListener("blur", close);
  form.addEventListener("submit", close);
})();
