// Flat drawings of the graph: the dendrogram, and point positions on the metro map.

import type { Report } from "./data.ts";
import { edgeOf, nodeOf, other, type Reach } from "./graph.ts";

/** The next node after a point on a path from the root, or the node that it is at. */
function nodeAhead(report: Report, reached: Reach, i: number): number {
  const at = report.edgeOrNode[i]!;
  if (at >= report.a.length) return at - report.a.length;
  const [a, b] = [report.a[at]!, report.b[at]!];
  const along = report.pos[i]! * report.length[at]!;
  const fromA = reached.distance[a]! + along;
  const fromB = reached.distance[b]! + (report.length[at]! - along);
  const [near, far] = fromA <= fromB ? [a, b] : [b, a];
  return reached.lastEdge[far] === at ? far : near;
}

export interface Dendrogram {
  /** x and y of each node; NaN in components without a root. */
  nodes: Float64Array;
  /** Horizontal lines: left x, right x, y. */
  bars: [number, number, number][];
  /** The number of tips side by side. */
  tips: number;
}

interface Star {
  node: number;
  parent: number;
  chain: number[];
  children: number[];
}

function starsOf(report: Report, reached: Reach): Star[] {
  const behind: number[][] = Array.from({ length: report.nodes }, () => []);
  const stars: Star[] = [];
  for (const node of reached.order) {
    const edge = reached.lastEdge[node]!;
    if (edge >= 0) behind[other(report, edge, node)]!.push(node);
    else stars.push({ node, parent: -1, chain: [], children: [] });
  }
  for (let done = 0; done < stars.length; done++) {
    for (const first of behind[stars[done]!.node]!) {
      const chain = [first];
      let node = first;
      while (behind[node]!.length === 1) {
        node = behind[node]![0]!;
        chain.push(node);
      }
      stars[done]!.children.push(stars.length);
      stars.push({ node, parent: done, chain, children: [] });
    }
  }
  return stars;
}

/** The rooted graph with pseudotime upward and its branches side by side. */
export function dendrogram(report: Report, reached: Reach): Dendrogram {
  const stars = starsOf(report, reached);
  const tips = new Float64Array(stars.length);
  const latest = Float64Array.from(stars, (star) => reached.distance[star.node]!);
  for (let s = stars.length - 1; s >= 0; s--) {
    tips[s] = Math.max(tips[s]!, 1);
    const parent = stars[s]!.parent;
    if (parent >= 0) {
      tips[parent]! += tips[s]!;
      latest[parent] = Math.max(latest[parent]!, latest[s]!);
    }
  }
  const column = new Float64Array(stars.length);
  let next = 0;
  const open = stars.map((_, s) => s).filter((s) => stars[s]!.parent < 0);
  open.reverse();
  for (let star = open.pop(); star !== undefined; star = open.pop()) {
    const children = [...stars[star]!.children];
    if (children.length === 0) column[star] = next++;
    children.sort((x, y) => tips[y]! - tips[x]! || latest[y]! - latest[x]! || x - y);
    open.push(...children.reverse());
  }
  const bars: [number, number, number][] = [];
  for (let s = stars.length - 1; s >= 0; s--) {
    const star = stars[s]!;
    if (star.children.length === 0) continue;
    const over = star.children.map((child) => column[child]!);
    const [low, high] = [Math.min(...over), Math.max(...over)];
    column[s] = 0.5 * (low + high);
    if (high > low) bars.push([low, high, reached.distance[star.node]!]);
  }
  const nodes = new Float64Array(2 * report.nodes).fill(NaN);
  stars.forEach((star, s) => {
    for (const node of [...star.chain, star.node]) {
      nodes[2 * node] = column[s]!;
      nodes[2 * node + 1] = reached.distance[node]!;
    }
  });
  return { nodes, bars, tips: next };
}

/** The position of each point in the dendrogram: x, y, 0; NaN in components without a root. */
export function dendrogramPoints(
  report: Report,
  reached: Reach,
  drawing: Dendrogram,
  time: Float64Array,
  away: (i: number) => number,
): Float32Array {
  const positions = new Float32Array(3 * report.drawn);
  for (let i = 0; i < report.drawn; i++) {
    const x = drawing.nodes[2 * nodeAhead(report, reached, i)]!;
    positions[3 * i] = x + 0.3 * away(i);
    positions[3 * i + 1] = time[i]!;
  }
  return positions;
}

/** The position of each point next to its edge of the metro map: x, y, 0. */
export function metroPoints(
  report: Report,
  away: (i: number) => number,
  width: number,
): Float32Array {
  const positions = new Float32Array(3 * report.drawn);
  for (let i = 0; i < report.drawn; i++) {
    const edge = edgeOf(report, i);
    const side = width * away(i);
    if (edge < 0) {
      const node = nodeOf(report, i);
      const angle = i * 2.399963229728653;
      positions[3 * i] = report.metro[2 * node]! + Math.abs(side) * Math.cos(angle);
      positions[3 * i + 1] = report.metro[2 * node + 1]! + Math.abs(side) * Math.sin(angle);
      continue;
    }
    const [x, y, across] = metroAlong(report, edge, report.pos[i]!);
    positions[3 * i] = x + side * across[0];
    positions[3 * i + 1] = y + side * across[1];
  }
  return positions;
}

/** The position at `pos` along an edge of the metro map, and the unit normal there. */
export function metroAlong(
  report: Report,
  edge: number,
  pos: number,
): [number, number, [number, number]] {
  const { metro, a, b } = report;
  const [ax, ay] = [metro[2 * a[edge]!]!, metro[2 * a[edge]! + 1]!];
  const [gx, gy] = [metro[2 * b[edge]!]! - ax, metro[2 * b[edge]! + 1]! - ay];
  const arc = report.closes[edge] ? 2 : 0;
  const out = arc * pos * (1 - pos);
  const slope = arc * (1 - 2 * pos);
  const [tx, ty] = [gx - slope * gy, gy + slope * gx];
  const size = Math.hypot(tx, ty) || 1;
  return [ax + pos * gx - out * gy, ay + pos * gy + out * gx, [-ty / size, tx / size]];
}
