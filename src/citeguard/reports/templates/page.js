// What explains a claim is its entry in the list of claims: here it is shown beside the text.
// Everything else is built from text nodes: nothing of the report is ever read as markup.
(() => {
  const LONGEST = 700; // characters of a passage beside the text
  const MARGIN = 14; // around a passage of a page, in points
  const NARROWEST = 260; // so many points of a page: a column
  const root = document.documentElement;
  const find = (id) => document.getElementById(id);
  const unlisted = find("unlisted").content; // the entries of claims that are too many for the list
  const all = (selector) => [...document.querySelectorAll(selector), ...unlisted.querySelectorAll(selector)];
  const explanation = find("explanation");
  const sources = find("sources");
  const hint = explanation.firstElementChild;
  const claims = Array.from(document.querySelectorAll(".claim"));
  const ticks = Array.from(document.querySelectorAll(".ticks rect"));
  let chosen = null;
  let marked = [];

  const entryOf = (link) => {
    const id = link.getAttribute("href").slice(1);
    return find(id) ?? unlisted.getElementById(id);
  };
  const count = (number) => number.toLocaleString("en");
  const hiddenByFilter = (link) => link.getAttribute("aria-disabled") === "true";

  const make = (tag, name, ...children) => {
    const element = document.createElement(tag);
    if (name) element.className = name;
    element.append(...children);
    return element;
  };
  const button = (label, act) => {
    const element = make("button", "", label);
    element.type = "button";
    element.addEventListener("click", act);
    return element;
  };

  // -- places in the sources

  const segments = ({ dataset: { first, last } }) => {
    const found = [];
    for (let number = Number(first); number <= Number(last); number += 1) found.push(find(`g${number}`));
    return found; // none if the page does not have the source
  };
  // What a claim uses: the words that decide, or what was looked at; nothing if it was not found.
  const used = (entry) => {
    const deciding = Array.from(entry.querySelectorAll(".place.decisive"));
    if (deciding.length || entry.classList.contains("v-unsupported")) return deciding;
    return Array.from(entry.querySelectorAll(".place"));
  };
  const unmark = () => {
    for (const element of marked) element.classList.remove("current", "deciding");
    marked = [];
  };
  const mark = (entry) => {
    unmark();
    sources.className = `sources ${entry.classList[1]}`;
    for (const place of used(entry)) {
      for (const element of segments(place)) {
        element.classList.add(place.classList.contains("decisive") ? "deciding" : "current");
        marked.push(element);
      }
    }
  };
  const scrollsAlone = () => getComputedStyle(sources).overflowY === "auto";
  let awaited = null;
  const reveal = (element, frames = 6) => {
    element.closest("details").open = true;
    awaited = element;
    const [inner, outer] = [element, sources].map((one) => one.getBoundingClientRect());
    sources.scrollTop += inner.top - outer.top - outer.height / 2.5;
    // Blocks that come into view only now are laid out only now, and may move it.
    if (frames) requestAnimationFrame(() => awaited === element && reveal(element, frames - 1));
  };
  const goTo = (element) => {
    element.closest("details").open = true;
    element.closest("details").classList.remove("aside");
    for (const sheet of find("shown").querySelectorAll(".sheet, .where button")) sheet.remove();
    if (scrollsAlone()) reveal(element);
    element.scrollIntoView({ block: scrollsAlone() ? "nearest" : "center" });
    element.tabIndex = -1;
    element.focus({ preventScroll: true });
  };
  const firstPlace = (entry) => segments(used(entry).find((place) => place.dataset.first) ?? entry)[0];
  const goToEvidence = () => {
    const place = chosen && firstPlace(entryOf(chosen));
    if (place) goTo(place);
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
  const cropped = (sheet, tall = false) => {
    const size = sheet.viewBox.baseVal;
    const boxes = Array.from(sheet.querySelectorAll("rect"), (box) =>
      ["x", "y", "width", "height"].map((name) => Number(box.getAttribute(name))));
    const fitted = (first, length, least, most) => {
      const low = Math.min(...boxes.map((box) => box[first])) - MARGIN;
      const high = Math.max(...boxes.map((box) => box[first] + box[length])) + MARGIN;
      const missing = Math.max(0, least - (high - low)) / 2;
      const start = Math.max(0, Math.min(low - missing, most - (high - low + 2 * missing)));
      return [start, Math.min(high - low + 2 * missing, most - start)];
    };
    // A column, if the passage is as wide; else some more, since it may be anywhere in its column.
    const wide = Math.max(...boxes.map((box) => box[2])) > NARROWEST / 1.5;
    const [left, width] = fitted(0, 2, tall && !wide ? 1.3 * NARROWEST : NARROWEST, size.width);
    const [top, height] = fitted(1, 3, tall ? size.height : 0, size.height);
    const part = sheet.cloneNode(true);
    part.setAttribute("viewBox", `${left} ${top} ${width} ${height}`);
    return part;
  };
  // The sheet of the list of pages, with the marks of one place only.
  const markedSheet = (id, number) => {
    const sheet = find(id).querySelector("svg").cloneNode(true);
    for (const marks of sheet.querySelectorAll("g")) {
      marks.removeAttribute("id");
      if (marks.dataset.place !== number) marks.remove();
    }
    return sheet;
  };
  const sheetOf = (id, number) => {
    const sheet = markedSheet(id, number);
    const part = cropped(sheet);
    part.addEventListener("click", () => enlarge(sheet));
    const view = make("div", "view", part);
    view.tabIndex = 0;
    view.role = "group";
    view.ariaLabel = "The page, with the passage marked";
    return make("figure", "", view, button("Show the whole page", () => enlarge(sheet)));
  };

  // -- the explanation

  const wordsOf = (place) => {
    let text = "";
    for (const element of segments(place)) {
      if (text.length > 4 * LONGEST) break;
      text += element.textContent;
    }
    const characters = Array.from(text.slice(0, 4 * LONGEST));
    return characters.length > LONGEST ? `${characters.slice(0, LONGEST).join("")}…` : text;
  };
  // Words that differ are marked where they are, in the claim as in its source.
  const markWords = (element, words, name) => {
    const node = element?.firstChild;
    const at = node?.nodeType === Node.TEXT_NODE && words ? node.data.indexOf(words) : -1;
    if (at < 0) return;
    const rest = node.splitText(at);
    rest.splitText(words.length);
    rest.replaceWith(make("b", name, words));
  };
  // Beside the text a passage that decides is seen in its source; elsewhere a crop shows it.
  const explained = (entry) => {
    const copy = entry.cloneNode(true);
    for (const place of copy.querySelectorAll(".place")) {
      const { first, sheets, place: number } = place.dataset;
      if (first) place.firstElementChild.textContent = wordsOf(place);
      if (!scrollsAlone()) place.prepend(...(sheets?.split(" ") ?? []).map((id) => sheetOf(id, number)));
    }
    for (const fact of copy.querySelectorAll(".facts > li")) {
      markWords(copy.querySelector(".claimed"), fact.querySelector(".stated")?.textContent, "stated");
      markWords(copy.querySelector(".decisive > p"), fact.querySelector(".found")?.textContent, "found");
    }
    const remarks = copy.querySelectorAll(".remark, .others:not([open])");
    if (scrollsAlone() && remarks.length) {
      const more = make("details", "rest", make("summary", "", "More"), ...remarks);
      copy.append(more);
    }
    return make("div", `answer ${entry.classList[1]}`, ...copy.children);
  };
  // The source as it looks: its page, or its text at the words; or the closest passages.
  const show = (entry, answer) => {
    const shown = find("shown");
    const every = Array.from(document.querySelectorAll(".source"));
    const only = (source) => {
      for (const one of every) one.classList.toggle("aside", source !== undefined && one !== source);
    };
    shown.replaceChildren();
    only();
    if (!entry || !scrollsAlone()) return;
    sources.scrollTop = 0;
    const place = Array.from(answer.querySelectorAll(".decisive")).find((one) => one.dataset.first);
    if (!place) {
      const passages = answer.querySelectorAll(".others .place");
      const none = entry.classList.contains("v-undecided")
        ? "No passage decides this by itself." : "No words of the sources say this.";
      if (entry.classList.contains("v-set_aside")) return;
      only(null);
      const line = make("p", "nothing", passages.length ? `${none} Closest passages:` : none);
      shown.append(line, ...passages);
      answer.querySelector(".others")?.remove();
      for (const empty of answer.querySelectorAll(".rest:not(:has(.remark))")) empty.remove();
      return;
    }
    const [segment] = segments(place);
    const source = segment.closest("details");
    source.open = true;
    only(source);
    const ids = place.dataset.sheets?.split(" ") ?? [];
    const named = make("span", "", ...place.querySelector("footer").cloneNode(true).childNodes);
    const where = make("div", "where", named);
    shown.append(where);
    if (!ids.length) return reveal(segment);
    // All of the column with the passage, as high as the page; a click shows the page.
    const whole = ids.map((id) => markedSheet(id, place.dataset.place));
    const views = whole.map((sheet) => cropped(sheet, true));
    views.forEach((view, at) => view.addEventListener("click", () => enlarge(whole[at])));
    where.append(make("span", "steps",
      button("Show the whole page", () => enlarge(whole[0])), button("Show as text", () => goTo(segment))));
    shown.append(...views);
    only(null);
    const box = shown.querySelector("g rect")?.getBoundingClientRect();
    if (!box) return;
    const outer = sources.getBoundingClientRect();
    sources.scrollTop += box.top - outer.top - where.offsetHeight - 24;
  };

  // -- the card beside a claim, or the name of a source

  const textBetween = (...borders) => {
    const range = document.createRange();
    for (const [method, element] of borders) range[method](element, 0);
    return range.toString();
  };
  peek(".claim, .place footer, .place a[href^='#g']", (element) => {
    if (element === chosen || hiddenByFilter(element)) return null;
    const place = element.closest(".place") ?? used(entryOf(element))[0];
    if (!place) return null;
    const named = place.querySelector("footer").textContent;
    const found = segments(place);
    if (!found.length) return { words: place.firstElementChild.textContent, from: [named] };
    const [first, last] = [found[0], found.at(-1)];
    const address = first.closest("details").querySelector(".address");
    return {
      before: textBetween(["setStart", first.closest(".block")], ["setEndBefore", first]),
      words: wordsOf(place),
      after: textBetween(["setEndAfter", last.closest(".block")], ["setStartAfter", last]),
      from: [named, address && new URL(address.firstChild.href).host, address?.querySelector("time")?.textContent],
    };
  });

  // -- choosing claims

  const choose = (link, scrolls = true) => {
    if (chosen !== link) {
      chosen?.removeAttribute("aria-current");
      chosen = link;
      link.setAttribute("aria-current", "true");
      root.classList.add("chosen");
      find("close").hidden = false;
      const entry = entryOf(link);
      const answer = explained(entry);
      answer.append(...dismissal(link));
      explanation.replaceChildren(answer);
      find("announcement").textContent = [".badge", ".explanation"]
        .map((one) => entry.querySelector(one).textContent).join(": ");
      find("panel").scrollTop = 0;
      for (const view of explanation.querySelectorAll(".view")) scrollToMarks(view);
      mark(entry);
      show(entry, answer);
      for (const tick of ticks) tick.classList.toggle("now", `c${tick.dataset.claim}` === link.id);
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
    show();
    showStep();
  };
  const step = (by) => {
    let index = claims.indexOf(document.activeElement?.closest(".claim") ?? chosen) + by;
    while (claims[index] && hiddenByFilter(claims[index])) index += by;
    if (claims[index]) focusAndChoose(claims[index]);
  };
  // The problems, the most urgent first; all claims where no problem is shown.
  let problems = [];
  const findProblems = () => {
    problems = all(".entry[data-problem]").map((entry) => find(`c${entry.value}`)).filter(Boolean);
  };
  findProblems();
  const stops = () => {
    const shown = (links) => links.filter((link) => !hiddenByFilter(link));
    const urgent = shown(problems);
    if (urgent.length) return [urgent, "problem"];
    const checkable = shown(claims).filter((link) => !link.classList.contains("v-set_aside"));
    return [checkable.length ? checkable : shown(claims), "claim"];
  };
  const showStep = () => {
    const [links, noun] = stops();
    const at = links.indexOf(chosen);
    find("step").textContent = at < 0
      ? `${count(links.length)} ${noun}${links.length === 1 ? "" : "s"}`
      : `${noun === "claim" ? "Claim" : "Problem"} ${count(at + 1)} of ${count(links.length)}`;
    for (const id of ["previous", "next"]) find(id).hidden = !links.length;
  };
  const stepTo = (by) => {
    const [links] = stops();
    if (!links.length) return;
    const at = links.indexOf(chosen);
    choose(links[at < 0 ? (by > 0 ? 0 : links.length - 1) : (at + by + links.length) % links.length]);
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
  const claimFrom = (segment) => {
    if (marked.includes(segment)) return goBack();
    const number = Number(segment.id.slice(1));
    const links = all(".entry .place[data-first]")
      .filter(({ dataset: { first, last } }) => Number(first) <= number && number <= Number(last))
      .map((place) => find(`c${place.closest(".entry").value}`)).filter(Boolean);
    const link = links.find((element) => !hiddenByFilter(element)) ?? links[0];
    if (link) focusAndChoose(link);
  };

  // -- what a reader dismisses, with a reason; a file of it is a baseline for the next audit

  const dismissal = (link) => {
    const entry = entryOf(link);
    if (!("problem" in entry.dataset)) return [];
    const reason = make("input");
    reason.placeholder = reason.ariaLabel = "Why this is no problem";
    const dismiss = () => {
      if (!reason.value.trim()) return reason.focus();
      delete entry.dataset.problem;
      const line = make("p", "finding", make("b", "problem", "Dismissed"), " ", make("span", "why", reason.value.trim()));
      entry.querySelector(".explanation").after(line);
      link.classList.add("dismissed");
      find("save").hidden = false;
      findProblems();
      chosen = null;
      choose(link);
      find("next").focus();
    };
    reason.addEventListener("keydown", (event) => event.key === "Enter" && dismiss());
    return [make("div", "dismiss", reason, button("Dismiss", dismiss))];
  };
  const save = () => {
    const found = all(".entry").map((entry) => ({
      number: entry.value, text: entry.querySelector(".claimed").textContent,
      start: 0, end: 0, sentence_start: 0, sentence_end: 0,
      verdict: entry.classList[1] === "v-set_aside" ? null : entry.classList[1].slice(2),
      explanation: entry.querySelector(".explanation").textContent,
      dismissed: entry.querySelector(".why")?.textContent ?? "",
    }));
    const kept = JSON.stringify({ text: "", sources: [], claims: found }, null, 1);
    const link = make("a");
    link.href = URL.createObjectURL(new Blob([kept], { type: "application/json" }));
    link.download = "baseline.json";
    link.click();
    URL.revokeObjectURL(link.href);
    return kept;
  };
  find("save").addEventListener("click", save);

  // -- filters

  const filters = Array.from(document.querySelectorAll(".filter"));
  const filter = () => {
    const pressed = filters.filter((one) => one.getAttribute("aria-pressed") === "true");
    const shown = new Set(pressed.map((one) => one.dataset.verdict));
    if (shown.size) root.dataset.show = [...shown].join(" ");
    else delete root.dataset.show;
    find("all").hidden = shown.size === 0;
    let shownClaims = 0;
    for (const link of claims) {
      const out = shown.size > 0 && !shown.has(link.classList[1].slice(2));
      shownClaims += out ? 0 : 1;
      if (out !== hiddenByFilter(link)) {
        link.tabIndex = out ? -1 : 0;
        link.setAttribute("aria-disabled", String(out));
      }
    }
    if (chosen && hiddenByFilter(chosen)) close();
    showStep();
    find("status").textContent = `Showing ${count(shownClaims)} of ${count(claims.length)} claims.`;
  };
  const showAll = () => {
    for (const one of filters) one.setAttribute("aria-pressed", "false");
    filter();
  };

  // -- what the reader does

  const keysElsewhere = {
    Escape: close, e: goToEvidence, j: () => step(1), k: () => step(-1), n: () => stepTo(1), p: () => stepTo(-1),
  };
  const keysBeside = { ...keysElsewhere, Escape: goBack, Backspace: goBack };
  const keysOnClaim = {
    ...keysElsewhere, Enter: readOn, " ": readOn,
    ArrowDown: () => step(1), ArrowRight: () => step(1), ArrowUp: () => step(-1), ArrowLeft: () => step(-1),
    e: (link) => { choose(link); goToEvidence(); },
  };
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
  for (const tick of ticks) tick.addEventListener("click", () => focusAndChoose(find(`c${tick.dataset.claim}`)));
  find("copy")?.addEventListener("click", async () => {
    await navigator.clipboard.writeText(JSON.parse(find("corrected").textContent));
    find("copy").textContent = "Copied";
    find("status").textContent = "The corrected text was copied.";
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
    beside.style.height = `${Math.round(room)}px`;
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

  for (const one of filters) one.disabled = false;
  fit();
  showStep();
  root.classList.remove("opening");
  // The page opens on the first problem, without a jump past the score.
  if (!fromAddress() && problems.length) choose(problems[0], false);
})();
