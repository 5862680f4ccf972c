// Which nodes are joined: a picture to point at, in the order of classes and branches.

import type { App } from "./app.ts";
import { text } from "./charts.ts";
import { css } from "./colors.ts";
import { announce, clip, svg } from "./dom.ts";

/** The class of most points of each node, or -1. */
function mainClasses(app: App): number[] {
  const { coloring } = app;
  if (coloring.kind !== "class") return app.pointsOf.map(() => -1);
  return app.pointsOf.map((points) => {
    const counts = new Float64Array(coloring.classes.length);
    let best = -1;
    for (const i of points) {
      const c = coloring.of[i]!;
      if (c < counts.length) counts[c]!++;
    }
    counts.forEach((n, c) => {
      if (n > 0 && (best < 0 || n > counts[best]!)) best = c;
    });
    return best;
  });
}

/** Which nodes are joined, in the order of their classes and branches. */
export function adjacencyChart(app: App): SVGSVGElement {
  const { report, coloring, theme } = app;
  const n = report.nodes;
  const classes = mainClasses(app);
  const branch = (k: number) => {
    const own = report.branchOfNode[k]!;
    return own < report.branches.length ? own : Infinity;
  };
  const order = Array.from({ length: n }, (_, k) => k).sort((x, y) => {
    const [cx, cy] = [classes[x]! < 0 ? Infinity : classes[x]!, classes[y]! < 0 ? Infinity : classes[y]!];
    if (cx !== cy) return cx - cy;
    if (branch(x) !== branch(y)) return branch(x) - branch(y);
    const [dx, dy] = [app.reached.distance[x]!, app.reached.distance[y]!];
    return dx !== dy && Number.isFinite(dx - dy) ? dx - dy : x - y;
  });
  const place = new Int32Array(n);
  order.forEach((node, at) => (place[node] = at));
  const [left, top, side] = [26, 14, 400];
  const cell = side / Math.max(n, 1);
  const byClass = coloring.kind === "class" && coloring.title !== "branch";
  const what = byClass ? `${coloring.title} and branch` : "branch";
  const drawing = svg("svg", {
    viewBox: "0 0 440 440", width: 440, height: 440, role: "application", tabindex: 0,
    "aria-label": `Adjacency of ${n} nodes in the order of ${what}. Arrow keys go from edge to edge, ` +
      "Enter makes its ends a path.",
  });
  drawing.append(svg("rect", {
    x: left, y: top, width: side, height: side, fill: "none", stroke: theme.line,
  }));
  const heaviest = report.weight.reduce((x, y) => Math.max(x, Math.abs(y)), 0);
  const size = Math.max(cell, 2);
  const shades = new Map<string, string>();
  report.a.forEach((a, e) => {
    const share = heaviest > 0 ? Math.abs(report.weight[e]!) / heaviest : 1;
    const shade = (0.25 + 0.75 * share).toFixed(1);
    let d = shades.get(shade) ?? "";
    for (const [row, column] of [[a, report.b[e]!], [report.b[e]!, a]]) {
      const [x, y] = [left + cell * place[column!]!, top + cell * place[row!]!];
      d += `M${x.toFixed(1)} ${y.toFixed(1)}h${size.toFixed(1)}v${size.toFixed(1)}h-${size.toFixed(1)}z`;
    }
    shades.set(shade, d);
  });
  for (const [shade, d] of shades) {
    drawing.append(svg("path", { d, fill: theme.ink, "fill-opacity": shade }));
  }
  if (coloring.kind === "class") {
    for (let at = 0; at < n; ) {
      const own = classes[order[at]!]!;
      let run = 1;
      while (at + run < n && classes[order[at + run]!] === own) run++;
      const fill = css(coloring.classes[own]?.color ?? app.colors.none);
      const [from, length] = [cell * at, cell * run];
      drawing.append(
        svg("rect", { x: left - 11, y: top + from, width: 8, height: length, fill }),
        svg("rect", { x: left + from, y: top - 11, width: length, height: 8, fill }),
      );
      at += run;
    }
  }
  const mark = svg("g", { class: "mark" });
  const usual = `nodes in the order of ${clip(what, 40)}`;
  const below = text(app, usual, left + side / 2, 432, "middle");
  drawing.append(mark, below);
  const grid: Grid = { place, order, cell, left, top, side };
  listen(app, drawing, grid);
  marks.set(drawing, () => {
    show(app, mark, grid);
    const { hoverEdge } = app.state;
    below.textContent = hoverEdge >= 0 ? app.tellEdge(hoverEdge) : usual;
  });
  return drawing;
}

