// The graph over its points: lines, nodes as dots or pies, roots, path, labels.

import type { App } from "./app.ts";
import { css } from "./colors.ts";
import type { Layout } from "./data.ts";
import { svg } from "./dom.ts";
import { finite, seen, type Lens, type Position } from "./lens.ts";
import type { Camera } from "./painter.ts";

/** The current state of a picture. */
export interface Scene {
  app: App;
  layout: Layout;
  lens: Lens;
  camera: Camera;
  nodes: "dots" | "pies";
  /** Less is drawn while the picture moves. */
  moving: boolean;
}

/** Graphs with more nodes show only their tips and branch points. */
const MAX_DOTS = 300;
const MAX_POINTS = 1000;
const MAX_PIES = 400;
/** Graphs with more edges are drawn with thinner lines. */
const MANY_EDGES = 1500;
/** The maximum number of labels. */
const MAX_NAMES = 60;

type Box = [left: number, top: number, right: number, bottom: number];

/** The bounds of the graph: a little more than the area of the axes, or everything without axes. */
export function bounds({ lens, camera: { inside, width, height } }: Scene): Box {
  if (!lens.hasAxes) return [0, 0, width, height];
  return [inside.left - 12, inside.top - 12, width - inside.right + 12, height - inside.bottom + 12];
}

export function graph(scene: Scene): SVGElement[] {
  const { app, layout, camera } = scene;
  const { theme } = app;
  let [plain, dashed, onPath] = ["", "", ""];
  const path = new Set(app.path?.edges ?? []);
  for (const { edge, positions, dashed: closes } of layout.lines) {
    const d = line(camera, positions);
    if (closes) dashed += d;
    else plain += d;
    if (path.has(edge)) onPath += d;
  }
  const out: SVGElement[] = [];
  // Many edges and those of sheets are drawn with thin lines, so that the points stay visible.
  const enough = Math.min(Math.sqrt(MANY_EDGES / Math.max(layout.lines.length, 1)), 1);
  const web = (arePoints(app) || app.report.sheet) && layout.lines.length > app.report.nodes;
  const fine = web ? Math.min(enough, 0.5) : enough;
  const thin = { "stroke-opacity": (0.3 + 0.7 * fine * fine).toFixed(2) };
  if (plain && fine === 1) out.push(stroke(plain, theme.ground, 4.5));
  if (plain) out.push(stroke(plain, theme.ink, Math.max(2 * fine, 0.8), thin));
  if (dashed) {
    out.push(stroke(dashed, theme.quiet, Math.max(1.8 * fine, 0.6), { ...thin, "stroke-dasharray": "6 5" }));
  }
  if (onPath) out.push(stroke(onPath, theme.accent, 4.5));
  const shown = shownNodes(scene);
  const radius = radii(scene);
  let dots = "";
  for (const node of shown) {
    const [x, y] = seen(camera, layout.nodes, node);
    if (!finite([x, y])) continue;
    if (scene.nodes === "dots" && arePoints(app) && app.pointsOf[node]!.length === 0) continue;
    if (scene.nodes === "pies" || arePoints(app)) out.push(pie(app, node, x, y, radius(node)));
    else dots += disc(x, y, radius(node));
  }
  if (dots) {
    out.push(svg("path", { d: dots, fill: theme.ground, stroke: theme.ink, "stroke-width": 1.5 }));
  }
  const taken: Box[] = [];
  out.push(...marks(scene, radius, taken));
  if (!scene.moving) out.push(...names(scene, shown, radius, taken));
  return out;
}

function line(camera: Camera, positions: Float32Array): string {
  let d = "";
  for (let i = 0; 3 * i < positions.length; i++) {
    const [x, y] = seen(camera, positions, i);
    if (!finite([x, y])) return "";
    d += `${i === 0 ? "M" : "L"}${x.toFixed(1)} ${y.toFixed(1)}`;
  }
  return d;
}

/** A circle as part of a path: one element with hundreds is faster than one element each. */
function disc(x: number, y: number, r: number): string {
  const arc = (dx: number) => `a${r} ${r} 0 1 0 ${dx} 0`;
  return `M${(x - r).toFixed(1)} ${y.toFixed(1)}${arc(2 * r)}${arc(-2 * r)}z`;
}

