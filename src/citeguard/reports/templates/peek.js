// A card beside a reference, on hover and on keyboard focus: the cited words in their sentence, its
// neighbours, and where they are from. All of it is text nodes: nothing is ever read as markup.
"use strict";
const peek = (selector, describe) => {
  if (!("popover" in HTMLElement.prototype && Intl.Segmenter)) return; // in browsers from before 2024
  const DELAY = 250; // milliseconds in which the pointer may pass by, or move on to the card
  const LONGEST = 300; // characters before the cited words, and after them
  const GAP = 6; // pixels
  const card = document.createElement("div");
  card.id = "peek";
  card.role = "tooltip";
  card.popover = "manual"; // above all else, dialogs included
  document.querySelector("main").append(card); // a landmark
  const sentences = new Intl.Segmenter(undefined, { granularity: "sentence" });
  let owner = null;
  let timer = 0;

  const close = () => {
    clearTimeout(timer);
    owner?.removeAttribute("aria-describedby");
    owner = null;
    if (card.matches(":popover-open")) card.hidePopover();
  };
  const quoted = (before, words, after) => {
    const [all, start, end] = [before + words + after, before.length, before.length + words.length];
    const parts = Array.from(sentences.segment(all)).filter((each) => each.segment.trim());
    const first = parts.findIndex((each) => each.index + each.segment.length > start);
    const last = parts.findLastIndex((each) => each.index < end);
    const [low, high] = [parts[first - 1]?.index ?? 0, parts[last + 2]?.index ?? all.length];
    const line = document.createElement("p");
    const mark = document.createElement("mark");
    mark.textContent = words.length > 2 * LONGEST ? `${words.slice(0, 2 * LONGEST)}…` : words;
    const lines = (text) => text.replace(/\s*\n\s*/g, "\n");
    const [lead, rest] = [lines(all.slice(low, start)).trimStart(), lines(all.slice(end, high)).trimEnd()];
    line.append(
      lead.length > LONGEST ? lead.slice(-LONGEST).replace(/^\S*\s*/, "…") : lead, mark,
      rest.length > LONGEST ? rest.slice(0, LONGEST).replace(/\s*\S*$/, "…") : rest,
    );
    line.dir = "auto";
    return line;
  };
  const show = async (element, height) => {
    close();
    owner = element;
    const found = await describe(element);
    if (!found || owner !== element) return;
    const from = document.createElement("p");
    from.className = "from";
    from.textContent = found.from.filter(Boolean).join(", ");
    card.replaceChildren(quoted(found.before ?? "", found.words, found.after ?? ""), from);
    element.setAttribute("aria-describedby", card.id);
    card.showPopover();
    const lines = Array.from(element.getClientRects());
    const line = lines.find(({ top, bottom }) => top <= height && height <= bottom) ?? lines[0];
    const fits = line.bottom + GAP + card.offsetHeight < innerHeight || line.top < card.offsetHeight + GAP;
    card.style.top = `${fits ? line.bottom + GAP : line.top - GAP - card.offsetHeight}px`;
    card.style.left = `${Math.max(GAP, Math.min(line.left, innerWidth - card.offsetWidth - GAP))}px`;
  };
  const later = (act) => {
    clearTimeout(timer);
    timer = setTimeout(act, DELAY);
  };

  document.addEventListener("pointerover", ({ target, pointerType, clientY }) => {
    if (pointerType === "touch") return; // a tap opens what the reference leads to
    const element = target.closest(selector);
    if (target === card || card.contains(target) || (element && element === owner)) clearTimeout(timer);
    else later(() => (element ? show(element, clientY) : close()));
  });
  document.addEventListener("focusin", ({ target }) => {
    if (target.matches(selector) && target.matches(":focus-visible")) later(() => show(target));
  });
  for (const name of ["focusout", "pointerdown"]) document.addEventListener(name, ({ target }) => card.contains(target) || close());
  addEventListener("scroll", ({ target }) => target === card || close(), { capture: true, passive: true });
  addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !card.matches(":popover-open")) return;
    event.stopPropagation();
    event.preventDefault(); // only the card goes, and no dialog
    close();
  }, { capture: true });
};
