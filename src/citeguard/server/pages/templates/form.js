// Sends the form, shows each claim as it is judged, and at the end the report in its place.
"use strict";
{
  const find = (id) => document.getElementById(id);
  const [form, results, claims, report, problem] = ["form", "results", "claims", "report", "problem"].map(find);
  const frame = document.querySelector("iframe");
  const labels = find("labels").content;
  let asking = null; // what ends the request that is under way
  let address = null; // of the report that is shown

  const tell = (message, kind = "") => {
    problem.textContent = message;
    problem.className = kind;
    problem.hidden = !message;
  };

  const element = (name, content, kind = "") => {
    const made = document.createElement(name);
    made.textContent = content;
    made.className = kind;
    return made;
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

  const takers = {
    claim: showClaim,
    progress: showProgress,
    page: showReport,
    error: ({ error }) => tell(error.message),
  };

  const take = (told) => {
    const lines = told.split("\n");
    const value = (field) => lines.find((line) => line.startsWith(field))?.slice(field.length);
    takers[value("event: ")]?.(JSON.parse(value("data: ")));
  };

  const takeAll = async (body) => {
    let rest = "";
    for (const reader = body.pipeThrough(new TextDecoderStream()).getReader(); ; ) {
      const { done, value } = await reader.read();
      if (done) return;
      const told = (rest + value).split("\n\n");
      rest = told.pop();
      told.forEach(take);
    }
  };

  const ask = async (signal) => {
    const reply = await fetch("verify?page=true", {
      method: "POST",
      body: new FormData(form),
      headers: { Accept: "text/event-stream" },
      signal,
    });
    if (reply.ok) await takeAll(reply.body);
    else tell((await reply.json()).error.message);
  };

  const clear = () => {
    tell("");
    claims.replaceChildren();
    report.hidden = true;
    if (address) URL.revokeObjectURL(address);
    find("progress").removeAttribute("value");
    find("status").textContent = "Reading…";
    results.hidden = false;
  };

  const working = (is) => {
    if (document.activeElement === find("stop")) find("check").focus();
    find("check").ariaDisabled = is; // a button that is disabled would lose the focus
    find("stop").hidden = find("progress").hidden = !is;
  };

  const wrong = () => {
    const files = Array.from(find("files").files);
    const megabytes = files.reduce((sum, file) => sum + file.size, 0) / 1e6;
    const most = form.dataset;
    if (!find("text").value.trim()) return "Enter a text.";
    if (!files.length && !find("source").value.trim()) return "Choose a document, or paste a source.";
    if (files.length > most.files) return `There may be at most ${most.files} documents.`;
    return megabytes > most.megabytes ? `The documents may have at most ${most.megabytes} MB together.` : "";
  };

  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (find("check").ariaDisabled === "true") return;
    tell(wrong());
    if (!problem.hidden) return;
    clear();
    working(true);
    asking = new AbortController();
    try {
      await ask(asking.signal);
    } catch (error) {
      if (error.name === "AbortError") tell("Stopped.", "told");
      else tell("The service cannot be reached.");
    }
    working(false);
    results.hidden = !claims.children.length;
  });
  find("stop").addEventListener("click", () => asking.abort());
  claims.addEventListener("click", (event) => {
    if (event.target.closest("a[href]")) report.scrollIntoView();
  });
}
