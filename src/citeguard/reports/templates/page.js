"use strict";
// Everything is built from text nodes: nothing of the report is ever read as markup.
(() => {
  const LONGEST = 700;
  const MARGIN = 14; // around a passage of a page, in points
  const NARROWEST = 260; // so many points of a page: a column
  const root = document.documentElement;
  const find = (id) => document.getElementById(id);
  const explanation = find("explanation");
  const sources = find("sources");
  const hint = explanation.firstElementChild;
  let chosen = null;
  let marked = [];
  let known = null;
  let order = null;

  const details = () => {
    if (known === null) {
      known = JSON.parse(find("details").textContent);
      known.byNumber = new Map(known.claims.map((claim) => [claim.number, claim]));
    }
    return known;
  };
  const claimOf = (link) => details().byNumber.get(Number(link.id.slice(1)));
  const claims = () => (order ??= Array.from(document.querySelectorAll(".claim")));
  const count = (number) => number.toLocaleString("en");
  const hiddenByFilter = (link) => link.getAttribute("aria-disabled") === "true";

  const make = (tag, name, ...children) => {
    const element = document.createElement(tag);
    if (name) element.className = name;
    element.append(...children.filter((child) => child !== null && child !== undefined));
    return element;
  };
  const words = (tag, name, text) => {
    const element = make(tag, name, text);
    if (tag !== "bdi") element.dir = "auto";
    return element;
  };
  const button = (label, act) => {
    const element = make("button", "", label);
    element.type = "button";
    element.addEventListener("click", act);
    return element;
  };

  // -- places in the sources

  const segments = (place) => {
    const found = [];
    for (let number = place.first; number <= place.last; number += 1) found.push(find(`g${number}`));
    return found;
  };
  const wordsOf = (place) => {
    let text = place.text ?? "";
    if (place.first) {
      for (let number = place.first; number <= place.last && text.length <= 2 * LONGEST; number += 1)
        text += find(`g${number}`).textContent;
    }
    const characters = Array.from(text.slice(0, 4 * LONGEST));
    return characters.length > LONGEST ? `${characters.slice(0, LONGEST).join("")}…` : text;
  };
  const sourceOf = (place) => details().sources[place.source - 1] ?? {};
  // The same as `page_url` and `text_fragment_url` in links.py.
  const addressOf = (place) => {
    const { url } = sourceOf(place);
    if (!url) return null;
    if (place.page) return `${url.split("#")[0]}#page=${place.page}`;
    const split = segments(place).map((element) => element.textContent).join("").trim().split(/\s+/);
    const ends = split.length <= 8 ? [split] : [split.slice(0, 4), split.slice(-4)];
    const encoded = ends.map((part) => encodeURIComponent(part.join(" ")).replaceAll("-", "%2D"));
    const directive = encoded.join(",");
    return !directive || directive.length > 1500 ? url : `${url}${url.includes("#") ? ":~:" : "#:~:"}text=${directive}`;
  };
  const unmark = () => {
    for (const element of marked) element.classList.remove("current", "deciding");
    marked = [];
  };
  // What a claim uses: the words that decide, or what was looked at; nothing if it was not found.
  const used = (claim) => {
    if (claim.deciding) return claim.deciding;
    return claim.verdict === "unsupported" ? [] : claim.evidence ?? [];
  };
  const mark = (claim) => {
    unmark();
    sources.className = `sources v-${claim.verdict}`;
    for (const number of used(claim)) note(number, claim.deciding ? "deciding" : "current");
  };
  const note = (number, name) => {
    const place = details().places[number];
    if (!place.first) return;
    for (const element of segments(place)) {
      element.classList.add(name);
      marked.push(element);
    }
  };
  const scrollsAlone = () => getComputedStyle(sources).overflowY === "auto";
  const centre = (element) => {
    const inner = element.getBoundingClientRect();
    const outer = sources.getBoundingClientRect();
    sources.scrollTop += inner.top - outer.top - outer.height / 3;
  };
  let awaited = null;
  const reveal = (element, frames = 6) => {
    element.closest("details").open = true;
    awaited = element;
    centre(element);
    // Blocks that come into view only now are laid out only now, and may move it.
    const again = () => awaited === element && reveal(element, frames - 1);
    if (frames) requestAnimationFrame(again);
  };
  const goTo = (element) => {
    element.closest("details").open = true;
    if (scrollsAlone()) {
      reveal(element);
      element.scrollIntoView({ block: "nearest" });
    } else {
      element.scrollIntoView({ block: "center" });
    }
    element.tabIndex = -1;
    element.focus({ preventScroll: true });
  };
  const firstPlace = (claim) =>
    used(claim).map((number) => details().places[number]).find((place) => place.first);
  const goToEvidence = () => {
    const place = chosen && firstPlace(claimOf(chosen));
    if (place) goTo(find(`g${place.first}`));
  };

  // -- pages of PDF files

  const scrollToMarks = (view) => {
    const marks = view.querySelector("g")?.getBoundingClientRect();
    if (!marks) return;
    const outer = view.getBoundingClientRect();
    view.scrollTop += marks.top - outer.top - Math.max(16, (view.clientHeight - marks.height) / 3);
    view.scrollLeft += marks.left - outer.left - Math.max(16, (view.clientWidth - marks.width) / 2);
  };
  const enlarge = (sheet) => {
    const view = make("dialog", "whole", button("Close", () => view.close()), sheet.cloneNode(true));
    view.lastChild.addEventListener("click", () => view.close());
    view.addEventListener("close", () => view.remove());
    document.body.append(view);
    view.showModal();
    scrollToMarks(view);
  };
  // Only the passage, with some of the page around it, so that it can be read.
  const cropped = (sheet) => {
    const size = sheet.viewBox.baseVal;
    const boxes = Array.from(sheet.querySelectorAll("rect"), (box) =>
      ["x", "y", "width", "height"].map((name) => Number(box.getAttribute(name))));
    const edges = (first, length) => [
      Math.min(...boxes.map((box) => box[first])) - MARGIN,
      Math.max(...boxes.map((box) => box[first] + box[length])) + MARGIN,
    ];
    const fitted = ([low, high], least, most) => {
      const missing = Math.max(0, least - (high - low)) / 2;
      const start = Math.max(0, Math.min(low - missing, most - (high - low + 2 * missing)));
      return [start, Math.min(high - low + 2 * missing, most - start)];
    };
    const [left, width] = fitted(edges(0, 2), NARROWEST, size.width);
    const [top, height] = fitted(edges(1, 3), 0, size.height);
    const part = sheet.cloneNode(true);
    part.setAttribute("viewBox", `${left} ${top} ${width} ${height}`);
    return part;
  };
  // The sheet of the list of pages, with the marks of one place only.
  const sheetOf = (id, number) => {
    const sheet = find(id).querySelector("svg").cloneNode(true);
    for (const marks of sheet.querySelectorAll("g")) {
      marks.removeAttribute("id");
      if (Number(marks.dataset.place) !== number) marks.remove();
    }
    const part = cropped(sheet);
    part.addEventListener("click", () => enlarge(sheet));
    const view = make("div", "view", part);
    view.tabIndex = 0;
    view.role = "group";
    view.ariaLabel = "The page, with the passage marked";
    return make("figure", "", view, button("Show the whole page", () => enlarge(sheet)));
  };

  // -- the explanation

  const cited = (number) => {
    const place = details().places[number];
    const actions = make("p", "actions");
    if (place.first) actions.append(button("Show in source", () => goTo(find(`g${place.first}`))));
    const url = addressOf(place);
    if (url) {
      const link = make("a", "", "Open the page", make("span", "hidden", " (in a new tab)"));
      link.href = url;
      link.target = "_blank";
      link.rel = "noopener noreferrer";
      actions.append(link);
    }
    const origin = make("footer", "", words("bdi", "", place.name ?? sourceOf(place).name));
    if (place.where) origin.append(", ", words("bdi", "", place.where));
    if (place.says) origin.prepend(make("b", "", "Contradicts it: "));
    const quoted = make("blockquote", "", words("p", "", wordsOf(place)), origin);
    const sheets = (place.sheets ?? []).map((id) => sheetOf(id, number));
    return make("div", "place", ...sheets, quoted, actions);
  };
  const heading = (text) => make("h4", "", text);
  const folded = (title, children) => (children.length
    ? [make("details", "others", make("summary", "", `${title} (${children.length})`), ...children)] : []);
  const part = (title, children) => (children.length ? [heading(title), ...children] : []);
  const fact = (whose, name, text) => (text ? [`${whose} `, words("bdi", name, text)] : [`not in the ${whose}`]);
  const differences = (claim) =>
    (claim.differences ?? []).map(([kind, stated, found]) =>
      make("li", "", `${kind}: `, ...fact("claim", "stated", stated), " → ", ...fact("source", "found", found)));
  const corrected = (claim) => {
    const tags = { removed: "del", added: "ins" };
    const changes = words("p", "changes", "");
    for (const [kind, text] of claim.changes)
      changes.append(tags[kind] ? make(tags[kind], "", make("span", "hidden", ` ${kind} `), text) : text);
    return [words("p", "corrected", claim.corrected), changes];
  };
  const remarks = (claim) => [
    claim.aside && `Set aside: ${claim.aside}.`,
    claim.context && `Understood together with: ${claim.context}`,
    claim.cited && `Cites: ${claim.cited.join(", ")}.`,
    claim.judge && `Judged by: ${claim.judge}.`,
  ].filter(Boolean).map((text) => words("p", "remark", text));
  const explained = (claim) => {
    const badge = make("h3", "badge", make("span", "icon"), claim.label);
    badge.firstElementChild.setAttribute("aria-hidden", "true");
    const facts = differences(claim);
    const others = (claim.evidence ?? []).map(cited);
    const deciding = (claim.deciding ?? []).map(cited);
    const problems = (claim.findings ?? []).map((index) => {
      const finding = details().findings[index];
      return make("p", "finding", make("b", "problem", finding.label), " ", words("span", "", finding.message));
    });
    return make("div", `answer v-${claim.verdict}`,
      make("div", "answer-top", badge,
        make("span", "which", `Claim ${count(claim.number)} of ${count(details().claims.length)}`)),
      words("p", "claimed", claim.text),
      words("p", "explanation", claim.explanation),
      facts.length ? make("ul", "facts", ...facts) : null,
      ...(claim.changes ? part("Correction", corrected(claim)) : []),
      ...part("What the source says", deciding),
      ...part("Citations", problems),
      ...(claim.verdict === "undecided" && !deciding.length
        ? part("Closest passages", others)
        : folded(deciding.length ? "Other passages looked at" : "Closest passages", others)),
      ...remarks(claim));
  };

  // -- choosing claims

  const choose = (link, scrolls = true) => {
    if (chosen !== link) {
      chosen?.removeAttribute("aria-current");
      chosen = link;
      link.setAttribute("aria-current", "true");
      root.classList.add("chosen");
      find("close").hidden = false;
      const claim = claimOf(link);
      explanation.replaceChildren(explained(claim));
      find("announcement").textContent = `${claim.label}: ${claim.explanation}`;
      find("panel").scrollTop = 0;
      for (const view of explanation.querySelectorAll(".view")) scrollToMarks(view);
      mark(claim);
      const place = firstPlace(claim);
      if (place && scrollsAlone()) reveal(find(`g${place.first}`));
      showStep();
    }
    if (scrolls) link.scrollIntoView({ block: "nearest" });
  };
  const focusAndChoose = (link) => {
    if (hiddenByFilter(link)) showAll();
    link.focus({ preventScroll: true });
    choose(link);
  };
  const close = () => {
    if (chosen === null) return;
    chosen.removeAttribute("aria-current");
    chosen = null;
    root.classList.remove("chosen");
    find("close").hidden = true;
    explanation.replaceChildren(hint);
    find("announcement").textContent = "";
    unmark();
    showStep();
  };
  const step = (by) => {
    const all = claims();
    let index = all.indexOf(document.activeElement?.closest(".claim") ?? chosen) + by;
    while (all[index] && hiddenByFilter(all[index])) index += by;
    if (all[index]) focusAndChoose(all[index]);
  };
  // The problems, the most urgent first; all claims where no problem is shown.
  const stops = () => {
    const shown = (links) => links.filter((link) => link && !hiddenByFilter(link));
    const problems = shown(details().problems.map((number) => find(`c${number}`)));
    return problems.length ? [problems, "problem"] : [shown(claims()), "claim"];
  };
  const showStep = () => {
    const [all, noun] = stops();
    const at = all.indexOf(chosen);
    find("step").textContent = at < 0
      ? `${count(all.length)} ${noun}${all.length === 1 ? "" : "s"}`
      : `${noun === "claim" ? "Claim" : "Problem"} ${count(at + 1)} of ${count(all.length)}`;
    for (const id of ["previous", "next"]) find(id).hidden = !all.length;
  };
  const stepTo = (by) => {
    const [all] = stops();
    if (!all.length) return;
    const at = all.indexOf(chosen);
    choose(all[at < 0 ? (by > 0 ? 0 : all.length - 1) : (at + by + all.length) % all.length]);
  };
  const goBack = () => {
    if (chosen === null) return;
    chosen.focus({ preventScroll: true });
    chosen.scrollIntoView({ block: "nearest" });
  };
  const readOn = (link) => {
    if (chosen === link) (explanation.querySelector("button, a") ?? find("panel")).focus();
    else choose(link);
  };
  const claimsOn = (number) => {
    const on = (index) => {
      const place = details().places[index];
      return place?.first <= number && number <= place.last;
    };
    return details().claims.filter((claim) => [...(claim.deciding ?? []), ...(claim.evidence ?? [])].some(on));
  };
  const claimFrom = (segment) => {
    if (marked.includes(segment)) return goBack();
    const links = claimsOn(Number(segment.id.slice(1))).map((claim) => find(`c${claim.number}`)).filter(Boolean);
    const link = links.find((element) => !hiddenByFilter(element)) ?? links[0];
    if (link) focusAndChoose(link);
  };

  // -- filters

  const filters = Array.from(document.querySelectorAll(".filter"));
  const filter = () => {
    const pressed = filters.filter((one) => one.getAttribute("aria-pressed") === "true");
    const shown = new Set(pressed.map((one) => one.dataset.verdict));
    if (shown.size) root.dataset.show = [...shown].join(" ");
    else delete root.dataset.show;
    find("all").hidden = shown.size === 0;
    let shownClaims = 0;
    for (const link of claims()) {
      const out = shown.size > 0 && !shown.has(link.classList[1].slice(2));
      shownClaims += out ? 0 : 1;
      if (out !== hiddenByFilter(link)) {
        link.tabIndex = out ? -1 : 0;
        link.setAttribute("aria-disabled", String(out));
      }
    }
    if (chosen && hiddenByFilter(chosen)) close();
    showStep();
    find("status").textContent = `Showing ${count(shownClaims)} of ${count(claims().length)} claims.`;
  };

  const showAll = () => {
    for (const one of filters) one.setAttribute("aria-pressed", "false");
    filter();
  };

  // -- what the reader does

  const keysOnClaim = {
    Enter: readOn, " ": readOn, Escape: close,
    ArrowDown: () => step(1), ArrowRight: () => step(1), j: () => step(1),
    ArrowUp: () => step(-1), ArrowLeft: () => step(-1), k: () => step(-1),
    n: () => stepTo(1), p: () => stepTo(-1),
    e: (link) => { choose(link); goToEvidence(); },
  };
  const keysElsewhere = {
    Escape: close, e: goToEvidence, j: () => step(1), k: () => step(-1), n: () => stepTo(1), p: () => stepTo(-1),
  };
  const keysBeside = { ...keysElsewhere, Escape: goBack, Backspace: goBack };
  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.target.closest("input, select, textarea, [contenteditable], dialog")) return;
    const link = event.target.closest(".claim:not([aria-disabled='true'])");
    const inside = chosen && event.target.closest("#panel, #sources");
    const keys = link ? keysOnClaim : inside ? keysBeside : keysElsewhere;
    if (!Object.hasOwn(keys, event.key)) return;
    event.preventDefault();
    keys[event.key](link);
  });
  document.addEventListener("click", (event) => {
    const target = event.target.closest("a, button, .evidence");
    if (target === null) return;
    const [, kind, number] = /^#([cg])(\d+)$/.exec(target.getAttribute("href") ?? "") ?? [];
    if (target.classList.contains("claim")) {
      event.preventDefault();
      if (!hiddenByFilter(target) && getSelection().isCollapsed) choose(target);
    } else if (target.classList.contains("evidence")) {
      if (getSelection().isCollapsed) claimFrom(target);
    } else if (kind && find(`${kind}${number}`)) {
      event.preventDefault();
      (kind === "c" ? focusAndChoose : goTo)(find(`${kind}${number}`));
    } else if (target.classList.contains("filter")) {
      target.setAttribute("aria-pressed", String(target.getAttribute("aria-pressed") !== "true"));
      filter();
    }
  });
  find("all").addEventListener("click", () => {
    showAll();
    filters[0].focus();
  });
  find("next").addEventListener("click", () => stepTo(1));
  find("previous").addEventListener("click", () => stepTo(-1));
  find("close").addEventListener("click", () => {
    goBack();
    close();
  });
  const fromAddress = () => {
    const link = /^#c\d+$/.test(location.hash) ? find(location.hash.slice(1)) : null;
    if (link) focusAndChoose(link);
    return link;
  };
  addEventListener("hashchange", fromAddress);

  // The column beside the text fills the window, also below the head of the page.
  const beside = document.querySelector(".beside");
  const fit = () => {
    const room = innerHeight - Math.max(16, beside.getBoundingClientRect().top) - 16;
    root.style.setProperty("--beside", `${Math.round(room)}px`);
  };
  addEventListener("scroll", () => requestAnimationFrame(fit), { passive: true });
  addEventListener("resize", fit);

  let closed = [];
  addEventListener("beforeprint", () => {
    closed = Array.from(document.querySelectorAll("details:not([open])"));
    for (const one of closed) one.open = true;
  });
  addEventListener("afterprint", () => {
    for (const one of closed) one.open = false;
  });

  root.classList.add("scripted");
  for (const one of filters) one.disabled = false;
  fit();
  showStep();
  // The page opens on the first problem, without a jump past the score.
  const first = find(`c${details().problems[0]}`);
  if (!fromAddress() && first) choose(first, false);
})();