/** Where nodes stand in the drawing. */
interface Grid {
  place: Int32Array;
  order: number[];
  cell: number;
  left: number;
  top: number;
  side: number;
}

const marks = new WeakMap<SVGSVGElement, () => void>();

/** Shows in an adjacency what is pointed at anywhere. */
export function showPointed(drawing: SVGSVGElement): void {
  marks.get(drawing)?.();
}

/** The row and the column of a node, the cells of an edge. */
function show(app: App, mark: SVGGElement, { place, cell, left, top, side }: Grid): void {
  const { hoverNode, hoverEdge } = app.state;
  const { a, b } = app.report;
  const { accent } = app.theme;
  const nodes = hoverEdge >= 0 ? [a[hoverEdge]!, b[hoverEdge]!] : hoverNode >= 0 ? [hoverNode] : [];
  const bands = nodes.flatMap((node) => {
    const [at, thick] = [cell * place[node]!, Math.max(cell, 2)];
    const look = { fill: accent, "fill-opacity": 0.16 };
    return [
      svg("rect", { x: left, y: top + at, width: side, height: thick, ...look }),
      svg("rect", { x: left + at, y: top, width: thick, height: side, ...look }),
    ];
  });
  const words = hoverEdge >= 0 ? [svg("title", {}, app.tellEdge(hoverEdge))] : [];
  mark.replaceChildren(...words, ...bands);
}

/** Pointing at a cell, and going from edge to edge by keys. */
function listen(app: App, drawing: SVGSVGElement, { place, order, cell, left, top }: Grid): void {
  const { a, b } = app.report;
  const key = (x: number, y: number) => Math.min(x, y) * app.report.nodes + Math.max(x, y);
  const edges = new Map(Array.from(a, (from, e) => [key(from, b[e]!), e]));
  const ways = Array.from(a.keys()).sort((x, y) =>
    Math.min(place[a[x]!]!, place[b[x]!]!) - Math.min(place[a[y]!]!, place[b[y]!]!) || x - y);
  const under = (event: PointerEvent | MouseEvent): number => {
    const box = drawing.getBoundingClientRect();
    const scale = 440 / Math.min(box.width, box.height);
    const [x, y] = [
      (event.clientX - box.left - 0.5 * box.width) * scale + 220 - left,
      (event.clientY - box.top - 0.5 * box.height) * scale + 220 - top,
    ];
    // Small cells are found from near by.
    const reach = Math.max(0, Math.ceil(4 / cell) - 1);
    let [best, least] = [-1, Infinity];
    for (let row = Math.floor(y / cell) - reach; row <= Math.floor(y / cell) + reach; row++) {
      for (let column = Math.floor(x / cell) - reach; column <= Math.floor(x / cell) + reach; column++) {
        const [from, to] = [order[row], order[column]];
        if (from === undefined || to === undefined) continue;
        const edge = edges.get(key(from, to)) ?? -1;
        const away = Math.hypot((row + 0.5) * cell - y, (column + 0.5) * cell - x);
        if (edge >= 0 && away < least) [best, least] = [edge, away];
      }
    }
    return best;
  };
  const path = (edge: number) => {
    if (edge >= 0) app.store.set({ path: [a[edge]!, b[edge]!] });
  };
  drawing.addEventListener("pointermove", (event) => app.store.set({ hoverEdge: under(event) }));
  drawing.addEventListener("pointerleave", () => app.store.set({ hoverEdge: -1 }));
  drawing.addEventListener("blur", () => app.store.set({ hoverEdge: -1 }));
  drawing.addEventListener("click", (event) => path(under(event)));
  drawing.addEventListener("keydown", (event) => {
    const step = ({ ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 } as Record<string, number>)[event.key];
    if (step && ways.length > 0) {
      const at = ways.indexOf(app.state.hoverEdge);
      const next = at < 0 ? (step > 0 ? 0 : ways.length - 1) : (at + step + ways.length) % ways.length;
      app.store.set({ hoverEdge: ways[next]! });
      announce(app.tellEdge(ways[next]!));
    } else if (event.key === "Enter") {
      path(app.state.hoverEdge);
    } else {
      return;
    }
    event.preventDefault();
  });
}
