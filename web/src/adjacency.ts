// The interactive adjacency matrix, sorted by class and branch.

import type { App } from "./app.ts";
import { text } from "./charts.ts";
import { css } from "./colors.ts";
import { announce, clip, svg } from "./dom.ts";

/** The most frequent class of each node's points, or -1. */
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

/** The adjacency matrix, sorted by class and branch. */
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
  const rank = new Int32Array(n);
  order.forEach((node, at) => (rank[node] = at));
  const [left, top, side] = [26, 14, 400];
  const cell = side / Math.max(n, 1);
  const byClass = coloring.kind === "class" && coloring.title !== "branch";
  const what = byClass ? `${coloring.title} and branch` : "branch";
  const drawing = svg("svg", {
    viewBox: "0 0 440 440", width: 440, height: 440, role: "application", tabindex: 0,
    "aria-label": `Adjacency of ${n} nodes, sorted by ${what}. Arrow keys move from edge to edge, ` +
      "Enter selects the path between its nodes.",
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
      const [x, y] = [left + cell * rank[column!]!, top + cell * rank[row!]!];
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
  const usual = `nodes sorted by ${clip(what, 40)}`;
  const below = text(app, usual, left + side / 2, 432, "middle");
  drawing.append(mark, below);
  const grid: Grid = { rank, order, cell, left, top, side };
  listen(app, drawing, grid);
  marks.set(drawing, () => {
    show(app, mark, grid);
    const { hoverEdge } = app.state;
    below.textContent = hoverEdge >= 0 ? app.describeEdge(hoverEdge) : usual;
  });
  return drawing;
}

/** The rows and columns of the nodes in the drawing. */
interface Grid {
  rank: Int32Array;
  order: number[];
  cell: number;
  left: number;
  top: number;
  side: number;
}

const marks = new WeakMap<SVGSVGElement, () => void>();

/** Highlights the node or edge that the pointer is over in any picture. */
export function showPointed(drawing: SVGSVGElement): void {
  marks.get(drawing)?.();
}

/** Highlights the row and column of a node, or the cells of an edge. */
function show(app: App, mark: SVGGElement, { rank, cell, left, top, side }: Grid): void {
  const { hoverNode, hoverEdge } = app.state;
  const { a, b } = app.report;
  const { accent } = app.theme;
  const nodes = hoverEdge >= 0 ? [a[hoverEdge]!, b[hoverEdge]!] : hoverNode >= 0 ? [hoverNode] : [];
  const bands = nodes.flatMap((node) => {
    const [at, thick] = [cell * rank[node]!, Math.max(cell, 2)];
    const look = { fill: accent, "fill-opacity": 0.16 };
    return [
      svg("rect", { x: left, y: top + at, width: side, height: thick, ...look }),
      svg("rect", { x: left + at, y: top, width: thick, height: side, ...look }),
    ];
  });
  const title = hoverEdge >= 0 ? [svg("title", {}, app.describeEdge(hoverEdge))] : [];
  mark.replaceChildren(...title, ...bands);
}

/** Handles the pointer, and keys that move from edge to edge. */
function listen(app: App, drawing: SVGSVGElement, { rank, order, cell, left, top }: Grid): void {
  const { a, b } = app.report;
  const key = (x: number, y: number) => Math.min(x, y) * app.report.nodes + Math.max(x, y);
  const edges = new Map(Array.from(a, (from, e) => [key(from, b[e]!), e]));
  const sorted = Array.from(a.keys()).sort((x, y) =>
    Math.min(rank[a[x]!]!, rank[b[x]!]!) - Math.min(rank[a[y]!]!, rank[b[y]!]!) || x - y);
  const under = (event: PointerEvent | MouseEvent): number => {
    const box = drawing.getBoundingClientRect();
    const scale = 440 / Math.min(box.width, box.height);
    const [x, y] = [
      (event.clientX - box.left - 0.5 * box.width) * scale + 220 - left,
      (event.clientY - box.top - 0.5 * box.height) * scale + 220 - top,
    ];
    // Small cells can be picked from nearby.
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
    if (step && sorted.length > 0) {
      const at = sorted.indexOf(app.state.hoverEdge);
      const next = at < 0 ? (step > 0 ? 0 : sorted.length - 1) : (at + step + sorted.length) % sorted.length;
      app.store.set({ hoverEdge: sorted[next]! });
      announce(app.describeEdge(sorted[next]!));
    } else if (event.key === "Enter") {
      path(app.state.hoverEdge);
    } else {
      return;
    }
    event.preventDefault();
  });
}
