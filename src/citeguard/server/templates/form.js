// Sends the form, shows each claim as it is judged, and then the report.
{
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

  const showClaim = (claim) => {
    const item = document.createElement("li");
    const verdict = labels.querySelector(`.v-${claim.verdict ?? "set_aside"}`).cloneNode(true);
    item.append(verdict, element("span", claim.text), element("span", claim.explanation, "why"));
    claims.append(item);
  };

  const showScore = ({ trust }) => {
    const parts = [];
    if (trust) {
      const all = trust.supported + trust.contradicted + trust.unsupported + trust.undecided;
      parts.push(`${trust.supported} of ${all} ${all === 1 ? "statement" : "statements"} ${trust.supported === 1 || all === 1 ? "is" : "are"} supported`
        + (trust.value === null ? "" : ` (${trust.value} %)`));
      for (const verdict of ["contradicted", "unsupported"]) {
        if (trust[verdict]) parts.push(`${trust[verdict]} ${trust[verdict] === 1 ? "is" : "are"} ${verdict}`);
      }
      if (trust.undecided) parts.push(`${trust.undecided} could not be decided`);
    }
    const score = find("score");
    score.textContent = parts.join("; ") || "Nothing to check";
    score.hidden = false;
  };

  // The report has the claims, too: one list is enough.
  const showReport = ({ html }) => {
    claims.hidden = true;
    address = URL.createObjectURL(new Blob([html], { type: "text/html;charset=utf-8" }));
    report.hidden = false;
    frame.src = find("alone").href = find("save").href = address;
  };

  const showProgress = ({ done, total }) => {
    find("progress").max = total;
    find("progress").value = done;
    find("status").textContent = `${done} of ${total} checked`;
  };

  const handlers = {
    claim: showClaim,
    progress: showProgress,
    report: showScore,
    page: showReport,
    error: ({ error }) => showMessage(error.message),
  };

  const clear = () => {
    showMessage("");
    claims.replaceChildren();
    claims.hidden = false;
    report.hidden = find("score").hidden = true;
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
      await send("audit?page=true", form, handlers, controller.signal);
    } catch (error) {
      if (error.name === "AbortError") showMessage("Stopped.", "told");
      else showMessage("The service cannot be reached.");
    }
    setWorking(false);
    results.hidden = !claims.children.length;
    if (!report.hidden) results.scrollIntoView();
  });
  find("stop").addEventListener("click", () => controller.abort());

  // -- documents

  const files = find("files");
  const setFiles = (chosen) => {
    const transfer = new DataTransfer();
    for (const file of chosen) transfer.items.add(file);
    files.files = transfer.files;
    showFiles();
  };
  const showFiles = () => {
    const chosen = Array.from(files.files);
    // A JSON file holds any number of sources, so those after it have no number that is known here.
    const known = chosen.findIndex((file) => /\.json$/i.test(file.name));
    find("chosen").replaceChildren(...chosen.map((file, at) => {
      const item = document.createElement("li");
      const button = element("button", "Remove");
      button.type = "button";
      button.ariaLabel = `Remove ${file.name}`;
      button.addEventListener("click", () => {
        setFiles(chosen.filter((other) => other !== file));
        files.focus();
      });
      const number = known < 0 || at < known ? `[${at + 1}] ` : "";
      item.append(element("b", number), `${file.name} `, button);
      return item;
    }));
    find("chosen").hidden = !chosen.length;
  };
  files.addEventListener("change", showFiles);
  const holdsFiles = (event) => event.dataTransfer.types.includes("Files");
  form.addEventListener("dragover", (event) => {
    if (!holdsFiles(event)) return;
    event.preventDefault();
    form.classList.add("over");
  });
  form.addEventListener("dragleave", (event) => {
    if (!form.contains(event.relatedTarget)) form.classList.remove("over");
  });
  form.addEventListener("drop", (event) => {
    form.classList.remove("over");
    if (!holdsFiles(event)) return;
    event.preventDefault();
    setFiles([...files.files, ...event.dataTransfer.files]);
  });
  const example = find("example");
  example.hidden = false;
  example.addEventListener("click", () => {
    setFiles([]);
    for (const name of ["text", "source"]) find(name).value = find(`example-${name}`).content.textContent;
    form.requestSubmit();
  });
  showFiles(); // a browser may keep what was chosen before
}
