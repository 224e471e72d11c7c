"use strict";
// The explorer: Bokeh draws what this script puts into its sources; table, filters and legend are plain HTML.
// Text from the release only ever becomes text (textContent, or Bokeh's own escaped @columns), never markup.
(async () => {
  const $ = (id) => document.getElementById(id);
  const make = (tag, text, attributes = {}) => {
    const element = document.createElement(tag);
    if (text !== undefined) element.textContent = text;
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    return element;
  };
  const number = (value) => value.toLocaleString("en");
  const share = (value) => `${Math.round(100 * value)} %`;
  const several = (count, one, many = `${one}s`) => `${number(count)} ${count === 1 ? one : many}`;
  // a label written from right to left keeps to itself, and a very long one does not fill the page
  const apart = (text) => `\u2068${text.length > 200 ? `${text.slice(0, 199)}…` : text}\u2069`;
  const unpack = async (id) => {
    const bytes = Uint8Array.from(atob($(id).textContent.trim()), (c) => c.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Response(stream).json();
  };

  const data = await unpack("explorer-data");
  const n = data.sizes.length;
  const all = Array.from({ length: n }, (_, i) => i);
  const PAGE = 20, MOST_LINES = 4000, LEGEND = 7;
  const HUES = ["#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#F0E442"];
  const SHADES = ["#472d7b", "#3b528b", "#2c728e", "#21918c", "#28ae80", "#5ec962", "#addc30"];
  const UNKNOWN = "#a8adb3", OTHER = "#6b7280";

  // ---- ties: every pair of supernodes once, and for each supernode where its pairs stand ----
  const edges = { a: [], b: [], ties: [] };
  const own = all.map(() => []);
  if (data.graph) {
    let at = 0;
    data.edges.counts.forEach((count, a) => {
      let b = 0;
      for (let i = 0; i < count; i++, at++) {
        b = i ? b + data.edges.steps[at] : data.edges.steps[at];
        own[a].push(edges.a.length);
        own[b].push(edges.a.length);
        edges.a.push(a); edges.b.push(b); edges.ties.push(data.edges.ties[at]);
      }
    });
  }

  // ---- communities: the overview ----
  const communities = [];
  if (data.graph) {
    all.forEach((i) => {
      const c = data.community[i];
      (communities[c] ??= { members: [], people: 0, x: 0, y: 0 }).members.push(i);
      communities[c].people += data.sizes[i];
    });
    communities.forEach((c, i) => {
      c.name = `Community ${i + 1}`;
      c.x = c.members.reduce((sum, j) => sum + data.x[j], 0) / c.members.length;
      c.y = c.members.reduce((sum, j) => sum + data.y[j], 0) / c.members.length;
    });
  }

  const state = {
    view: data.overview ? "overview" : "all", colour: "", size: "people", least: 0, most: Infinity, search: "",
    selected: null, sort: ["name", 1], page: 0,
  };

  // ---- what can be said of one class ----
  const cell = (i, column) => column.texts[column.codes[i]];
  const counted = (i, values) => {
    const found = [];
    for (let j = 0; j < values.counts[i].length; j += 2) found.push([values.counts[i][j], values.counts[i][j + 1]]);
    return found;
  };
  const common = (i, values) => {
    const [value, count] = values.counts[i];
    return [values.texts[value], count / data.sizes[i]];
  };
  const pairs = (i) => data.sizes[i] * (data.sizes[i] - 1) / (data.directed ? 1 : 2);
  const title = (i) => (data.graph ? data.names[i] : `Class ${data.names[i]}`);
  const tip = (i) => {
    const lines = [title(i), `${number(data.sizes[i])} people`];
    if (data.graph) lines.push(`${number(data.inside[i])} ${data.unit} inside, ${number(data.between[i])} to others`);
    data.columns.forEach((column) => lines.push(`${apart(column.name)}: ${apart(cell(i, column))}`));
    data.values.forEach((values) => {
      const [value, part] = common(i, values);
      lines.push(`${apart(values.name)}: ${apart(value)} ${share(part)}`);
    });
    return lines.join("\n");
  };

  // ---- colour and size ----
  const measures = new Map();
  const measure = (key, label, group, get, kind) => measures.set(key, { label, group, get, kind });
  data.columns.forEach((column, j) => {
    const numeric = column.type === "number";
    measure(`c${j}`, numeric ? `${apart(column.name)}, middle of the range` : column.name, "What groups have in common",
      numeric ? (i) => column.middle[column.codes[i]] : (i) => cell(i, column), numeric ? "number" : "label");
  });
  data.values.forEach((values, j) => {
    measure(`v${j}`, `${apart(values.name)}, most common value`, "What is counted inside", (i) => common(i, values)[0], "label");
    values.texts.slice(0, 12).forEach((text, value) => measure(`s${j}:${value}`, `${apart(values.name)}: share of ${apart(text)}`,
      "Share of one value", (i) => (counted(i, values).find(([v]) => v === value)?.[1] ?? 0) / data.sizes[i], "share"));
  });
  measure("people", "people", "Counts", (i) => data.sizes[i], "number");
  if (data.graph) {
    measure("between", `${data.unit} to others`, "Counts", (i) => data.between[i], "number");
    measure("inside", `${data.unit} inside`, "Counts", (i) => data.inside[i], "number");
    measure("density", "share of pairs inside that are tied", "Counts", (i) => (pairs(i) ? data.inside[i] / pairs(i) : 0), "share");
  }
  if (data.columns.length) measure("lost", "detail lost", "Counts", (i) => data.lost[i], "share");

  const mix = (members, { get, kind }) => {
    // what a community shows: the average over its people, or what most of them have
    let weight = 0, sum = 0;
    const tally = new Map();
    for (const i of members) {
      const value = get(i);
      if (value === null) continue;
      if (kind === "label") tally.set(value, (tally.get(value) ?? 0) + data.sizes[i]);
      else { sum += value * data.sizes[i]; weight += data.sizes[i]; }
    }
    if (kind === "label") return [...tally].sort((a, b) => b[1] - a[1])[0]?.[0] ?? null;
    return weight ? sum / weight : null;
  };

  const colouring = (values, { kind }) => {
    if (kind === "label") {
      const tally = new Map();
      values.forEach((v) => v !== "*" && tally.set(v, (tally.get(v) ?? 0) + 1));
      const order = [...tally].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map(([v]) => v);
      const hue = new Map(order.slice(0, LEGEND).map((v, i) => [v, HUES[i]]));
      const legend = [...hue].map(([text, colour]) => ({ text, colour }));
      if (order.length > LEGEND) legend.push({ text: `${order.length - LEGEND} others`, colour: OTHER });
      if (values.includes("*")) legend.push({ text: "any (*)", colour: UNKNOWN });
      return { of: (v) => (v === "*" ? UNKNOWN : hue.get(v) ?? OTHER), legend };
    }
    const known = values.filter((v) => v !== null);
    const low = kind === "share" ? 0 : Math.min(...known), high = kind === "share" ? 1 : Math.max(...known);
    const steps = high > low ? SHADES.length : 1;
    const bin = (v) => Math.min(steps - 1, Math.floor((v - low) / (high - low || 1) * steps));
    const end = (b) => low + (high - low) * b / steps;
    const text = (v) => (kind === "share" ? share(v) : number(Math.abs(high - low) > steps ? Math.round(v) : +v.toPrecision(3)));
    const legend = known.length ? Array.from({ length: steps }, (_, b) => ({
      text: steps === 1 ? text(low) : `${text(end(b))} to ${text(end(b + 1))}`, colour: SHADES[b],
    })) : [];
    if (known.length < values.length) legend.push({ text: "any (*)", colour: UNKNOWN });
    return { of: (v) => (v === null ? UNKNOWN : SHADES[bin(v)]), legend };
  };

  // ---- filters ----
  const words = all.map((i) => [title(i), ...data.columns.map((c) => cell(i, c)),
    ...data.values.flatMap((v) => counted(i, v).map(([value]) => v.texts[value]))].join("\n").toLowerCase());
  let passing = all, passes = new Uint8Array(n).fill(1);
  const filter = () => {
    const wanted = state.search.trim().toLowerCase();
    passing = all.filter((i) => data.sizes[i] >= state.least && data.sizes[i] <= state.most && (!wanted || words[i].includes(wanted)));
    passes = new Uint8Array(n);
    passing.forEach((i) => { passes[i] = 1; });
  };

  // ---- the canvas ----
  let sources = null, canvas = null, items = [], quiet = false;
  const ink = () => getComputedStyle(document.body).color;
  const paper = () => getComputedStyle($("explorer")).backgroundColor;
  const shownItems = () => {
    if (state.view === "overview") {
      return communities.map((c, i) => ({ community: i, members: c.members.filter((j) => passes[j]), x: c.x, y: c.y }))
        .filter((c) => c.members.length);
    }
    const members = state.view === "all" ? passing : passing.filter((i) => data.community[i] === state.view);
    return members.map((i) => ({ index: i, members: [i], x: data.x[i], y: data.y[i] }));
  };

  const diameter = (amounts) => {
    // the area of a disc is its amount; all of them take a tenth of the canvas
    const room = canvas.inner_width * canvas.inner_height || 400000;
    const total = amounts.reduce((a, b) => a + b, 0) || 1, most = Math.max(...amounts, 1e-9);
    const area = Math.min(room * 0.1 / total, room * 0.02 / most);
    return amounts.map((a) => Math.max(4, 2 * Math.sqrt(a * area / Math.PI)));
  };

  const lines = () => {
    const place = new Map();
    items.forEach((item, k) => item.members.forEach((i) => place.set(i, k)));
    const sums = new Map();
    for (let e = 0; e < edges.a.length; e++) {
      const a = place.get(edges.a[e]), b = place.get(edges.b[e]);
      if (a === undefined || b === undefined || a === b) continue;
      const key = a < b ? a * items.length + b : b * items.length + a;
      sums.set(key, (sums.get(key) ?? 0) + edges.ties[e]);
    }
    const sorted = [...sums].sort((x, y) => y[1] - x[1]);
    const shown = sorted.slice(0, MOST_LINES), most = shown.length ? shown[0][1] : 1;
    // many lines share the ink that few would take, or the middle of the picture turns black
    const faint = Math.min(1, (250 / (shown.length + 1)) ** 0.65);
    const told = { x0: [], y0: [], x1: [], y1: [], width: [], alpha: [], ink: [] }, colour = ink();
    shown.reverse().forEach(([key, ties]) => {
      const a = items[Math.floor(key / items.length)], b = items[key % items.length];
      told.x0.push(a.x); told.y0.push(a.y); told.x1.push(b.x); told.y1.push(b.y);
      told.width.push(0.5 + 4.5 * ties / Math.max(most, 5));
      told.alpha.push(Math.max(0.02, faint * (0.15 + 0.45 * ties / most)));
      told.ink.push(colour);
    });
    return { told, shown: shown.length, total: sorted.length };
  };

  const readable = (hex) => {
    const [r, g, b] = [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));
    return 0.3 * r + 0.59 * g + 0.11 * b > 140 ? "#111" : "#fff";
  };

  const fit = () => {
    if (!items.length) return;
    const xs = items.map((i) => i.x), ys = items.map((i) => i.y);
    const range = (values, zero) => {
      const low = Math.min(...values), high = Math.max(...values), room = (high - low) * 0.08 || Math.abs(high) * 0.1 || 0.5;
      return [zero ? Math.min(0, low) - room / 2 : low - room, high + room];
    };
    const put = (model, [start, end]) => model.setv({ start, end });
    put(canvas.x_range, range(xs, !data.graph));
    put(canvas.y_range, range(ys, !data.graph));
  };

  const draw = (refit = true) => {
    items = shownItems();
    const colour = measures.get(state.colour);
    const values = items.map((item) => (item.index === undefined ? mix(item.members, colour) : colour.get(item.index)));
    const scale = colouring(values, colour);
    const size = measures.get(state.size);
    const amounts = items.map(({ members }) => (state.size === "equal" ? 1 : members.reduce((sum, i) => sum + size.get(i), 0)));
    const sizes = diameter(amounts), dark = ink(), line = paper();
    items.forEach((item, k) => { item.size = sizes[k]; });
    quiet = true;
    if (data.graph) {
      const { told, shown, total } = lines();
      sources.edges.data = told;
      const overview = state.view === "overview", edge = overview ? "bundle of superedges" : "superedge";
      $("drawn").textContent = `${several(items.length, overview ? "community" : "supernode", overview ? "communities" : "supernodes")} and `
        + `${shown < total ? `the ${number(shown)} widest of ` : ""}${several(total, edge, overview ? "bundles of superedges" : "superedges")} between them are drawn`
        + (shown < total && !overview ? "; of a selected supernode, all are." : ".");
      const absent = data.superedges - edges.a.length;
      if (absent) $("drawn").textContent += ` Besides these, ${several(absent, "superedge")} of fewer ties are in the files of the release only.`;
    } else {
      $("drawn").textContent = `${several(items.length, "class", "classes")} ${items.length === 1 ? "is" : "are"} drawn.`;
    }
    if (data.left_out) $("drawn").textContent += ` ${several(data.left_out, `smaller ${data.graph ? "supernode" : "class"}`, `smaller ${data.graph ? "supernodes" : "classes"}`)}${data.graph ? ", with all superedges of theirs," : ""} ${data.left_out === 1 ? "is" : "are"} in the files of the release only.`;
    sources.discs.data = {
      x: items.map((i) => i.x), y: items.map((i) => i.y), size: sizes, fill: values.map(scale.of),
      alpha: items.map(() => (data.graph ? 1 : 0.65)), line: items.map(() => line), rim: sizes.map((s) => (s < 9 ? 0.4 : 1)), ink: items.map(() => dark),
      tip: items.map((item) => (item.index === undefined
        ? `${communities[item.community].name}\n${number(item.members.length)} supernodes, ${number(item.members.reduce((s, i) => s + data.sizes[i], 0))} people\nSelect it to look inside`
        : tip(item.index))),
    };
    sources.discs.selected.indices = [];
    const named = state.view === "overview" ? items : [];
    sources.labels.data = {
      x: named.map((i) => i.x), y: named.map((i) => i.y), text: named.map((i) => `${i.community + 1}`), ink: named.map((i) => readable(scale.of(values[items.indexOf(i)]))),
    };
    quiet = false;
    legend(colour.label, scale.legend);
    crumbs();
    mark();
    if (refit) fit();
  };

  const mark = () => {
    const k = items.findIndex((item) => item.index === state.selected && state.selected !== null);
    const dark = ink(), told = { x0: [], y0: [], x1: [], y1: [], width: [], ink: [] };
    const item = items[k];
    if (item && data.graph) {
      const place = new Map(items.map((other) => [other.index, other]));
      const most = Math.max(...own[item.index].map((e) => edges.ties[e]), 1);
      own[item.index].forEach((e) => {
        const other = place.get(edges.a[e] === item.index ? edges.b[e] : edges.a[e]);
        if (!other) return;
        told.x0.push(item.x); told.y0.push(item.y); told.x1.push(other.x); told.y1.push(other.y);
        told.width.push(1 + 4 * edges.ties[e] / Math.max(most, 4)); told.ink.push(dark);
      });
    }
    sources.lit.data = told;
    sources.marks.data = item ? { x: [item.x], y: [item.y], size: [item.size + 9], ink: [dark] } : { x: [], y: [], size: [], ink: [] };
  };

  const legend = (label, entries) => {
    const list = make("ul");
    entries.forEach(({ text, colour }) => {
      const line = make("li"), swatch = make("span", undefined, { class: "swatch" });
      swatch.style.background = colour;
      line.append(swatch, text);
      list.append(line);
    });
    $("legend").replaceChildren(make("strong", label), list);
  };

  const crumbs = () => {
    const at = $("view");
    at.value = String(state.view);
    $("back").hidden = state.view === "overview" || !data.overview;
  };

  // ---- the table ----
  const columns = [
    { key: "name", head: data.graph ? "Supernode" : "Class", get: title, order: (i) => Number(data.names[i].replace(/\D/g, "")) },
    { key: "people", head: "People", get: (i) => number(data.sizes[i]), order: (i) => data.sizes[i], right: true },
  ];
  if (data.graph) {
    const Unit = data.unit[0].toUpperCase() + data.unit.slice(1);
    columns.push({ key: "inside", head: `${Unit} inside`, get: (i) => number(data.inside[i]), order: (i) => data.inside[i], right: true },
      { key: "between", head: `${Unit} to others`, get: (i) => number(data.between[i]), order: (i) => data.between[i], right: true });
  }
  data.columns.forEach((column, j) => columns.push({
    key: `c${j}`, head: column.name, get: (i) => cell(i, column),
    order: column.type === "number" ? (i) => column.middle[column.codes[i]] ?? Infinity : (i) => cell(i, column),
  }));
  data.values.forEach((values, j) => columns.push({
    key: `v${j}`, head: `${apart(values.name)}, most common`, get: (i) => { const [v, s] = common(i, values); return `${apart(v)} (${share(s)})`; },
    order: (i) => -common(i, values)[1],
  }));

  let listed = [];
  const sorted = () => {
    const { order } = columns.find((c) => c.key === state.sort[0]);
    const rank = all.map(order);
    const less = (a, b) => (rank[a] < rank[b] ? -1 : rank[a] > rank[b] ? 1 : a - b);
    listed = (typeof state.view === "number" ? passing.filter((i) => data.community[i] === state.view) : [...passing])
      .sort((a, b) => state.sort[1] * less(a, b));
  };

  const head = () => {
    const row = make("tr");
    columns.forEach((column) => {
      const sortedBy = column.key === state.sort[0];
      const cellOf = make("th", undefined, { scope: "col", "aria-sort": sortedBy ? (state.sort[1] > 0 ? "ascending" : "descending") : "none" });
      if (column.right) cellOf.className = "right";
      const button = make("button", column.head, { type: "button", title: `Sort by ${column.head}` });
      if (sortedBy) button.append(make("span", state.sort[1] > 0 ? " ▲" : " ▼", { "aria-hidden": "true" }));
      button.addEventListener("click", () => {
        state.sort = [column.key, sortedBy ? -state.sort[1] : 1];
        state.page = 0;
        sorted(); table();
      });
      cellOf.append(button);
      row.append(cellOf);
    });
    $("classes-head").replaceChildren(row);
  };

  const table = () => {
    head();
    const pages = Math.max(1, Math.ceil(listed.length / PAGE));
    state.page = Math.min(Math.max(state.page, 0), pages - 1);
    const rows = listed.slice(state.page * PAGE, (state.page + 1) * PAGE).map((i) => {
      const row = make("tr", undefined, { "data-class": i, "aria-selected": String(i === state.selected) });
      columns.forEach((column, j) => {
        const text = column.get(i);
        if (j) { row.append(make("td", text, column.right ? { class: "right" } : {})); return; }
        const name = make("th", undefined, { scope: "row" });
        const button = make("button", text, { type: "button", "aria-pressed": String(i === state.selected) });
        name.append(button);
        row.append(name);
      });
      row.addEventListener("click", () => select(i === state.selected ? null : i));
      return row;
    });
    $("classes-body").replaceChildren(...rows);
    const first = listed.length ? state.page * PAGE + 1 : 0, last = Math.min((state.page + 1) * PAGE, listed.length);
    $("pages").textContent = listed.length ? `${number(first)} to ${number(last)} of ${number(listed.length)}` : "nothing passes the filters";
    $("earlier").disabled = state.page === 0;
    $("later").disabled = state.page >= pages - 1;
  };

  // ---- selection: one state, three places that show it ----
  const select = (i, { turn = false } = {}) => {
    state.selected = i;
    if (i !== null) {
      const visible = items.some((item) => item.index === i);
      if (!visible && passes[i] && data.overview) go(data.community[i], { keep: true });
      if (turn || !listed.slice(state.page * PAGE, (state.page + 1) * PAGE).includes(i)) {
        const at = listed.indexOf(i);
        if (at >= 0) state.page = Math.floor(at / PAGE);
      }
    }
    mark();
    table();
    details();
  };

  const details = () => {
    const panel = $("details"), i = state.selected;
    if (i === null) {
      panel.replaceChildren(make("p", panel.dataset.empty));
      return;
    }
    const list = make("dl");
    const entry = (name, text) => list.append(make("dt", name), make("dd", text));
    entry("people", number(data.sizes[i]));
    if (data.graph) {
      entry(`${data.unit} inside`, `${number(data.inside[i])} of ${number(pairs(i))} pairs`);
      entry(`${data.unit} to others`, number(data.between[i]));
    }
    data.columns.forEach((column) => entry(column.name, cell(i, column)));
    const parts = [make("h4", title(i)), list];
    data.values.forEach((values) => parts.push(make("h5", values.name), bars(counted(i, values).map(([v, c]) => [values.texts[v], c]), data.sizes[i])));
    if (data.graph && own[i].length) parts.push(make("h5", "most ties with"), neighbours(i));
    panel.replaceChildren(...parts);
  };

  const bars = (entries, whole) => {
    const list = make("ul", undefined, { class: "bars" });
    entries.slice(0, 8).forEach(([text, count]) => {
      const line = make("li"), bar = make("span", undefined, { class: "bar", "aria-hidden": "true" });
      bar.style.width = `${100 * count / whole}%`;
      line.append(bar, make("span", text), make("span", `${count} (${share(count / whole)})`));
      list.append(line);
    });
    if (entries.length > 8) list.append(make("li", `and ${entries.length - 8} more`));
    return list;
  };

  const neighbours = (i) => {
    const list = make("ul", undefined, { class: "plain" });
    [...own[i]].sort((a, b) => edges.ties[b] - edges.ties[a]).slice(0, 6).forEach((e) => {
      const other = edges.a[e] === i ? edges.b[e] : edges.a[e];
      const line = make("li"), button = make("button", title(other), { type: "button" });
      button.addEventListener("click", () => select(other, { turn: true }));
      line.append(button, ` ${several(edges.ties[e], data.unit.slice(0, -1))}`);
      list.append(line);
    });
    return list;
  };

  const go = (view, { keep = false } = {}) => {
    state.view = view;
    state.page = 0;
    if (!keep) state.selected = null;
    sorted();
    draw();
    if (!keep) { table(); details(); }
  };

  const again = () => { filter(); sorted(); state.page = 0; draw(false); table(); };

  // ---- controls ----
  const options = (element, entries, chosen) => {
    const groups = new Map();
    entries.forEach(([key, { label, group }]) => {
      if (!groups.has(group)) groups.set(group, make("optgroup", undefined, { label: group }));
      groups.get(group).append(make("option", label, { value: key }));
    });
    element.replaceChildren(...groups.values());
    element.value = chosen;
  };
  const telling = () => {
    // the attribute whose values tell groups apart best
    let best = "people", most = -1;
    data.columns.forEach((column, j) => {
      const tally = new Map();
      all.forEach((i) => { const t = cell(i, column); if (t !== "*") tally.set(t, (tally.get(t) ?? 0) + 1); });
      const kinds = column.type === "number" ? Math.min(tally.size, SHADES.length) : tally.size;
      const known = [...tally.values()].reduce((a, b) => a + b, 0) / n;
      const score = kinds > 1 ? known * (kinds <= LEGEND ? 1 : 0.7) * Math.min(1, kinds / 3) : 0;
      if (score > most) { most = score; best = `c${j}`; }
    });
    return best;
  };
  state.colour = telling();
  options($("colour"), [...measures], state.colour);
  options($("size"), [...measures].filter(([key]) => ["people", "between", "inside"].includes(key))
    .concat([["equal", { label: "all alike", group: "Counts" }]]), state.size);
  if (data.graph) {
    const view = $("view");
    view.append(make("option", "all supernodes", { value: "all" }));
    if (data.overview) {
      view.prepend(make("option", "overview of communities", { value: "overview" }));
      communities.forEach((c, i) => view.append(make("option", `${c.name} (${number(c.members.length)} supernodes)`, { value: i })));
    }
    view.addEventListener("change", () => go(/^\d+$/.test(view.value) ? Number(view.value) : view.value));
  }
  $("back").addEventListener("click", () => go("overview"));
  $("colour").addEventListener("change", (event) => { state.colour = event.target.value; draw(false); });
  $("size").addEventListener("change", (event) => { state.size = event.target.value; draw(false); });
  const typed = (id, put) => $(id).addEventListener("input", (event) => { put(event.target.value); again(); });
  typed("least", (value) => { state.least = value === "" ? 0 : Number(value); });
  typed("most", (value) => { state.most = value === "" ? Infinity : Number(value); });
  typed("search", (value) => { state.search = value; });
  $("earlier").addEventListener("click", () => { state.page -= 1; table(); });
  $("later").addEventListener("click", () => { state.page += 1; table(); });
  const zoom = (factor) => [canvas.x_range, canvas.y_range].forEach((range) => {
    const middle = (range.start + range.end) / 2, half = (range.end - range.start) / 2 * factor;
    range.setv({ start: middle - half, end: middle + half });
  });
  $("closer").addEventListener("click", () => zoom(1 / 1.5));
  $("farther").addEventListener("click", () => zoom(1.5));
  $("whole").addEventListener("click", fit);

  // ---- begin ----
  filter();
  sorted();
  table();
  details();
  const item = JSON.parse($("figure").textContent);
  await Bokeh.embed.embed_item(item);
  const model = (name) => Bokeh.documents[0].get_model_by_name(name);
  canvas = model("canvas");
  if (window.innerWidth < 700) canvas.height = 380;
  sources = Object.fromEntries(["edges", "lit", "marks", "discs", "labels"].map((name) => [name, model(name)]));
  const themed = () => {
    const colour = ink();
    [...canvas.below, ...canvas.left].forEach((axis) => axis.setv({
      axis_label_text_color: colour, major_label_text_color: colour, axis_line_color: colour, major_tick_line_color: colour, minor_tick_line_color: null,
    }));
    draw(false);
  };
  draw();
  themed();
  sources.discs.selected.change.connect(() => {
    if (quiet) return;
    const [k] = sources.discs.selected.indices;
    if (k === undefined) return;
    const { index, community } = items[k];
    quiet = true;
    sources.discs.selected.indices = [];
    quiet = false;
    if (index === undefined) go(community);
    else select(index === state.selected ? null : index, { turn: true });
  });
  window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", themed);
  window.graphanon = { state, items: () => items, select, go, canvas, sources };
  document.documentElement.dataset.explorer = "ready";
})().catch((error) => {
  document.documentElement.dataset.explorer = "failed";
  const note = document.getElementById("details");
  if (note) note.textContent = "The explorer could not start in this browser; the files of the release say the same.";
  console.error(error);
});
