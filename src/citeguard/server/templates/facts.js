// Sends the form, and shows searches, pages, passages and verdicts as they come.
{
  const [form, results, checks, problem] = ["form", "results", "checks", "problem"].map(find);
  const labels = find("labels").content;
  const statements = new Map(); // the parts of each statement's item, by its number
  let controller = null; // aborts the current request
  let address = null; // of the current report
  let decided = 0;

  const showMessage = (message, kind = "") => {
    problem.textContent = message;
    problem.className = kind;
    problem.hidden = !message;
  };

  const link = (url, text) => {
    const isWeb = URL.canParse(url) && ["http:", "https:"].includes(new URL(url).protocol);
    const node = say(isWeb ? "a" : "span", text);
    if (isWeb) {
      node.href = url;
      node.target = "_blank";
      node.rel = "noopener noreferrer";
    }
    return node;
  };

  const showVerdict = (at, outcome) => {
    const label = labels.querySelector(`.v-${outcome}`).cloneNode(true);
    at.verdict.replaceWith(label);
    at.verdict = label;
  };

  const showStatus = () => {
    find("progress").max = statements.size;
    find("progress").value = decided;
    find("status").textContent = `${decided} of ${counted(statements.size, "statement")} checked`;
  };

  const list = (kind, label) => {
    const node = element("ul", "", kind);
    node.ariaLabel = label;
    node.hidden = true;
    return node;
  };

  const add = (parent, ...content) => {
    const item = document.createElement("li");
    item.append(...content);
    parent.append(item);
    parent.hidden = false;
    return item;
  };

  const showStatement = ({ number, statement }) => {
    const at = {
      item: document.createElement("li"),
      verdict: element("span", ""),
      why: element("p", "", "why"),
      heading: element("h4", "Passages that are judged"),
      passages: list("passages", "Passages"),
      details: document.createElement("details"),
      searches: list("searches", "Searches"),
      pages: list("pages", "Pages"),
    };
    at.details.append(element("summary", "Searches and pages"), at.searches, at.pages);
    at.details.open = true;
    at.details.hidden = at.why.hidden = at.heading.hidden = true;
    const title = say("h3", statement);
    at.item.append(title, at.verdict, at.why, at.heading, at.passages, at.details);
    showVerdict(at, "working");
    const next = Math.min(...Array.from(statements.keys()).filter((other) => other > number));
    checks.insertBefore(at.item, statements.get(next)?.item ?? null);
    statements.set(number, at);
    showStatus();
  };

  const showQueries = ({ number, queries }) => {
    const at = statements.get(number);
    at.details.hidden = false;
    for (const query of queries) {
      const item = add(at.searches, say("q", query), element("span", " …", "came"));
      item.dataset.query = query;
    }
  };

  const searchText = ({ found, failure, partial, reason }) => {
    if (failure) return reason;
    const notes = reason || (partial ? "some engines did not answer" : "");
    return `${counted(found.length, "page")} found${notes ? `: ${notes}` : ""}`;
  };

  const showSearch = ({ number, search }) => {
    const at = statements.get(number);
    const waiting = Array.from(at.searches.children).find(
      (item) => item.dataset.query === search.query && !item.dataset.provider);
    const item = waiting ?? add(at.searches, say("q", search.query), element("span", "", "came"));
    item.dataset.provider = search.provider;
    item.querySelector(".came").replaceWith(say("span", ` ${search.provider}: ${searchText(search)}`, "came"));
    item.classList.toggle("failed", Boolean(search.failure) || search.partial);
    at.details.hidden = false;
  };

  const showPage = ({ number, page }) => {
    const at = statements.get(number);
    const name = page.title.trim() || page.url;
    const item = add(at.pages, link(page.final_url || page.url, name), say("span", ` ${page.reason || "read"}`, "came"));
    item.classList.toggle("failed", Boolean(page.reason));
    at.details.hidden = false;
  };

  const showPassage = (parent, passage) => {
    const quote = document.createElement("blockquote");
    quote.dir = "auto";
    quote.append(clean(passage.text));
    const source = element("p", "", "source");
    if (passage.outcome === "contradicted") source.append(element("b", "Contradicts it: "));
    const heading = passage.headings.at(-1)?.trim();
    const title = passage.title.trim() || passage.source_id;
    const place = heading && !title.includes(heading) ? `${title}, ${heading}` : title;
    source.append(link(passage.url, place));
    add(parent, quote, source).className = `v-${passage.outcome ?? "set_aside"}`;
  };

  const showPassages = (at, title, passages) => {
    at.heading.textContent = title;
    at.passages.replaceChildren();
    passages.forEach((passage) => showPassage(at.passages, passage));
    at.heading.hidden = at.passages.hidden = !passages.length;
  };

  const showCheck = ({ number, claim }) => {
    const at = statements.get(number);
    decided += 1;
    showVerdict(at, claim.verdict ?? "set_aside");
    if (claim.flag) at.verdict.append(" (disputed)");
    at.why.textContent = clean(claim.explanation);
    at.why.hidden = false;
    const deciding = claim.deciding ? [claim.deciding, ...claim.further] : [];
    if (deciding.length) showPassages(at, "What decides", deciding);
    else showPassages(at, "The nearest that was found", claim.evidence.slice(0, 2));
    at.details.open = false;
    showStatus();
  };

  const showReport = ({ html }) => {
    address = URL.createObjectURL(new Blob([html], { type: "text/html;charset=utf-8" }));
    find("alone").href = find("save").href = address;
    find("saved").hidden = false;
  };

  const handlers = {
    statement: showStatement,
    queries: showQueries,
    results: showSearch,
    page: showPage,
    passages: ({ number, passages }) => showPassages(statements.get(number), "Passages that are judged", passages),
    verdict: showCheck,
    report: ({ report }) => {
      if (!report.claims.length) find("status").textContent = "The text has no statement.";
    },
    html: showReport,
    error: ({ error }) => showMessage(error.message),
  };

  const clear = () => {
    showMessage("");
    statements.clear();
    checks.replaceChildren();
    decided = 0;
    if (address) URL.revokeObjectURL(address);
    find("saved").hidden = true;
    find("progress").removeAttribute("value");
    find("status").textContent = "Looking for statements…";
    results.hidden = false;
  };

  const setWorking = (isWorking) => {
    if (document.activeElement === find("stop")) find("check").focus();
    find("check").ariaDisabled = isWorking; // a disabled button would lose the focus
    find("stop").hidden = find("progress").hidden = !isWorking;
  };

  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (find("check").ariaDisabled === "true") return;
    showMessage(find("text").value.trim() ? "" : "Enter a statement.");
    if (!problem.hidden) return;
    clear();
    setWorking(true);
    controller = new AbortController();
    try {
      await send("fact-check?page=true", form, handlers, controller.signal);
    } catch (error) {
      if (error.name === "AbortError") showMessage("Stopped.", "told");
      else showMessage("The service cannot be reached.");
    }
    setWorking(false);
    for (const { verdict } of statements.values()) if (verdict.matches(".v-working")) verdict.textContent = "Not checked";
    results.hidden = !statements.size && !problem.hidden;
  });
  find("stop").addEventListener("click", () => controller.abort());
}
