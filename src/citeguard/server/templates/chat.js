// Asks the documents, shows the answer as it comes, and opens the words that it rests on.
{
  const [form, messages, panel] = ["form", "messages", "panel"].map(find);
  const states = find("states").content;
  const question = find("question");
  const MOST_SHOWN = 200; // documents in the list; the filter finds the others
  let chat = null; // the id of the chat that is shown; null for a new one
  let documents = [];
  const chosen = new Set(); // the ids of the documents to ask

  const get = async (address, options = {}) => {
    const reply = await fetch(address, { ...options, headers: { Accept: "application/json" } });
    if (reply.status === 204) return null;
    const data = await reply.json();
    if (reply.ok) return data;
    throw Object.assign(new Error(data.error.message), { code: data.error.code });
  };

  const failed = (error) => showMessage(error.code ? error.message : "The service cannot be reached.");

  const nameOf = ({ title, source_id: id }) => clean((title ?? "").trim() || id).trim();

  const joined = (parts, separator) => parts.filter(Boolean).join(separator);

  const placeOf = ({ page, page_label: label, heading, detail, line }) => joined([
    joined([
      page && (label && label !== String(page) ? `p. ${label} (${page} of the file)` : `p. ${page}`),
      heading && clean(heading),
    ], " › "),
    detail && clean(detail),
    line && `line ${line}`,
  ], ", ");

  const outside = (address, text) => {
    const node = element("a", text);
    node.href = address;
    node.target = "_blank";
    node.rel = "noopener";
    return node;
  };

  // -- where the words are

  const addressOf = ({ source_id: id, span: { start, end }, version }) => {
    const part = new URLSearchParams({ start, end, ...(version ? { version } : {}) });
    return `documents/${encodeURIComponent(id)}?${part}`;
  };

  const showPart = (reference, { before, text, after, start: from, end: until, characters, kind, is_changed: isChanged }) => {
    if (isChanged) {
      find("panel-note").textContent = states.querySelector('[data-state="source_changed"]').textContent;
      find("panel-note").hidden = false;
      return;
    }
    const [more, rest] = [from > before.length ? "…" : "", until + after.length < characters ? "…" : ""];
    find("panel-text").replaceChildren(more, clean(before), say("mark", text), clean(after), rest);
    find("panel-text").querySelector("mark").scrollIntoView({ block: "center" });
    if (kind !== "pdf") return;
    const { source_id: id, span: { start, end }, page } = reference;
    const file = `files/${encodeURIComponent(id)}#page=${page}`;
    find("panel-links").append(outside(file, `Open the PDF file at page ${page}`));
    const sheet = find("panel-sheet").firstElementChild;
    sheet.onerror = () => { find("panel-sheet").hidden = true; };
    sheet.alt = `Page ${page} of the file, on which the quoted words are marked`;
    sheet.src = `pictures/${encodeURIComponent(id)}?${new URLSearchParams({ start, end })}`;
    find("panel-sheet").hidden = false;
  };

  const openPanel = async (reference) => {
    find("panel-title").replaceChildren(`[${reference.number}] `, say("span", nameOf(reference)));
    find("panel-place").textContent = placeOf(reference);
    const note = states.querySelector(`[data-state="${reference.state ?? "stands"}"]`).textContent;
    find("panel-note").textContent = note;
    find("panel-note").hidden = !note;
    find("panel-text").replaceChildren(say("mark", reference.quote));
    find("panel-links").replaceChildren(outside(`${addressOf(reference)}#part`, "Open the document at these words"));
    find("panel-sheet").hidden = true;
    // Beside the answer, which stays in sight and in use; over it where there is no room.
    if (!panel.open) {
      if (matchMedia("(min-width: 60rem)").matches) panel.show();
      else panel.showModal();
    }
    find("panel-title").focus();
    try {
      showPart(reference, await get(addressOf(reference)));
    } catch (error) {
      const gone = states.querySelector('[data-state="source_removed"]').textContent;
      find("panel-note").textContent = error.code === "not_found" ? gone : "The document cannot be opened.";
      find("panel-note").hidden = false;
      find("panel-links").replaceChildren();
    }
  };

  const referred = new WeakMap(); // what each link is a reference to
  const opener = (reference, text) => {
    const node = element("a", text, "opener");
    referred.set(node, reference);
    node.href = `${addressOf(reference)}#part`;
    node.addEventListener("click", (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return; // a new tab
      event.preventDefault();
      openPanel(reference);
    });
    return node;
  };

  peek(".opener", async (node) => {
    const reference = referred.get(node);
    const part = await get(addressOf(reference)).catch(() => null);
    const added = part && `added on ${new Date(part.added_at).toLocaleDateString("en-GB", { dateStyle: "long" })}`;
    const from = [nameOf(reference), placeOf(reference), part?.url && new URL(part.url).host, added];
    const known = part?.text ? part : { text: reference.quote };
    return { before: clean(known.before ?? ""), words: clean(known.text), after: clean(known.after ?? ""), from };
  });

  find("close").addEventListener("click", () => panel.close());
  panel.addEventListener("click", (event) => { if (event.target === panel) panel.close(); }); // beside it
  panel.addEventListener("keydown", (event) => { if (event.key === "Escape") panel.close(); });

  // -- questions and answers

  const mark = (number, references) => {
    const reference = references.find((each) => each.number === number);
    if (!reference) return `[${number}]`;
    const node = opener(reference, `[${number}]`);
    node.classList.add("number");
    const stale = (reference.state ?? "stands") !== "stands";
    node.classList.toggle("stale", stale);
    node.ariaLabel = `Reference ${number}: ${nameOf(reference)} ${placeOf(reference)}${stale ? ", changed since" : ""}`;
    return node;
  };

  // A library takes out whatever looks like a number in what models write: all are its own.
  const answerOf = (text, references) => {
    const node = element("p", "", "said");
    node.dir = "auto";
    for (const piece of text.split(/(\[\d+\]|\[unverified\])/)) {
      const number = /^\[(\d+)\]$/.exec(piece);
      if (number) node.append(mark(Number(number[1]), references));
      else if (piece === "[unverified]") node.append(element("span", "not verified", "unverified"));
      else node.append(clean(piece));
    }
    return node;
  };

  // Words that are the answer itself are not printed a second time.
  const listOf = (references, said = "") => {
    const list = element("ol", "", "references");
    list.ariaLabel = "References";
    for (const reference of references) {
      const item = document.createElement("li");
      item.value = reference.number;
      const source = element("p", "", "source");
      const place = placeOf(reference);
      source.append(opener(reference, `${nameOf(reference)}${place ? `, ${place}` : ""}`));
      source.firstChild.ariaLabel = `Open reference ${reference.number}: ${nameOf(reference)} ${place}`;
      const quote = reference.quote.split(/\s+/).join(" ");
      if (!said.includes(quote)) item.append(say("blockquote", reference.quote));
      item.append(source);
      const state = states.querySelector(`[data-state="${reference.state ?? "stands"}"]`).textContent;
      if (state) item.append(element("p", state, "note"));
      list.append(item);
    }
    list.hidden = !references.length;
    return list;
  };

  const fill = (item, { outcome, text, references, reason, understood }) => {
    const label = labelOf(outcome);
    const isPart = outcome === "partly" || (outcome === "undecided" && references.length);
    const why = text.includes(reason || "\u0000") ? "" : reason || (isPart ? label.dataset.meaning : "");
    const note = element("p", ["answered", "passages"].includes(outcome) ? "" : clean(why), "why");
    note.hidden = !note.textContent;
    item.querySelector(".answer").replaceChildren(
      label,
      ...(understood ? [say("p", `Understood as: ${understood}`, "why")] : []),
      answerOf(text, references), note, listOf(references, text),
    );
    item.querySelector(".answer").ariaBusy = "false";
  };

  const addQuestion = (text) => {
    const item = document.createElement("li");
    const answer = element("div", "", "answer");
    answer.ariaBusy = "true";
    item.append(say("h3", text), answer);
    messages.append(item);
    return item;
  };

  const provisional = (item) => {
    const answer = item.querySelector(".answer");
    if (!answer.firstChild) answer.append(labelOf("working"), element("p", "", "said"), element("p", "", "said written"));
    return answer;
  };

  // What is written is shown until the first statement is checked; these take its place.
  const showText = (item, text) => {
    const written = provisional(item).querySelector(".written");
    written.dir = "auto";
    written.textContent = clean(text);
  };

  const showStatement = (item, { statement, references }) => {
    const answer = provisional(item);
    const marks = statement.numbers.map((number) => `[${number}]`).join("") || "[unverified]";
    const checked = answer.querySelector(".said");
    checked.append(...answerOf(`${statement.text} ${marks} `, references).childNodes);
    answer.querySelector(".written").textContent = "";
  };

  const showReply = (item, reply) => {
    chat = reply.chat_id;
    history.replaceState(null, "", `#${encodeURIComponent(chat)}`);
    fill(item, reply);
    const label = labelOf(reply.outcome).textContent;
    scrollTo(item);
    find("status").textContent = `${label}, ${counted(reply.references.length, "reference")}.`;
  };

  // The answer in sight, and the next question if there is room for both.
  const scrollTo = (item) => {
    const fits = item.offsetHeight + form.offsetHeight < innerHeight - 48;
    if (fits) form.scrollIntoView({ block: "end" });
    else item.scrollIntoView();
  };

  const requestOf = () => {
    const number = (id) => (find(id)?.value ? { [id]: Number(find(id).value) } : {});
    return {
      question: question.value,
      ...(chat ? { chat_id: chat } : {}),
      ...(find("model") ? { model: find("model").value } : {}),
      ...number("temperature"), ...number("threshold"), ...number("k"),
      ...(chosen.size ? { source_ids: Array.from(chosen) } : {}),
    };
  };

  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (isWorking()) return;
    showMessage(question.value.trim() ? "" : "Enter a question.");
    if (!find("problem").hidden) return;
    const request = requestOf();
    const item = addQuestion(request.question);
    let replied = false;
    provisional(item);
    find("status").textContent = "Looking in the documents…";
    question.value = "";
    scrollTo(item);
    const handlers = {
      text: ({ text }) => showText(item, text),
      statement: (data) => showStatement(item, data),
      reply: (reply) => { replied = true; showReply(item, reply); },
      error: ({ error }) => showMessage(error.message),
    };
    await send("ask", request, handlers, "Stopped. Nothing of it was kept.");
    if (replied) await showChats();
    else {
      item.remove();
      question.value ||= request.question;
      find("status").textContent = "";
      if (find("problem").hidden) showMessage("The service ended the reply.");
    }
  });

  question.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    form.requestSubmit();
  });

  // -- chats

  const begin = () => {
    if (isWorking()) controller.abort();
    chat = null;
    history.replaceState(null, "", location.pathname + location.search);
    messages.replaceChildren();
    showMessage("");
    find("status").textContent = "";
  };

  const open = async (id) => {
    begin();
    try {
      const contents = await get(`chats/${encodeURIComponent(id)}`);
      chat = id;
      history.replaceState(null, "", `#${encodeURIComponent(id)}`);
      let item = null;
      for (const message of contents.messages) {
        if (message.role === "user") item = addQuestion(message.text);
        else fill(item ?? addQuestion(""), { ...message, reason: "" });
      }
      markCurrent();
      find("talk-title").focus();
    } catch (error) {
      failed(error);
    }
  };

  const markCurrent = () => {
    for (const item of find("chats").children) {
      const button = item.querySelector("button");
      button.ariaCurrent = item.dataset.id === chat ? "true" : null;
    }
  };

  const remove = async (id, item) => {
    try {
      await get(`chats/${encodeURIComponent(id)}`, { method: "DELETE" });
      if (chat === id) begin();
      const next = item.nextElementSibling ?? item.previousElementSibling;
      item.remove();
      (next?.querySelector("button") ?? find("new")).focus();
      find("status").textContent = "The chat was deleted.";
    } catch (error) {
      failed(error);
    }
  };

  const showChats = async () => {
    const { chats } = await get("chats");
    find("chats").replaceChildren(...chats.map(({ id, title, updated_at: at }) => {
      const item = document.createElement("li");
      item.dataset.id = id;
      const button = say("button", title || "Chat");
      const time = element("time", new Date(at).toLocaleString(), "soft");
      const deleting = element("button", "Delete", "small");
      button.type = deleting.type = "button";
      time.dateTime = at;
      deleting.ariaLabel = `Delete the chat ${button.textContent}`;
      button.addEventListener("click", () => open(id));
      deleting.addEventListener("click", () => remove(id, item));
      item.append(button, time, deleting);
      return item;
    }));
    markCurrent();
  };

  find("new").addEventListener("click", () => { begin(); markCurrent(); question.focus(); });

  // -- documents

  const showChosen = () => {
    find("asked").textContent = chosen.size ? `Asks ${counted(chosen.size, "document")}.` : "";
  };

  const showDocuments = () => {
    const wanted = find("filter").value.trim().toLowerCase();
    const found = documents.filter((each) => `${nameOf(each)} ${each.source_id}`.toLowerCase().includes(wanted));
    const shown = found.slice(0, MOST_SHOWN);
    find("documents").replaceChildren(...shown.map((each, at) => {
      const item = document.createElement("li");
      const box = document.createElement("input");
      const label = say("label", nameOf(each));
      box.type = "checkbox";
      box.id = `document-${at}`;
      label.htmlFor = box.id;
      box.checked = chosen.has(each.source_id);
      box.addEventListener("change", () => {
        if (box.checked) chosen.add(each.source_id);
        else chosen.delete(each.source_id);
        showChosen();
      });
      const link = outside(`documents/${encodeURIComponent(each.source_id)}`, "Open");
      link.ariaLabel = `Open ${nameOf(each)}`;
      item.append(box, label, link);
      return item;
    }));
    const rest = found.length - shown.length;
    find("filtered").textContent = `${found.length} of ${counted(documents.length, "document")}${rest ? `; ${rest} are not listed` : ""}.`;
  };

  find("filter").addEventListener("input", showDocuments);

  // -- files: one after the other, each with its progress

  const sendFile = (file, item) => new Promise((resolve) => {
    const request = new XMLHttpRequest();
    const tell = (text) => { item.lastChild.textContent = text; };
    request.open("PUT", `documents/${encodeURIComponent(file.name)}`);
    request.responseType = "json";
    request.upload.onprogress = ({ loaded, total }) => tell(`${Math.round((100 * loaded) / total)} % sent`);
    request.upload.onload = () => tell("being read…");
    request.onloadend = () => {
      const { documents: added, error } = request.response ?? {};
      const passages = added?.reduce((sum, each) => sum + each.passages, 0);
      tell(added?.length === 0 ? "has no text" : added ? `added, ${counted(passages, "passage")}` : clean(error?.message.replace(`${file.name}: `, "") ?? "The service cannot be reached."));
      item.classList.toggle("failed", !added);
      resolve();
    };
    const most = Number(find("drop").dataset.bytes);
    if (file.size > most) {
      tell(`too large: at most ${most / 1e6} MB`);
      item.classList.add("failed");
      resolve();
    } else request.send(file);
  });

  const addFiles = async (files) => {
    const items = files.map(({ name }) => {
      const item = document.createElement("li");
      item.append(say("span", name), " ", element("span", "waits…", "soft"));
      return item;
    });
    find("adding").append(...items);
    for (const [at, file] of files.entries()) await sendFile(file, items[at]);
    documents = (await get("documents")).documents;
    showDocuments();
  };

  if (find("files")) {
    find("files").addEventListener("change", () => {
      addFiles(Array.from(find("files").files)).catch(failed);
      find("files").value = "";
    });
    onDrop(document, find("drop"), (dropped) => addFiles(dropped).catch(failed));
  }

  const start = async () => {
    const [, listed] = await Promise.all([showChats(), get("documents")]);
    documents = listed.documents;
    showDocuments();
    if (location.hash.length > 1) await open(decodeURIComponent(location.hash.slice(1)));
  };
  start().catch(failed);
}
