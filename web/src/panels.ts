// The panels next to the pictures: root, path with trends, selection and search.

import type { App } from "./app.ts";
import { trendChart } from "./charts.ts";
import { announce, button, clip, counted, html, select, short } from "./dom.ts";
import { complete, copy, digits, field, heading, save, savePng, saveSvg, table } from "./save.ts";
import { MAX_STORED, selected } from "./state.ts";

/** An input for a node index. */
function nodeInput(app: App, label: string, action: (node: number) => void): HTMLInputElement {
  const input = html("input", {
    type: "number", min: 0, max: app.report.nodes - 1, step: 1, "aria-label": label,
  });
  input.addEventListener("change", () => {
    const node = Number(input.value);
    const valid = input.value !== "" && Number.isInteger(node) && node >= 0;
    if (valid && node < app.report.nodes) action(node);
    else announce(`there is no node ${input.value}; nodes are 0 to ${app.report.nodes - 1}`);
  });
  return input;
}

/** A word quoted for a shell. */
function quoted(word: string): string {
  return /^[\w./,:=@%+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

export function rootCommand(app: App): string {
  const roots = app.state.root.map((node) => `--root ${node}`).join(" ");
  return `midrib root ${quoted(app.report.directory)} ${roots}`;
}

export function rootBox(app: App): { element: HTMLElement; show: () => void } {
  const input = nodeInput(app, "Root node", (node) => app.store.set({ root: [node] }));
  const note = html("span", { class: "note" });
  const command = html("code", { id: "root-command" });
  const element = html(
    "div",
    { class: "box" },
    html("label", {}, "Root node ", input),
    note,
    html("div", { class: "row" }, command,
      button("Copy", () => void copy(rootCommand(app), "the command"), {
        "aria-label": "Copy the command that writes this root to the results",
      })),
  );
  const show = () => {
    input.value = String(app.state.root[0] ?? "");
    const chosen = String(app.state.root) === String(app.report.root);
    const more = app.state.root.length > 1 ? `, and ${app.state.root.slice(1).join(", ")}` : "";
    note.textContent = chosen
      ? `as in the results${more}`
      : app.report.root.length === 0 && app.state.root[0] === app.report.defaultRoot
        ? "no root was chosen, so this is a tip; click a node to change it"
        : "pseudotime on this page starts here; the command writes this root to the results";
    command.textContent = rootCommand(app);
  };
  show();
  return { element, show };
}

export function searchBox(app: App): HTMLElement {
  const input = html("input", { type: "search", "aria-label": "Find a point by its id", placeholder: "id of a point" });
  const note = html("span", { class: "note", id: "found" });
  const find = () => {
    const wanted = input.value.trim();
    if (wanted === "") return;
    const n = app.report.drawn;
    let found = -1;
    for (let i = 0; i < n && found < 0; i++) if (app.report.id(i) === wanted) found = i;
    const lower = wanted.toLowerCase();
    for (let i = 0; i < n && found < 0; i++) {
      if (app.report.id(i).toLowerCase().includes(lower)) found = i;
    }
    if (found < 0) {
      const sampled = app.report.drawn < app.report.n ? "; not all points are on this page" : "";
      note.textContent = `no point with id ${clip(wanted, 40)}${sampled}`;
    } else {
      const selection = new Uint8Array(n);
      selection[found] = 1;
      app.store.set({ selection, hoverPoint: found });
      note.textContent = app.describePoint(found).map((line) => clip(line, 60)).join("; ");
    }
    announce(note.textContent ?? "");
  };
  const form = html("form", { class: "box", role: "search" },
    html("label", {}, "Find ", input), html("button", { type: "submit" }, "Find"), note);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    find();
  });
  return form;
}

/** The maximum number of ids in the list; all are saved and copied. */
const MAX_IDS = 500;

export function selectionBox(app: App): { element: HTMLElement; show: () => void } {
  const title = html("h2", {}, "Selection");
  const list = html("textarea", { readonly: true, rows: 4, "aria-label": "Ids of the selected points" });
  const points = () => selected(app.state);
  const note = html("p", { class: "note" }, `The URL of this page stores selections of up to ${MAX_STORED} ` +
    "points; save larger ones.");
  const element = html("section", { class: "panel", id: "selection", hidden: true },
    html("div", { class: "head" }, title, html("div", { class: "controls" },
      button("Copy ids", () => void copy(points().map((i) => app.report.id(i)).join("\n"), "the ids")),
      button("Save CSV", () => save("selection.csv", "text/csv", table(app, points()))),
      button("Clear", () => app.store.set({ selection: null })),
    )),
    list, note,
  );
  const show = () => {
    const chosen = points();
    element.hidden = chosen.length === 0;
    note.hidden = chosen.length <= MAX_STORED;
    title.textContent = `Selection: ${counted(chosen.length, "point", "points")}`;
    const shown = chosen.slice(0, MAX_IDS).map((i) => clip(app.report.id(i), 200));
    if (chosen.length > MAX_IDS) shown.push(`… and ${chosen.length - MAX_IDS} more`);
    list.value = shown.join("\n");
  };
  return { element, show };
}

