"use strict";
// The live report: what the server sends, as figures and tables, with filters and details.
(() => {
  const byId = id => document.getElementById(id);
  const rows = new Map(), cells = new Map(), views = new Map();
  // mostMarks and mostRows bound what is drawn of one cell.
  const mostMarks = 1500, mostRows = 40;
  const series = 6;

  const element = (name, attributes = {}, ...children) => {
    const e = document.createElement(name);
    return fill(e, attributes, children);
  };
  const shape = (name, attributes = {}, ...children) =>
    fill(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children);
  const fill = (e, attributes, children) => {
    for (const [key, value] of Object.entries(attributes)) e.setAttribute(key, value);
    e.append(...children);
    return e;
  };

  const amount = (x, units) => {
    for (const [factor, name] of units) if (x >= factor) return `${(x / factor).toPrecision(3)} ${name}`;
    const [factor, name] = units[units.length - 1];
    return `${(x / factor).toPrecision(3)} ${name}`;
  };
  const secondsText = s => s ? amount(s, [[1, "s"], [1e-3, "ms"], [1e-6, "µs"]]) : "";
  const joulesText = j => j ? amount(j, [[1, "J"], [1e-3, "mJ"], [1e-6, "µJ"]]) : "";
  const times = x => x.toFixed(x < 0.1 ? 3 : 2);
  const speedupText = r => !r.speedup ? "" : r.low ? `${times(r.speedup)}x [${times(r.low)}, ${times(r.high)}]` : `about ${times(r.speedup)}x`;
  const isOriginal = r => r.variant === "original" || r.variant.startsWith("original@");
  const stateText = r => r.best ? "best" : r.open ? `${r.rounds} timings so far` : r.status === "ok" ? "" : r.status;

  // What the filters let through.
  const names = ["kernel", "machine", "compiler"];
  const chosen = () => Object.fromEntries(names.map(name => [name, byId(name).value]));
  const isShown = (cell, filter) => names.every(name => !filter[name] || cell[name] === filter[name]);

  const fillFilters = () => {
    for (const name of names) {
      const select = byId(name), kept = select.value;
      const values = [...new Set([...cells.values()].map(cell => cell[name]))].sort();
      if (select.options.length - 1 === values.length && values.every((v, i) => select.options[i + 1].value === v)) continue;
      select.replaceChildren(element("option", { value: "" }, "all"), ...values.map(v => element("option", { value: v }, v)));
      select.value = values.includes(kept) ? kept : "";
    }
  };

  // The rows of a cell in the order in which they were tried, and by rank.
  const rowsOf = id => (views.get(id)?.rows ?? []);
  const byRank = (a, b) => (b.low > 0) - (a.low > 0) || (b.speedup || 0) - (a.speedup || 0) || a.number - b.number;

  const classes = new Map();
  const seriesOf = (cell, partition) => {
    const key = cell + "|" + partition;
    if (!classes.has(key)) classes.set(key, [...classes.keys()].filter(k => k.startsWith(cell + "|")).length);
    return Math.min(classes.get(key), series);
  };
  const colour = k => k < series ? `var(--series-${k})` : "var(--other)";

  // thin keeps one mark for each place of a grid, the best always.
  const thin = (list, place) => {
    for (let grid = 2; list.length > mostMarks && grid < 64; grid *= 2) {
      const seen = new Set();
      list = list.filter(r => {
        const [x, y] = place(r);
        const key = `${Math.round(x / grid)} ${Math.round(y / grid)}`;
        if (seen.has(key) && !r.best) return false;
        seen.add(key);
        return true;
      });
    }
    return list;
  };

  const ticks = (low, high) => {
    const list = [];
    for (let e = Math.floor(Math.log10(low)); e <= Math.ceil(Math.log10(high)); e++)
      for (const step of [1, 2, 5]) {
        const v = step * 10 ** e;
        if (v >= low && v <= high) list.push(v);
      }
    return list.length > 9 ? list.filter(v => Math.abs(Math.log10(v) % 1) < 1e-9) : list;
  };

  const draw = view => {
    const svg = view.svg, width = Math.max(svg.clientWidth, 240), height = Math.max(svg.clientHeight, 120);
    svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    const timed = view.rows.filter(r => r.speedup > 0 && !isOriginal(r));
    const ratios = timed.map(r => r.speedup);
    let low = Math.min(1, ...pieces(ratios, Math.min)), high = Math.max(1, ...pieces(ratios, Math.max));
    const room = Math.max((high / low) ** 0.06, 1.05);
    low /= room; high *= room;
    const left = 44, right = width - 10, top = 8, bottom = height - 24;
    const total = Math.max(view.rows.length, 1);
    const x = r => left + (right - left) * (r.number + 0.5) / total;
    const y = v => bottom - (bottom - top) * Math.log(v / low) / Math.log(high / low);
    const parts = [shape("title", {}, `Speed-ups of ${timed.length} variants of ${view.cell.kernel}`)];
    for (const v of ticks(low, high)) {
      parts.push(shape("line", { class: v === 1 ? "axis one" : "axis", x1: left, x2: right, y1: y(v), y2: y(v) }));
      parts.push(shape("text", { x: left - 6, y: y(v) + 4, "text-anchor": "end" }, `${+v.toPrecision(3)}x`));
    }
    parts.push(shape("text", { x: right, y: height - 6, "text-anchor": "end" }, `${view.rows.length} trials, in the order in which they began`));
    view.marks = thin(timed, r => [x(r), y(r.speedup)]);
    for (const r of view.marks) {
      const k = seriesOf(view.cell.id, r.partition);
      const mark = shape("circle", { class: r.open ? "mark open" : "mark", cx: x(r), cy: y(r.speedup), r: r.low ? 4.5 : 3, fill: colour(k), "data-row": r.id },
        shape("title", {}, `${r.variant}, ${r.how}: ${speedupText(r)}`));
      parts.push(mark);
      if (r.best) parts.push(shape("circle", { class: "ring", cx: x(r), cy: y(r.speedup), r: 8 }));
    }
    if (view.at) {
      const r = rows.get(view.at);
      if (r && r.speedup > 0) parts.push(shape("circle", { class: "focus", cx: x(r), cy: y(r.speedup), r: 9 }));
    }
    svg.replaceChildren(...parts);
    view.place = r => {
      const box = svg.getBoundingClientRect();
      return [box.left + x(r) * box.width / width, box.top + y(r.speedup) * box.height / height];
    };
  };

  // pieces is what f gives of parts of a long list, which has too many for one call.
  const pieces = (list, f) => {
    const found = [];
    for (let i = 0; i < list.length; i += 5000) found.push(f(...list.slice(i, i + 5000)));
    return found;
  };

  const tabulate = view => {
    const list = view.rows.filter(r => !isOriginal(r)).sort(byRank);
    const shown = list.slice(0, view.all ? list.length : mostRows);
    const withEnergy = list.some(r => r.joules);
    const heads = [["variant", ""], ["how", ""], ["time", "number"], ...(withEnergy ? [["energy", "number"]] : []), ["speed-up", "number"], ["rounds", "number optional"], ["state", "optional"]];
    const lines = shown.map(r => element("tr", { tabindex: 0, "data-row": r.id },
      element("th", { scope: "row" }, element("code", {}, r.variant)), element("td", { class: "how" }, r.how),
      element("td", { class: "number" }, secondsText(r.seconds)), ...(withEnergy ? [element("td", { class: "number" }, joulesText(r.joules))] : []),
      element("td", { class: "number" }, speedupText(r)), element("td", { class: "number optional" }, r.rounds ? String(r.rounds) : ""), element("td", { class: "optional" }, stateText(r))));
    view.head.replaceChildren(element("tr", {}, ...heads.map(([text, style]) => element("th", { scope: "col", class: style }, text))));
    const focused = document.activeElement?.dataset?.row;
    const had = view.body.contains(document.activeElement);
    view.body.replaceChildren(...lines);
    if (had) view.body.querySelector(`[data-row="${CSS.escape(focused)}"]`)?.focus();
    view.more.hidden = shown.length === list.length;
    view.more.textContent = `show all ${list.length}`;
  };

  const summarise = view => {
    const best = view.rows.find(r => r.best), original = view.rows.find(r => r.variant === "original" && r.seconds);
    const said = [];
    if (best) said.push(`${speedupText(best)}: ${secondsText(best.seconds)}${original ? ` instead of ${secondsText(original.seconds)}` : ""}`);
    said.push(view.cell.verdict);
    view.summary.textContent = said.filter(Boolean).join(" · ");
    view.title.classList.toggle("running", view.cell.running);
    const counts = {};
    for (const r of view.rows) if (!isOriginal(r)) counts[r.open ? "being timed" : r.status] = (counts[r.open ? "being timed" : r.status] ?? 0) + 1;
    view.counts.textContent = Object.entries(counts).map(([status, n]) => `${n} ${status}`).join(", ");
  };

  const newView = cell => {
    const title = element("h2", {}, `${cell.kernel}, size ${cell.size} `, element("small", {}, `on ${cell.machine} with ${cell.compiler}${cell.on ? ", " + cell.on : ""}`));
    const svg = shape("svg", { class: "strip", role: "application", tabindex: 0, "aria-label": `Variants of ${cell.kernel} by time; arrow keys go from mark to mark` });
    const view = { cell, title, svg, rows: [], marks: [], summary: element("p", { class: "headline" }), counts: element("p", { class: "muted" }),
      head: element("thead"), body: element("tbody"), more: element("button", { type: "button" }) };
    view.more.addEventListener("click", () => { view.all = true; tabulate(view); });
    view.section = element("section", { class: "cell" }, title, view.summary, view.counts, element("figure", {}, svg),
      element("div", { class: "scroll" }, element("table", {}, view.head, view.body)), view.more);
    listen(view);
    return view;
  };

  // The tip says what a mark is.
  const tip = byId("tip");
  const show = (view, r, focus) => {
    view.at = focus ? r.id : view.at;
    if (focus) draw(view);
    tip.replaceChildren(element("b", {}, r.variant), element("div", {}, r.how), element("div", { class: "muted" }, r.partition),
      element("div", {}, [secondsText(r.seconds), joulesText(r.joules), speedupText(r), stateText(r)].filter(Boolean).join(" · ")));
    tip.hidden = false;
    const [x, y] = view.place(r), width = tip.offsetWidth, height = tip.offsetHeight;
    tip.style.left = `${Math.max(8, Math.min(x - width / 2, innerWidth - width - 8))}px`;
    tip.style.top = `${y - height - 12 > 0 ? y - height - 12 : y + 14}px`;
  };
  const hide = () => { tip.hidden = true; };

  const listen = view => {
    const rowAt = event => rows.get(event.target.closest("[data-row]")?.dataset.row);
    view.svg.addEventListener("pointerover", event => { const r = rowAt(event); if (r) show(view, r, false); });
    view.svg.addEventListener("pointerout", hide);
    view.svg.addEventListener("click", event => { const r = rowAt(event); if (r) open(view, r); });
    view.svg.addEventListener("blur", () => { view.at = null; draw(view); hide(); });
    view.svg.addEventListener("keydown", event => {
      const last = view.marks.length - 1, at = view.marks.findIndex(r => r.id === view.at);
      const next = { ArrowRight: at + 1, ArrowDown: at + 1, ArrowLeft: at < 0 ? last : at - 1, ArrowUp: at < 0 ? last : at - 1, Home: 0, End: last }[event.key];
      if (next !== undefined && last >= 0) {
        event.preventDefault();
        show(view, view.marks[Math.max(0, Math.min(next, last))], true);
      } else if ((event.key === "Enter" || event.key === " ") && at >= 0) {
        event.preventDefault();
        open(view, view.marks[at]);
      } else if (event.key === "Escape") hide();
    });
    view.body.addEventListener("click", event => { const r = rowAt(event); if (r) open(view, r); });
    view.body.addEventListener("keydown", event => {
      const line = event.target.closest("tr"), r = rowAt(event);
      if (event.key === "Enter" && r) open(view, r);
      const next = { ArrowDown: line?.nextElementSibling, ArrowUp: line?.previousElementSibling }[event.key];
      if (next) { event.preventDefault(); next.focus(); }
    });
  };

  // Details of one variant: its recipe, its code beside the original, and its hot loop.
  const detail = byId("detail"), body = byId("detail-body");
  const numbered = (text, hot, kind) => element("pre", { tabindex: 0, class: kind }, ...text.replace(/\n$/, "").split("\n").map((line, i) =>
    element("span", { class: hot.has(i + 1) ? "line hot" : "line", "data-n": i + 1 }, line || " ")));
  const open = async (view, r) => {
    hide();
    byId("detail-title").textContent = r.variant;
    const facts = [["how", r.how], ["partition", r.partition], ["time", secondsText(r.seconds)], ["energy", joulesText(r.joules)], ["speed-up", speedupText(r)],
      ["rounds", r.rounds || ""], ["state", stateText(r) || r.status], ["said", r.detail || ""], ["trial", r.id]].filter(([, value]) => value);
    const list = element("dl", {}, ...facts.flatMap(([name, value]) => [element("dt", {}, name), element("dd", {}, String(value))]));
    const code = element("div", { "aria-live": "polite" }, element("p", { class: "muted" }, "reading the code …"));
    body.replaceChildren(list, code);
    if (!detail.open) detail.showModal();
    const query = new URLSearchParams({ kernel: view.cell.source, variant: r.variant });
    let parts;
    try {
      const answer = await fetch(`variant?${query}`);
      if (!answer.ok) throw new Error((await answer.text()).trim());
      parts = codeParts(await answer.json());
    } catch (problem) {
      parts = [element("p", { class: "problem" }, problem.message)];
    }
    if (byId("detail-title").textContent === r.variant) code.replaceChildren(...parts);
  };

  const codeParts = c => {
    const parts = c.notes.map(note => element("p", { class: "muted" }, note));
    const hot = new Set(c.loop.map(i => i.line).filter(line => line > 0));
    const makers = new Set(c.loop.flatMap(i => i.recipe ?? []));
    const recipe = c.recipe ? [element("h3", {}, "Recipe"), numbered(c.recipe, makers, "recipe")] : [];
    if (c.code) parts.push(element("div", { class: "sides" },
      element("div", {}, element("h3", {}, "Original"), numbered(c.original, new Set(), "original")),
      element("div", {}, element("h3", {}, "This variant"), numbered(c.code, hot, "code"))));
    const loop = [];
    if (c.loop.length) {
      const code = c.code.split("\n");
      const says = i => [i.line && `line ${i.line}`, i.loop && `loop ${i.loop}`, i.recipe && `recipe ${i.recipe.join(" ")}`].filter(Boolean).join(" · ");
      const lines = c.loop.flatMap((i, k) => {
        const from = { "data-line": i.line, "data-recipe": (i.recipe ?? []).join(" ") };
        const line = element("span", { class: "line", ...from }, i.text);
        if (k && i.line === c.loop[k - 1].line) return [line];
        const of = i.line ? element("code", {}, code[i.line - 1].trim()) : "";
        return [element("span", { class: "of", ...from }, says(i) || "of no line of the code", of), line];
      });
      loop.push(element("h3", {}, "Its hot loop"), element("p", { class: "muted" },
        `by ${c.compiler}; above each group of instructions, the line of the code that it is from, and the lines of the recipe that have made the loop around that; both are marked there`),
        element("pre", { tabindex: 0, class: "assembly" }, ...lines));
    }
    parts.push(element("div", { class: "sides" }, element("div", {}, ...recipe), element("div", {}, ...loop)));
    return parts;
  };
  const point = event => {
    const from = event.target.closest?.("[data-line]")?.dataset;
    for (const marked of body.querySelectorAll(".now")) marked.classList.remove("now");
    if (!from) return;
    const of = body.querySelector(`pre.code .hot[data-n="${from.line}"]`);
    of?.classList.add("now");
    for (const n of from.recipe.split(" ").filter(Boolean)) body.querySelector(`pre.recipe [data-n="${n}"]`)?.classList.add("now");
    if (event.type === "click") of?.scrollIntoView({ block: "center" });
  };
  body.addEventListener("pointerover", point);
  body.addEventListener("click", point);

  // Rows come in pieces; what has changed is drawn once for each frame.
  let due = false;
  const refresh = () => {
    due = false;
    fillFilters();
    const grouped = new Map();
    for (const r of rows.values()) {
      if (!grouped.has(r.cell)) grouped.set(r.cell, []);
      grouped.get(r.cell).push(r);
    }
    const filter = chosen();
    for (const cell of cells.values()) {
      if (!views.has(cell.id)) {
        views.set(cell.id, newView(cell));
        byId("cells").append(views.get(cell.id).section);
      }
      const view = views.get(cell.id);
      view.cell = cell;
      view.rows = (grouped.get(cell.id) ?? []).sort((a, b) => a.number - b.number);
      view.section.hidden = !isShown(cell, filter);
      if (view.section.hidden) continue;
      summarise(view);
      draw(view);
      tabulate(view);
    }
    if (cells.size === 0) byId("cells").replaceChildren(element("p", {}, "The database has no sessions yet; tune --bench 2mm makes one, and it appears here."));
  };
  const later = () => {
    if (!due) { due = true; requestAnimationFrame(refresh); }
  };

  const take = message => {
    if (message.all) {
      rows.clear(); cells.clear(); views.clear(); classes.clear();
      byId("cells").replaceChildren();
    }
    if (message.cells.length && cells.size === 0) byId("cells").replaceChildren();
    for (const cell of message.cells) cells.set(cell.id, cell);
    for (const row of message.rows) rows.set(row.id, row);
    byId("databases").textContent = (message.databases ?? []).join(", ");
    say(message.problem ? `the database cannot be read: ${message.problem}` : `live: ${rows.size} trials`, message.problem ? "lost" : "live");
    later();
  };
  const say = (text, style) => {
    byId("state").textContent = text;
    byId("state").className = style;
  };

  for (const name of names) byId(name).addEventListener("change", later);
  addEventListener("resize", later);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", later);
  const source = new EventSource("events");
  for (const kind of ["all", "change"]) source.addEventListener(kind, event => take(JSON.parse(event.data)));
  source.addEventListener("error", () => say("the server does not answer; it is asked again and again", "lost"));
})();
