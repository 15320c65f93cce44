import { readFileSync } from "node:fs";
import { JSDOM } from "jsdom";

const NAMES = ["window", "document", "navigator", "location", "getComputedStyle"];
const CLASSES = ["Node", "NodeFilter", "Range", "HTMLElement", "Element", "Text"];
const show = (window) => {
  for (const name of [...NAMES, ...CLASSES]) {
    Object.defineProperty(globalThis, name, { value: window[name], configurable: true, writable: true });
  }
};
show(new JSDOM("<p>A page</p>").window);
const { getFragmentDirectives, parseFragmentDirectives, processTextFragmentDirective } = await import(
  "./node_modules/text-fragments-polyfill/src/text-fragment-utils.js"
);

const letters = (text) => (text.match(/[\p{L}\p{N}%]+/gu) ?? []).join("").toLowerCase();
// With a blank between nodes: `Range.toString` runs the words of two blocks into one.
const textOf = (range) => {
  const texts = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (!range.intersectsNode(node)) continue;
    const start = node === range.startContainer ? range.startOffset : 0;
    const end = node === range.endContainer ? range.endOffset : node.data.length;
    texts.push(node.data.slice(start, end));
  }
  return texts.join(" ");
};

const windows = {};
const scores = {};
const missed = [];
for (const { page, url, words, before, kind } of JSON.parse(readFileSync(0, "utf8"))) {
  windows[page] ??= new JSDOM(readFileSync(page, "utf8")).window;
  show(windows[page]);
  const [directive] = parseFragmentDirectives(getFragmentDirectives(new URL(url).hash)).text ?? [];
  const [found] = directive ? processTextFragmentDirective(directive, document, document.body) : [];
  let isFound = false;
  if (found && letters(textOf(found)) === letters(words)) {
    const earlier = document.createRange();
    earlier.setStart(document.body, 0);
    earlier.setEnd(found.startContainer, found.startOffset);
    isFound = letters(textOf(earlier)).endsWith(letters(before).slice(-12));
  }
  scores[kind] ??= [0, 0];
  scores[kind][0] += isFound;
  scores[kind][1] += 1;
  if (!isFound) missed.push(`${kind}: ${url}\n    ${words.replaceAll("\n", " / ").slice(0, 120)}`);
}
for (const [kind, [found, all]] of Object.entries(scores)) console.log(`${kind}: ${found} of ${all}`);
console.log(missed.join("\n"));