export function pathBox(app: App): { element: HTMLElement; show: () => void } {
  const from = nodeInput(app, "First node of the path", (node) => {
    const to = app.state.path[1];
    app.store.set({ path: to === undefined ? [node] : [node, to] });
  });
  const to = nodeInput(app, "Last node of the path", (node) => {
    app.store.set({ path: [app.state.path[0] ?? app.state.root[0] ?? 0, node] });
  });
  const note = html("p", { class: "note" });
  const charts = html("div", { class: "charts", id: "trends" });
  const numbers = app.report.columns
    .map((column, index): [string, string] => [String(index), column.name])
    .filter(([index]) => app.report.columns[Number(index)]!.kind === "number");
  const add = select("Add the trend of a column", [["", "add a column…"], ...numbers], (value) => {
    const index = Number(value);
    if (value !== "" && !app.state.trends.includes(index)) {
      app.store.set({ trends: [...app.state.trends, index] });
    }
    add.value = "";
  });
  const csv = button("Save CSV", () => {
    const columns = app.state.trends.map((index) => app.report.columns[index]!);
    const off = app.report.posOff * app.report.length.reduce((most, own) => Math.max(most, own), 0);
    const head = ["id", heading("position", off), ...columns.map(({ name, off }) => heading(name, off))].join(",");
    const rows = app.along.map(({ point, position }) =>
      [field(app.report.id(point)), digits(position, off),
        ...columns.map((column) => column.low === column.high ? String(column.low) : digits(column.values[point]!, column.off))].join(","));
    save("path.csv", "text/csv", `${[head, ...rows].join("\n")}\n`);
  });
  const clear = button("Clear", () => app.store.set({ path: [] }));
  const element = html("section", { class: "panel", id: "path" },
    html("div", { class: "head" }, html("h2", {}, "Path and trends"),
      html("div", { class: "controls" },
        html("label", {}, "from ", from), html("label", {}, "to ", to),
        ...(numbers.length > 0 ? [add] : []), csv, clear)),
    note, charts,
  );
  const show = () => {
    const [first, last] = app.state.path;
    from.value = first === undefined ? "" : String(first);
    to.value = last === undefined ? "" : String(last);
    csv.hidden = !app.path;
    clear.hidden = first === undefined;
    charts.replaceChildren();
    if (first === undefined || last === undefined) {
      note.textContent = first === undefined
        ? "Choose two nodes: shift-click them, or type their numbers. The points along the path " +
          "and the trends of columns appear here."
        : `From node ${first}: choose a second node.`;
      return;
    }
    if (!app.path) {
      note.textContent = `There is no path from node ${first} to node ${last}: they are in different components.`;
      return;
    }
    note.textContent =
      `${counted(app.path.nodes.length, "node", "nodes")}, length ${short(app.path.length)}, ` +
      `${counted(app.along.length, "point", "points")} along it` +
      (numbers.length === 0 ? ". The report has no numeric columns to draw trends of." : ".");
    if (app.state.trends.length > 0) {
      note.textContent += " Lines are local linear fits with Gaussian weights whose standard deviation is " +
        "7 % of the path; bands are one standard error to either side.";
    }
    const rounded = app.state.trends.some((index) => (app.report.columns[index]?.off ?? 0) > 0);
    if (rounded) {
      note.textContent += " Numbers are rounded to keep this page small; the saved table says by how much, " +
        "and the original table has all digits.";
    }
    for (const index of app.state.trends) {
      const column = app.report.columns[index];
      if (!column) continue;
      const chart = trendChart(app, column);
      const name = `trend-${column.name.replace(/[^\w-]+/g, "_").slice(0, 40)}`;
      const picture = () => complete(app, { drawing: chart, width: 400, height: 240 }, false);
      charts.append(html("figure", { class: "chart" }, chart,
        html("div", { class: "row" },
          button("SVG", () => saveSvg(name, picture()),
            { "aria-label": `Save the trend of ${clip(column.name, 40)} as SVG` }),
          button("PNG", () => void savePng(name, picture()),
            { "aria-label": `Save the trend of ${clip(column.name, 40)} as PNG` }),
          button("Remove", () => app.store.set({ trends: app.state.trends.filter((t) => t !== index) }),
            { "aria-label": `Remove the trend of ${clip(column.name, 40)}` }))));
    }
  };
  show();
  return { element, show };
}
