// Puts the page together.

import { adjacencyChart, showPointed } from "./adjacency.ts";
import { App } from "./app.ts";
import { distanceChart, traceChart, tuningChart } from "./charts.ts";
import { load, type Report } from "./data.ts";
import { button, clip, html, segments, select } from "./dom.ts";
import { columnsLayout, dendrogramLayout, metroLayout } from "./layouts.ts";
import { legend } from "./legend.ts";
import { hasWebGl } from "./painter.ts";
import { pathBox, rootBox, searchBox, selectionBox } from "./panels.ts";
import { complete, savePng, saveSvg, type Picture } from "./save.ts";
import { Scatter } from "./scatter.ts";
import { fromHash, initial, looksOf, toHash, type Looks, type State } from "./state.ts";
import { details, summary, warnings } from "./description.ts";

const NO_WEBGL = "This browser has no WebGL: pictures are drawn without it, which is slower, " +
  "and some points are left out while they move.";
/** Graphs with more nodes show their points on the metro map instead of pies. */
const MAX_PIES = 400;

function savers(app: App, name: string, picture: () => Picture, colored: boolean): HTMLElement {
  const group = html("span", { class: "savers", role: "group", "aria-label": `Save ${name}` });
  group.append(
    button("SVG", () => saveSvg(name, complete(app, picture(), colored)), {
      "aria-label": `Save ${name} as SVG`,
    }),
    button("PNG", () => void savePng(name, complete(app, picture(), colored)), {
      "aria-label": `Save ${name} as PNG`,
    }),
  );
  return group;
}

/** A chart that is redrawn when something changes. */
function chart(app: App, id: string, title: string, caption: string, make: () => SVGSVGElement) {
  const stage = html("div", { class: "chart" });
  let drawn: SVGSVGElement;
  const show = () => {
    drawn = make();
    stage.replaceChildren(drawn);
  };
  show();
  const size = () => drawn.viewBox.baseVal;
  const picture = () => ({ drawing: drawn, width: size().width, height: size().height });
  const element = html("figure", { class: "panel", id },
    html("div", { class: "head" }, html("h2", {}, title),
      html("div", { class: "controls" }, savers(app, id, picture, false))),
    stage, html("figcaption", {}, caption));
  return { element, show, drawing: () => drawn };
}

function colorMenu(app: App): HTMLSelectElement {
  const { columns } = app.report;
  const own: [string, string][] = columns.map((column, i) => [`column:${i}`, column.name]);
  const names = app.report.sheet ? ["component"] : ["branch", "component", "pseudotime"];
  return select("Color by", [...own, ...names.map((name): [string, string] => [name, name])],
    (color) => app.store.set({ color }));
}

function dataView(app: App): { view: Scatter; show: () => void; relay: () => void } {
  const { report, state } = app;
  const layout = () => state.space < 0
    ? columnsLayout(app, ...state.axes)
    : report.spaces[state.space] ?? report.spaces[0]!;
  const view = new Scatter(app, {
    id: "data", title: "Data and graph", nodes: "dots",
    about: "the points with the learned graph.",
  }, layout());
  const numbers = report.columns.flatMap((column, i): [string, string][] =>
    column.kind === "number" ? [[String(i), column.name]] : []);
  const spaces = report.spaces.map((space, i): [string, string] => [String(i), space.name]);
  if (numbers.length >= 2) spaces.push(["-1", "two columns"]);
  const space = select("Space", spaces, (value) => app.store.set({ space: Number(value) }));
  const axis = (which: 0 | 1) => select(which === 0 ? "Horizontal" : "Vertical", numbers, (value) => {
    const axes: [number, number] = [...state.axes];
    axes[which] = Number(value);
    app.store.set({ axes });
  });
  const [x, y] = [axis(0), axis(1)];
  const dims = segments("Dimensions", [["2", "2-D"], ["3", "3-D"]], (value) =>
    app.store.set({ dims: value === "3" ? 3 : 2 }));
  const tools = segments("Drag mode", [["move", "Move"], ["lasso", "Lasso"], ["box", "Box"]],
    (tool) => app.store.set({ tool }));
  if (spaces.length > 1) view.controls.append(space);
  view.controls.append(x, y, dims.element, tools.element, savers(app, "data", () => view.picture(), true));
  const show = () => {
    const deep = state.space >= 0 && report.spaces[state.space]?.axes.length === 3;
    space.value = String(state.space);
    x.hidden = y.hidden = state.space >= 0;
    [x.value, y.value] = [String(state.axes[0]), String(state.axes[1])];
    dims.element.hidden = !deep;
    dims.show(deep && state.dims === 3 ? "3" : "2");
    tools.show(state.tool);
    const drag = state.dims === 3 && deep ? "Drag to rotate" : "Drag to move";
    view.caption.textContent = `${sampled(report)}${drag}; scroll to zoom once it has the focus. ` +
      "Click a point to select it, a legend entry to select its class.";
  };
  const relay = () => {
    view.setLayout(layout());
    view.turn(state.space >= 0 && state.dims === 3 && report.spaces[state.space]?.axes.length === 3);
  };
  show();
  relay();
  return { view, show, relay };
}

