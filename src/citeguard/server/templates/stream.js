// Sends a form, and handles the server-sent events of the reply.
"use strict";
const find = (id) => document.getElementById(id);

const element = (name, content, kind = "") => {
  const node = document.createElement(name);
  node.textContent = content;
  node.className = kind;
  return node;
};

// An EventSource could not send a form.
const send = async (address, form, handlers, signal) => {
  const handle = (message) => {
    const lines = message.split("\n");
    const value = (field) => lines.find((line) => line.startsWith(field))?.slice(field.length);
    handlers[value("event: ")]?.(JSON.parse(value("data: ")));
  };
  const reply = await fetch(address, {
    method: "POST",
    body: new FormData(form),
    headers: { Accept: "text/event-stream" },
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