function stroke(d: string, color: string, width: number, more = {}): SVGElement {
  return svg("path", {
    d, fill: "none", stroke: color, "stroke-width": width, "stroke-linecap": "round",
    "stroke-linejoin": "round", ...more,
  });
}

/** Whether most nodes stand for a single point; then they have its color, or are left out. */
function arePoints(app: App): boolean {
  return 2 * app.report.nodes > app.report.edgeOrNode.length;
}

function shownNodes({ app, nodes }: Scene): number[] {
  const all = Array.from({ length: app.report.nodes }, (_, k) => k);
  const most = nodes === "pies" ? MAX_PIES : arePoints(app) ? MAX_POINTS : MAX_DOTS;
  if (all.length <= most) return all;
  const special = all.filter((k) => app.degree(k) !== 2);
  return special.length <= most ? special : [];
}

/** The radius of a node. The area of a pie is proportional to its points; most do not overlap. */
export function radii({ app, layout, camera, nodes }: Scene): (node: number) => number {
  const { mass } = app.report;
  if (nodes === "dots") {
    const small = app.report.nodes > 120 ? 2.2 : 3;
    return () => small;
  }
  const drawn = layout.lines
    .filter((one) => !one.dashed)
    .map(({ positions }) => {
      const [a, b] = [seen(camera, positions, 0), seen(camera, positions, 1)];
      return Math.hypot(a[0] - b[0], a[1] - b[1]);
    })
    .sort((a, b) => a - b);
  const usual = drawn[Math.floor(drawn.length / 2)] ?? 40;
  const most = Math.min(Math.max(0.62 * usual, 5), 22);
  const largest = mass.reduce((x, y) => Math.max(x, y), 0);
  return (node) =>
    largest > 0 ? Math.max(most * Math.sqrt(Math.max(mass[node]! / largest, 0)), 1.8) : 4;
}

function pie(app: App, node: number, x: number, y: number, r: number): SVGElement {
  const group = svg("g", { transform: `translate(${x.toFixed(1)} ${y.toFixed(1)})` });
  group.append(svg("circle", { r: (r + 1).toFixed(1), fill: app.theme.ground }));
  let before = 0;
  for (const { color, share } of app.slices(node)) {
    if (share > 0.9999) {
      group.append(svg("circle", { r: r.toFixed(1), fill: css(color) }));
      break;
    }
    const at = (s: number) => {
      const angle = 2 * Math.PI * (s - 0.25);
      return `${(r * Math.cos(angle)).toFixed(2)} ${(r * Math.sin(angle)).toFixed(2)}`;
    };
    const [from, to, wide] = [at(before), at(before + share), share > 0.5 ? 1 : 0];
    const d = `M0 0L${from}A${r.toFixed(2)} ${r.toFixed(2)} 0 ${wide} 1 ${to}Z`;
    group.append(svg("path", { d, fill: css(color) }));
    before += share;
  }
  return group;
}

export function ring(
  x: number, y: number, r: number, color: string, ground: string, width = 2.5,
): SVGElement[] {
  if (!finite([x, y])) return [];
  const circle = (stroke: string, w: number) =>
    svg("circle", {
      cx: x.toFixed(1), cy: y.toFixed(1), r: r.toFixed(1), fill: "none", stroke, "stroke-width": w,
    });
  return [circle(ground, width + 2.5), circle(color, width)];
}

function label(
  app: App, text: string, x: number, y: number, anchor: string, size: number, weight = 400,
): SVGElement {
  return svg("text", {
    x: x.toFixed(1), y: y.toFixed(1), "text-anchor": anchor, "font-size": size,
    "font-weight": weight, "font-family": "system-ui, sans-serif", fill: app.theme.ink,
    stroke: app.theme.ground, "stroke-width": 3, "paint-order": "stroke",
    "stroke-linejoin": "round",
  }, text);
}