function sampled(report: Report): string {
  return report.drawn < report.n
    ? `${report.drawn.toLocaleString("en")} of ${report.n.toLocaleString("en")} points are shown, ` +
      "one at random from each block of rows. "
    : "";
}

function pointsToggle(view: Scatter): HTMLElement {
  const box = html("input", { type: "checkbox" });
  box.checked = view.pointsShown;
  box.addEventListener("change", () => view.showPoints(box.checked));
  return html("label", {}, box, " points");
}

function build(report: Report): void {
  const scheme = matchMedia("(prefers-color-scheme: dark)");
  const first = initial(report);
  const state: State = { ...first, ...fromHash(location.hash, report) };
  const forced = document.documentElement.dataset["painter"];
  const app = new App(report, state, scheme.matches,
    forced === "webgl" || forced === "pixels" ? forced : undefined);
  const main = document.getElementById("main")!;

  const menu = colorMenu(app);
  const action = segments("What a click on a node does", [["root", "sets the root"], ["path", "selects a path"]],
    (value) => app.store.set({ action: value }));
  const root = rootBox(app);
  const keys = html("div", { class: "box" });
  const legendBox = html("div", { id: "legend" });
  keys.append(html("label", {}, "Color by ", menu), legendBox);
  const nodes = html("div", { class: "box" }, html("span", {}, "A click on a node "), action.element);
  const search = searchBox(app);
  const ofLines = report.sheet ? [] : [nodes, root.element];
  const side = html("aside", { class: "side", "aria-label": "Controls" }, keys, ...ofLines, search);

  const data = dataView(app);
  const metro = new Scatter(app, {
    id: "metro", title: "Metro map", nodes: "pies",
    about: `the graph drawn flat${report.sheet ? "" : " with true edge lengths"}; each node is a pie chart of the colors of its points.`,
  }, metroLayout(app));
  metro.showPoints(report.nodes > MAX_PIES);
  const closed = report.closes.some((c) => c === 1);
  const lengths = report.sheet ? "The sheet drawn flat, not to scale." : "Lines have the lengths of the graph's edges.";
  metro.caption.textContent = lengths + " The area of a disc shows how many points it has." + (closed ? " Dashed lines close loops and are not to scale." : "");
  metro.controls.append(pointsToggle(metro), savers(app, "metro", () => metro.picture(), true));
  const tree = new Scatter(app, {
    id: "dendrogram", title: "Dendrogram", nodes: "dots",
    about: "the rooted graph with pseudotime upward and its branches side by side.",
  }, dendrogramLayout(app));
  tree.caption.textContent = "Upward from the root, with branches side by side; horizontal distances have no meaning. " +
    (report.closes.some((c) => c === 1) ? "Loops are cut opposite the root. " : "") +
    (report.componentOfNode.some((c) => c > 0) ? "Components without a root are left out." : "");
  tree.controls.append(pointsToggle(tree), savers(app, "dendrogram", () => tree.picture(), true));
  if (report.drawn === 0) {
    for (const view of [metro, tree]) view.controls.querySelector("label")?.remove();
    for (const part of [keys, search]) part.hidden = true;
  }

  const path = pathBox(app);
  const selection = selectionBox(app);
  selection.show();
  const adjacency = chart(app, "adjacency", "Adjacency",
    "Which nodes are connected, sorted by class and branch; darker edges have larger weights. " +
      "Point at an edge to see it in the other pictures; click it to select its path.",
    () => adjacencyChart(app));
  const { tuning } = report;
  const still = [
    ...(report.trace.length > 0
      ? [chart(app, "objective", "Objective", `After each ${app.report.step}; a converged fit ends flat.`, () => traceChart(app))]
      : []),
    ...(tuning ? [chart(app, "tuning", "Tuning", tuning.caption, () => tuningChart(app, tuning))] : []),
    ...(report.histogram
      ? [chart(app, "distances", "Distances", "Distances from the graph, of all points." +
          (report.distances === null ? "" : " Click a bar to select its points."),
          () => distanceChart(app))]
      : []),
  ];
  const flat = [...(report.metro.length > 0 ? [metro] : []), ...(report.sheet ? [] : [tree])];
  const crowded = report.metro.length > 0 ? [] : ["The graph has too many branches for a metro map."];
  const notes = warnings([...report.warnings, ...crowded]);
  main.replaceChildren(
    summary(report),
    ...(notes ? [notes] : []),
    html("div", { class: "top" }, data.view.element, side),
    selection.element,
    html("div", { class: "grid" }, ...flat.map((view) => view.element)),
    path.element,
    html("div", { class: still.length === 3 ? "grid" : "grid three" }, adjacency.element, ...still.map((one) => one.element)),
    details(report),
  );

  const views = [data.view, ...flat];
  const show = () => {
    menu.value = app.state.color;
    action.show(app.state.action);
    legendBox.replaceChildren(legend(app));
  };
  show();
  app.store.listen((changed) => {
    const has = (...keys: (keyof State)[]) => keys.some((key) => changed.has(key));
    const recolored = has("color") || (has("root") && app.state.color === "pseudotime");
    if (has("space", "axes", "dims")) data.relay();
    if (has("space", "axes", "dims", "tool")) data.show();
    if (has("root")) {
      tree.setLayout(dendrogramLayout(app));
      root.show();
    }
    if (recolored || has("action")) show();
    if (recolored) adjacency.show();
    if (has("path", "trends") || recolored) path.show();
    if (has("selection")) selection.show();
    if (recolored || has("selection", "root", "path")) views.forEach((view) => view.draw());
    if (has("hoverPoint", "hoverNode", "hoverEdge")) views.forEach((view) => view.drawFront());
    if (has("hoverNode", "hoverEdge") || recolored) showPointed(adjacency.drawing());
    if (has("color", "root", "path", "space", "axes", "dims", "trends", "action", "tool", "selection")) keep();
  });
  const named = { data: data.view, metro, dendrogram: tree };
  // Browsers reject URLs that change too often.
  let waiting = 0;
  const keep = () => {
    waiting = 0;
    const looks: Looks = {};
    for (const [name, view] of Object.entries(named)) looks[name] = view.look;
    history.replaceState(null, "", `#${toHash(app.state, first, report, looks)}`);
  };
  const look = (looks: Looks) => {
    for (const [name, view] of Object.entries(named)) if (looks[name]) view.look = looks[name];
  };
  look(looksOf(location.hash));
  for (const view of views) view.looked = () => (waiting ||= setTimeout(keep, 300));
  addEventListener("hashchange", () => {
    const { hash } = location;
    app.store.set({ ...first, ...fromHash(hash, report) });
    // After the listeners, which reset pictures and store their initial view.
    queueMicrotask(() => {
      look(looksOf(hash));
      keep();
    });
  });

  const repaint = (dark: boolean) => {
    document.documentElement.dataset["theme"] = dark ? "dark" : "light";
    app.setDark(dark);
    show();
    adjacency.show();
    still.forEach((one) => one.show());
    path.show();
    views.forEach((view) => view.draw());
  };
  const toggle = button("", () => repaint(!app.colors.dark), { id: "theme" });
  toggle.textContent = "Light or dark";
  document.querySelector("header .tools")?.append(toggle);
  document.documentElement.dataset["theme"] = scheme.matches ? "dark" : "light";
  scheme.addEventListener("change", (event) => repaint(event.matches));
  // Print in the light theme.
  let before = scheme.matches;
  addEventListener("beforeprint", () => {
    before = app.colors.dark;
    if (before) repaint(false);
  });
  addEventListener("afterprint", () => {
    if (before) repaint(true);
  });

  // For tests and debugging.
  Object.assign(window, { midrib: { app, views: named } });
}

async function start(): Promise<void> {
  const main = document.getElementById("main")!;
  try {
    const given = (id: string) => document.getElementById(id)?.textContent ?? "";
    const report = await load(given("midrib-data"), given("midrib-root"));
    build(report);
    // Checked after the first picture, because it takes a while.
    setTimeout(() => {
      if (!hasWebGl()) main.querySelector("#data .stage")?.after(html("p", { class: "note", id: "no-webgl" }, NO_WEBGL));
    });
    document.documentElement.dataset["ready"] = "true";
    performance.mark("midrib-ready");
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    main.prepend(html("p", { class: "warnings", role: "alert" },
      `This browser cannot show the report (${clip(why, 200)}). Use a browser from 2023 or later.`));
  }
}

void start();
