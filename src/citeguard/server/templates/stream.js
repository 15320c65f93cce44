// What the pages share: making elements, and sending a form whose reply is server-sent events.
"use strict";
const find = (id) => document.getElementById(id);

const element = (name, content, kind = "") => {
  const node = document.createElement(name);
  node.textContent = content;
  node.className = kind;
  return node;
};

// Titles and texts are those of strangers: characters that reorder others are left out.
const clean = (text) => text.replace(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+/g, " ");

const say = (name, text, kind) => {
  const node = element(name, clean(text), kind);
  node.dir = "auto";
  return node;
};

const counted = (count, noun) => `${count} ${noun}${count === 1 ? "" : "s"}`;

// An EventSource could not send a form.
const send = async (address, body, handlers, signal) => {
  const handle = (message) => {
    const lines = message.split("\n");
    const value = (field) => lines.find((line) => line.startsWith(field))?.slice(field.length);
    handlers[value("event: ")]?.(JSON.parse(value("data: ")));
  };
  const reply = await fetch(address, {
    method: "POST",
    body: body instanceof HTMLFormElement ? new FormData(body) : JSON.stringify(body),
    headers: { Accept: "text/event-stream", ...(body instanceof HTMLFormElement ? {} : { "Content-Type": "application/json" }) },
    signal,
  });
  if (!reply.ok) {
    handlers.error(await reply.json());
    return;
  }
  let rest = "";
  for (const reader = reply.body.pipeThrough(new TextDecoderStream()).getReader(); ; ) {
    const { done, value } = await reader.read();
    if (done) return;
    const messages = (rest + value).split("\n\n");
    rest = messages.pop();
    messages.forEach(handle);
  }
};
