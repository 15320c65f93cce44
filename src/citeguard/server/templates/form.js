// Sends the form, shows each claim as it is judged, and then the report.
{
  const [form, results, claims, report] = ["form", "results", "claims", "report"].map(find);
  const frame = document.querySelector("iframe");
  const statements = new Map(); // the items of a fact check's statements, by number
  let address = null; // of the current report
  let decided = 0;

  const showProgress = (done, total) => {
    find("progress").max = total;
    find("progress").value = done;
    find("status").textContent = `${done} of ${total} checked`;
  };

  const showVerdict = (item, { verdict, text, explanation }) => {
    item.replaceChildren(labelOf(verdict ?? "set_aside"), say("span", text), say("span", explanation, "why"));
  };

  const showClaim = (claim) => {
    const item = document.createElement("li");
    showVerdict(item, claim);
    claims.append(item);
  };

  // What happens on the way to a verdict is on a line of its own, until the verdict is there.
  const showStatement = ({ number, statement }) => {
    const item = document.createElement("li");
    item.append(labelOf("working"), say("span", statement), element("span", "", "why"));
    const next = Math.min(...Array.from(statements.keys()).filter((other) => other > number));
    claims.insertBefore(item, statements.get(next) ?? null);
    statements.set(number, item);
    showProgress(decided, statements.size);
  };

  const log = (number, line) => {
    const why = statements.get(number).querySelector(".why");
    why.textContent = [why.textContent, clean(line)].filter(Boolean).join("\n");
  };

  const showSearch = ({ number, search: { query, provider, found, failure, partial, reason } }) => {
    const notes = reason || (partial ? "some engines did not answer" : "");
    const came = failure ? reason : `${counted(found.length, "page")} found${notes ? `: ${notes}` : ""}`;
    log(number, `${provider}, “${query}”: ${came}`);
  };

  // The report has the claims, too: one list is enough.
  const showReport = ({ html }) => {
    claims.hidden = true;
    address = URL.createObjectURL(new Blob([html], { type: "text/html;charset=utf-8" }));
    report.hidden = false;
    frame.src = find("alone").href = find("save").href = address;
  };

  const handlers = {
    claim: showClaim,
    progress: ({ done, total }) => showProgress(done, total),
    statement: showStatement,
    queries: ({ number, queries }) => log(number, `Searching: ${queries.map((each) => `“${each}”`).join(", ")}`),
    results: showSearch,
    page: ({ number, page }) => log(number, `${page.title.trim() || page.url}: ${page.reason || "read"}`),
    verdict: ({ number, claim }) => {
      decided += 1;
      showVerdict(statements.get(number), claim);
      showProgress(decided, statements.size);
    },
    html: showReport,
    error: ({ error }) => showMessage(error.message),
  };

  const clear = () => {
    showMessage("");
    claims.replaceChildren();
    statements.clear();
    decided = 0;
    claims.hidden = false;
    report.hidden = true;
    if (address) URL.revokeObjectURL(address);
    find("progress").removeAttribute("value");
    find("status").textContent = "Reading…";
    results.hidden = find("progress").hidden = false;
  };

  const files = find("files"); // not in the form of fact checks
  const problemOf = () => {
    if (!find("text").value.trim()) return "Enter a text.";
    if (!files) return "";
    const chosen = Array.from(files.files);
    const megabytes = chosen.reduce((sum, file) => sum + file.size, 0) / 1e6;
    const limits = form.dataset;
    if (!chosen.length && !find("source").value.trim()) return "Choose a document, or paste a source.";
    if (chosen.length > limits.files) return `At most ${limits.files} documents are allowed.`;
    return megabytes > limits.megabytes ? `The documents may have at most ${limits.megabytes} MB together.` : "";
  };

  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (isWorking()) return;
    showMessage(problemOf());
    if (!find("problem").hidden) return;
    clear();
    await send(`${form.getAttribute("action")}?page=true`, form, handlers, "Stopped.");
    find("progress").hidden = true;
    for (const label of claims.querySelectorAll(".v-working")) label.textContent = "Not checked";
    results.hidden = !claims.children.length && report.hidden;
    if (!report.hidden) report.scrollIntoView();
  });

  // -- documents

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
  if (files) {
    files.addEventListener("change", showFiles);
    onDrop(form, form, (dropped) => setFiles([...files.files, ...dropped]));
    find("example").hidden = false;
    find("example").addEventListener("click", () => {
      setFiles([]);
      for (const name of ["text", "source"]) find(name).value = find(`example-${name}`).content.textContent;
      form.requestSubmit();
    });
    showFiles(); // a browser may keep what was chosen before
  }
}
