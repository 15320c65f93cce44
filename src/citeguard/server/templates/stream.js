// What the pages share: making elements, messages, and a form whose reply is server-sent events.
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

const labelOf = (verdict) => find("labels").content.querySelector(`.v-${verdict}`).cloneNode(true);

const showMessage = (message, kind = "") => {
  find("problem").textContent = message;
  find("problem").className = kind;
  find("problem").hidden = !message;
};

// Files that are dropped on an element; one is marked while they are over it.
const onDrop = (target, marked, take) => {
  const holdsFiles = (event) => event.dataTransfer.types.includes("Files");
  target.addEventListener("dragover", (event) => {
    if (!holdsFiles(event)) return;
    event.preventDefault();
    marked.classList.add("over");
  });
  target.addEventListener("dragleave", (event) => target.contains(event.relatedTarget) || marked.classList.remove("over"));
  target.addEventListener("drop", (event) => {
    marked.classList.remove("over");
    if (!holdsFiles(event)) return;
    event.preventDefault();
    take(Array.from(event.dataTransfer.files));
  });
};

const submit = document.querySelector("[type=submit]");
const isWorking = () => submit.ariaDisabled === "true";
const setWorking = (working) => {
  if (document.activeElement === find("stop")) submit.focus();
  submit.ariaDisabled = working; // a disabled button would lose the focus
  find("stop").hidden = !working;
};

let controller = null; // aborts the current request
find("stop").addEventListener("click", () => controller.abort());

// Sends a form, or data as JSON, and calls the handler of each event. An EventSource could not.
const send = async (address, body, handlers, stopped) => {
  const handle = (message) => {
    const lines = message.split("\n");
    const value = (field) => lines.find((line) => line.startsWith(field))?.slice(field.length);
    handlers[value("event: ")]?.(JSON.parse(value("data: ")));
  };
  const isForm = body instanceof HTMLFormElement;
  controller = new AbortController();
  setWorking(true);
  try {
    const reply = await fetch(address, {
      method: "POST",
      body: isForm ? new FormData(body) : JSON.stringify(body),
      headers: { Accept: "text/event-stream", ...(isForm ? {} : { "Content-Type": "application/json" }) },
      signal: controller.signal,
    });
    if (!reply.ok) {
      showMessage((await reply.json()).error.message);
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
  } catch (error) {
    if (error.name === "AbortError") showMessage(stopped, "told");
    else showMessage("The service cannot be reached.");
  } finally {
    setWorking(false);
  }
};
