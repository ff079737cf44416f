// The answer to a question, fetched when the page with its hits is there.
// Whatever comes from articles is text: nothing of it is ever read as markup.
(() => {
  "use strict";
  const box = document.getElementById("answer");
  const state = document.getElementById("answer-state");
  const body = document.getElementById("answer-body");
  if (!box || !state || !body || !window.fetch) return;
  const address = box.dataset.ask;
  const VERDICTS = {
    yes: "On the whole: yes",
    no: "On the whole: no",
    maybe: "On the whole: undecided",
  };
  const STANCES = { yes: "supports it", no: "opposes it", maybe: "does not decide it" };

  const element = (name, attributes, ...inside) => {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.append(...inside);
    return made;
  };

  const counted = (count, one, many) => `${count} ${count === 1 ? one : many}`;

  const percent = (share) => `${Math.round(share * 100)} %`;

  const article = (id, text) => {
    const search = box.dataset.search;
    const href = `/articles/${encodeURIComponent(id)}${search ? `?${search}` : ""}`;
    return element("a", { href }, text);
  };

  // Places are characters of the text, not the UTF-16 units of strings here.
  const evidence = ({ start, end, evidence: sentence }) => {
    const letters = Array.from(sentence.text);
    const [from, to] = [start - sentence.start, end - sentence.start];
    return element(
      "p",
      { class: "evidence" },
      letters.slice(0, from).join(""),
      element("strong", {}, letters.slice(from, to).join("")),
      letters.slice(to).join(""),
    );
  };

  const answerItem = (answer) => {
    const source = element("p", { class: "source" }, article(answer.id, answer.title || answer.id));
    if (answer.year) source.append(` · ${answer.year}`);
    if (answer.retracted) {
      source.append(" ", element("span", { class: "badge alarm" }, "Retracted"));
    }
    source.append(` · confidence ${percent(answer.confidence)}`);
    const also = answer.also_in || [];
    if (also.length > 0) source.append(" · also in ");
    also.forEach((id, at) => source.append(at > 0 ? ", " : "", article(id, id)));
    return element("li", {}, evidence(answer), source);
  };

  const folded = (summary, inside) =>
    element("details", {}, element("summary", {}, summary), inside);

  const verdictPart = (verdict) => {
    const counts = [
      counted(verdict.supporting, "supports it", "support it"),
      counted(verdict.opposing, "opposes it", "oppose it"),
      counted(verdict.undecided, "does not decide it", "do not decide it"),
    ].join(", ");
    const each = verdict.articles.map(({ id, title, stance, score }) =>
      element("li", {}, article(id, title || id), ` ${STANCES[stance]} (${percent(score)})`),
    );
    return element(
      "div",
      { class: "verdict", "data-verdict": verdict.verdict },
      element("p", {}, element("b", {}, VERDICTS[verdict.verdict]), ` · ${counts}`),
      folded("What each article says", element("ol", {}, ...each)),
    );
  };

  const how = (found) => {
    const heads = [found.head, found.verdict_head].filter(Boolean).join(" and ");
    const read = counted(found.read, "article", "articles");
    const seconds = (found.took.total_ms / 1000).toFixed(1);
    return element(
      "p",
      { class: "how" },
      `Read out of ${read} by ${heads} over ${found.model} in ${seconds} s. `,
      "Confidence is the model's own measure, not a probability: read the article. ",
      element("a", { href: address, rel: "nofollow" }, "As JSON"),
    );
  };

  const show = (found) => {
    const parts = [];
    const answers = found.answers.map(answerItem);
    if (found.verdict) parts.push(verdictPart(found.verdict));
    if (answers.length > 0) parts.push(element("ol", { class: "answers" }, answers[0]));
    if (answers.length > 1) {
      const rest = element("ol", { class: "answers", start: "2" }, ...answers.slice(1));
      parts.push(folded(`Other answers (${answers.length - 1})`, rest));
    }
    for (const warning of found.warnings || []) {
      parts.push(element("p", { class: "note" }, warning));
    }
    parts.push(how(found));
    body.replaceChildren(...parts);
    if (found.message) {
      state.textContent = `${found.message[0].toUpperCase()}${found.message.slice(1)}.`;
    } else if (answers.length === 0) {
      state.textContent = "No span of text that answers it was found.";
    } else {
      state.textContent = counted(answers.length, "answer", "answers");
    }
    box.dataset.state = found.message ? "none" : "found";
  };

  const fail = (why) => {
    box.dataset.state = "failed";
    const again = element("button", { type: "button" }, "Try again");
    again.addEventListener("click", ask);
    state.textContent = `The question could not be answered just now: ${why}`;
    body.replaceChildren(again);
  };

  const ask = async () => {
    box.dataset.state = "asking";
    state.textContent = "Reading the best articles …";
    body.replaceChildren();
    let answer;
    try {
      answer = await fetch(address, { headers: { accept: "application/json" } });
    } catch {
      return fail("the server cannot be reached.");
    }
    try {
      const found = await answer.json();
      if (answer.ok) return show(found);
      // The model lost its head since the page was made.
      if (found.error && found.error.code === "no_head") return box.remove();
      fail(found.error ? found.error.message : `status ${answer.status}.`);
    } catch {
      fail(`status ${answer.status}.`);
    }
  };

  ask();
})();
