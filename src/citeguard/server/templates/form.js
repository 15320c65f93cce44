// Sends the form, shows each claim as it is judged, and then the report.
"use strict";
{
  const find = (id) => document.getElementById(id);
  const [form, results, claims, report, problem] = ["form", "results", "claims", "report", "problem"].map(find);
  const frame = document.querySelector("iframe");
  const labels = find("labels").content;
  let controller = null; // aborts the current request
  let address = null; // of the current report

  const showMessage = (message, kind = "") => {
    problem.textContent = message;
    problem.className = kind;
    problem.hidden = !message;
  };

  const element = (name, content, kind = "") => {
    const node = document.createElement(name);
    node.textContent = content;
    node.className = kind;
    return node;
  };

  const showClaim = (claim) => {
    const item = document.createElement("li");
    const link = element("a", claim.text);
    link.dataset.claim = `c${claim.number}`;
    link.target = frame.name;
    const verdict = labels.querySelector(`.v-${claim.verdict}`).cloneNode(true);
    item.append(verdict, link, element("span", claim.explanation, "why"));
    claims.append(item);
  };

  const showReport = ({ html }) => {
    address = URL.createObjectURL(new Blob([html], { type: "text/html;charset=utf-8" }));
    report.hidden = false;
    frame.src = find("alone").href = find("save").href = address;
    for (const link of claims.querySelectorAll("a")) link.href = `${address}#${link.dataset.claim}`;
  };

  const showProgress = ({ done, total }) => {
    find("progress").max = total;
    find("progress").value = done;
    find("status").textContent = `${done} of ${total} checked`;
  };

  const handlers = {
    claim: showClaim,
    progress: showProgress,
    page: showReport,
    error: ({ error }) => showMessage(error.message),
  };

  const handle = (message) => {
    const lines = message.split("\n");
    const value = (field) => lines.find((line) => line.startsWith(field))?.slice(field.length);
    handlers[value("event: ")]?.(JSON.parse(value("data: ")));
  };

  const handleAll = async (body) => {
    let rest = "";
    for (const reader = body.pipeThrough(new TextDecoderStream()).getReader(); ; ) {
      const { done, value } = await reader.read();
      if (done) return;
      const messages = (rest + value).split("\n\n");
      rest = messages.pop();
      messages.forEach(handle);
    }
  };

  const send = async (signal) => {
    const reply = await fetch("verify?page=true", {
      method: "POST",
      body: new FormData(form),
      headers: { Accept: "text/event-stream" },
      signal,
    });
    if (reply.ok) await handleAll(reply.body);
    else showMessage((await reply.json()).error.message);
  };

  const clear = () => {
    showMessage("");
    claims.replaceChildren();
    report.hidden = true;
    if (address) URL.revokeObjectURL(address);
    find("progress").removeAttribute("value");
    find("status").textContent = "Reading…";
    results.hidden = false;
  };

  const setWorking = (isWorking) => {
    if (document.activeElement === find("stop")) find("check").focus();
    find("check").ariaDisabled = isWorking; // a disabled button would lose the focus
    find("stop").hidden = find("progress").hidden = !isWorking;
  };

  const problemOf = () => {
    const files = Array.from(find("files").files);
    const megabytes = files.reduce((sum, file) => sum + file.size, 0) / 1e6;
    const limits = form.dataset;
    if (!find("text").value.trim()) return "Enter a text.";
    if (!files.length && !find("source").value.trim()) return "Choose a document, or paste a source.";
    if (files.length > limits.files) return `At most ${limits.files} documents are allowed.`;
    return megabytes > limits.megabytes ? `The documents may have at most ${limits.megabytes} MB together.` : "";
  };

  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (find("check").ariaDisabled === "true") return;
    showMessage(problemOf());
    if (!problem.hidden) return;
    clear();
    setWorking(true);
    controller = new AbortController();
    try {
      await send(controller.signal);
    } catch (error) {
      if (error.name === "AbortError") showMessage("Stopped.", "told");
      else showMessage("The service cannot be reached.");
    }
    setWorking(false);
    results.hidden = !claims.children.length;
  });
  find("stop").addEventListener("click", () => controller.abort());
  claims.addEventListener("click", (event) => {
    if (event.target.closest("a[href]")) report.scrollIntoView();
  });
}
