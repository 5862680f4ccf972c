// Positions of points and nodes: in two columns, on the metro map, in the dendrogram.

import type { App } from "./app.ts";
import { straight, type Column, type Layout } from "./data.ts";
import { dendrogram, dendrogramPoints, metroAlong, metroPoints } from "./drawings.ts";
import { other } from "./graph.ts";

/** The number of segments of an arc. */
const SEGMENTS = 24;

/** The sideways offset of a point, from -1 to 1, mostly near 0; the same in every picture. */
function sideways(i: number): number {
  const scattered = (x: number) => (((Math.sin(x) * 43758.5453) % 1) + 1) % 1;
  return scattered(i * 12.9898) + scattered(i * 78.233 + 1) - 1;
}

/** Scales positions to about -1 to 1, in place. */
function normalize(
  positions: { points: Float32Array; nodes: Float32Array; lines: Layout["lines"] },
  low: number[],
  high: number[],
  equal: boolean,
): { center: number[]; scale: number[] } {
  const center = low.map((x, d) => 0.5 * x + 0.5 * high[d]!);
  const halves = low.map((x, d) => 0.5 * high[d]! - 0.5 * x || 1);
  const scale = equal ? halves.map(() => Math.max(...halves)) : halves;
  for (const array of [positions.points, positions.nodes, ...positions.lines.map((line) => line.positions)]) {
    for (let i = 0; i < array.length; i += 3) {
      for (const d of [0, 1]) array[i + d] = (array[i + d]! - center[d]!) / scale[d]!;
    }
  }
  return { center, scale };
}

/** Two columns. */
export function columnsLayout(app: App, x: number, y: number): Layout {
  const { report } = app;
  const points = new Float32Array(3 * report.drawn);
  const nodes = new Float32Array(3 * report.nodes);
  const pair = [report.columns[x]!, report.columns[y]!];
  pair.forEach((column, d) => {
    for (let i = 0; i < report.drawn; i++) points[3 * i + d] = share(column, column.values[i]!);
    for (let k = 0; k < report.nodes; k++) {
      nodes[3 * k + d] = share(column, column.nodes[k] ?? meanAt(app, column, k));
    }
  });
  const half = (column: Column) => 0.5 * column.high - 0.5 * column.low || 1;
  return {
    points,
    nodes,
    lines: straight(report.a, report.b, nodes),
    center: pair.map((column) => 0.5 * column.low + 0.5 * column.high),
    scale: pair.map(half),
    axes: pair.map((column) => column.name),
    equal: false,
  };
}

/** The position of a value in the range of the column, from -1 to 1. */
function share(column: Column, value: number): number {
  const half = 0.5 * column.high - 0.5 * column.low || 1;
  return (value - (0.5 * column.low + 0.5 * column.high)) / half;
}

function meanAt(app: App, column: Column, node: number): number {
  let [sum, n] = [0, 0];
  for (const i of app.pointsOf[node]!) {
    const value = column.values[i]!;
    if (Number.isNaN(value)) continue;
    sum += value;
    n++;
  }
  return sum / n;
}

export function metroLayout(app: App): Layout {
  const { report } = app;
  const nodes = new Float32Array(3 * report.nodes);
  const [low, high] = [[Infinity, Infinity], [-Infinity, -Infinity]];
  for (let k = 0; k < report.nodes; k++) {
    for (const d of [0, 1]) {
      const at = report.metro[2 * k + d]!;
      low[d] = Math.min(low[d]!, at);
      high[d] = Math.max(high[d]!, at);
      nodes[3 * k + d] = at;
    }
  }
  const size = Math.max(high[0]! - low[0]!, high[1]! - low[1]!) || 1;
  const points = metroPoints(report, sideways, 0.012 * size);
  const lines = Array.from(report.a, (_, edge) => {
    const segments = report.closes[edge] ? SEGMENTS : 1;
    const positions = new Float32Array(3 * (segments + 1));
    for (let p = 0; p <= segments; p++) {
      const [x, y] = metroAlong(report, edge, p / segments);
      positions[3 * p] = x;
      positions[3 * p + 1] = y;
    }
    return { edge, positions, dashed: report.closes[edge] === 1 };
  });
  const { center, scale } = normalize({ points, nodes, lines }, low, high, true);
  return { points, nodes, lines, center, scale, axes: [], equal: true };
}

export function dendrogramLayout(app: App): Layout {
  const { report, reached } = app;
  const drawing = dendrogram(report, reached);
  const top = reached.order.reduce((most, k) => Math.max(most, reached.distance[k]!), 0) || 1;
  const nodes = new Float32Array(3 * report.nodes);
  for (let k = 0; k < report.nodes; k++) {
    nodes[3 * k] = drawing.nodes[2 * k]!;
    nodes[3 * k + 1] = drawing.nodes[2 * k + 1]! / top;
  }
  const time = app.time.map((t) => t / top);
  const points = dendrogramPoints(report, reached, drawing, time, sideways);
  const lines: Layout["lines"] = [];
  for (const node of reached.order) {
    const edge = reached.lastEdge[node]!;
    if (edge < 0) continue;
    const before = other(report, edge, node);
    const [x, y] = [nodes[3 * node]!, nodes[3 * node + 1]!];
    const [bx, by] = [nodes[3 * before]!, nodes[3 * before + 1]!];
    lines.push({ edge, positions: new Float32Array([bx, by, 0, x, by, 0, x, y, 0]), dashed: false });
  }
  const tips = Math.max(drawing.tips, 1);
  const { center, scale } = normalize({ points, nodes, lines }, [-0.5, 0], [tips - 0.5, 1], false);
  return {
    points, nodes, lines, axes: ["", "pseudotime"], equal: false,
    center: [center[0]!, center[1]! * top],
    scale: [scale[0]!, scale[1]! * top],
  };
}