/** Rings around roots and the start and end of the path. */
function marks(scene: Scene, radius: (node: number) => number, taken: Box[]): SVGElement[] {
  const { app, camera, layout, lens } = scene;
  const { state, theme } = app;
  const out = state.path.flatMap((node) => {
    const [x, y] = seen(camera, layout.nodes, node);
    return ring(x, y, radius(node) + 4.5, theme.accent, theme.ground);
  });
  for (const node of state.root) {
    const [x, y] = seen(camera, layout.nodes, node);
    if (!finite([x, y])) continue;
    const r = radius(node) + 4.5;
    out.push(...ring(x, y, r, theme.ink, theme.ground));
    if (scene.nodes === "dots") {
      out.push(svg("circle", { cx: x.toFixed(1), cy: y.toFixed(1), r: 2.6, fill: theme.ink }));
    }
    // On a side with enough space.
    const { top, bottom } = camera.inside;
    const [above, below] = [y - r - 6, y + r + 14];
    const belowFits = below < lens.size[1] - bottom + 10;
    const aboveFits = above - 12 > top - 12;
    const down = y > lens.size[1] / 2;
    const at = (down && belowFits) || !aboveFits ? below : above;
    const fits = at === below ? belowFits : !down || scene.nodes === "pies";
    if (!fits) {
      taken.push([x + r + 4, y - 8, x + r + 34, y + 7]);
      out.push(label(app, "root", x + r + 6, y + 5, "start", 12, 700));
      continue;
    }
    taken.push([x - 16, at - 12, x + 16, at + 3]);
    out.push(label(app, "root", x, at, "middle", 12, 700));
  }
  return out;
}

/** Whether an edge of a node points roughly in a direction. */
function leads({ app, camera, layout }: Scene, node: number): (direction: Position) => boolean {
  const [x, y] = seen(camera, layout.nodes, node);
  const directions = app.neighbors[node]!.map(([, next]): Position => {
    const [nx, ny] = seen(camera, layout.nodes, next);
    const far = Math.hypot(nx - x, ny - y) || 1;
    return [(nx - x) / far, (ny - y) / far];
  });
  return ([dx, dy]) => directions.some(([x, y]) => x * dx + y * dy > 0.8);
}

/** The labels of tips and branch points, if there is space. */
function names(
  scene: Scene, shown: number[], radius: (node: number) => number, taken: Box[],
): SVGElement[] {
  const { app, camera, layout } = scene;
  const ringed = new Set([...app.state.root, ...app.state.path]);
  const [leftmost, topmost, rightmost, lowest] = bounds(scene);
  const special = shown.filter((k) => app.degree(k) !== 2);
  if (special.length > MAX_NAMES) return [];
  for (const node of shown.length <= 150 ? shown : special) {
    const [x, y] = seen(camera, layout.nodes, node);
    const r = radius(node) + (ringed.has(node) ? 6 : 0);
    taken.push([x - r, y - r, x + r, y + r]);
  }
  const out: SVGElement[] = [];
  for (const node of special) {
    const [x, y] = seen(camera, layout.nodes, node);
    if (!finite([x, y])) continue;
    const text = String(node);
    const [w, gap] = [6.8 * text.length, radius(node) + (ringed.has(node) ? 10 : 4)];
    const sides: [number, number, string, number, Position][] = [
      [x + gap, y + 4, "start", x + gap, [1, 0]],
      [x - gap, y + 4, "end", x - gap - w, [-1, 0]],
      [x, y - gap - 1, "middle", x - 0.5 * w, [0, -1]],
      [x, y + gap + 9, "middle", x - 0.5 * w, [0, 1]],
    ];
    const lead = leads(scene, node);
    // Sides with a line come last.
    sides.sort((one, other) => Number(lead(one[4])) - Number(lead(other[4])));
    for (const [tx, ty, anchor, left] of sides) {
      const box: Box = [left, ty - 10, left + w, ty + 2];
      const inside = box[0] >= leftmost && box[2] <= rightmost && box[1] >= topmost && box[3] <= lowest;
      const free = inside && !taken.some(
        (o) => o[0] < box[2] && box[0] < o[2] && o[1] < box[3] && box[1] < o[3],
      );
      if (!free) continue;
      taken.push(box);
      out.push(label(app, text, tx, ty, anchor, 11));
      break;
    }
  }
  return out;
}
