// Distances along the graph: roots, pseudotime, paths, dendrogram. The same rules as the engine's,
// ties included, so that the page and the command line give the same numbers.

import type { Report } from "./data.ts";

/** The shortest ways from a set of nodes. */
export interface Reach {
  distance: Float64Array;
  /** The last edge of the way to each node; -1 for sources and what they do not reach. */
  lastEdge: Int32Array;
  /** The nodes that are reached, the nearest first. */
  order: number[];
}

export interface Path {
  nodes: number[];
  edges: number[];
  length: number;
}

/** Joins by node: pairs of edge and neighbour. */
export function neighbors(report: Report): [number, number][][] {
  const joins: [number, number][][] = Array.from({ length: report.nodes }, () => []);
  for (let e = 0; e < report.a.length; e++) {
    joins[report.a[e]!]!.push([e, report.b[e]!]);
    joins[report.b[e]!]!.push([e, report.a[e]!]);
  }
  return joins;
}

/** A heap of nodes: the nearest, then the smallest, comes first. */
class Heap {
  private readonly items: [number, number][] = [];

  private before(i: number, j: number): boolean {
    const [x, y] = [this.items[i]!, this.items[j]!];
    return x[0] < y[0] || (x[0] === y[0] && x[1] < y[1]);
  }

  private swap(i: number, j: number): void {
    [this.items[i], this.items[j]] = [this.items[j]!, this.items[i]!];
  }

  push(distance: number, node: number): void {
    let i = this.items.push([distance, node]) - 1;
    while (i > 0) {
      const parent = (i - 1) >> 1;
      if (!this.before(i, parent)) break;
      this.swap(i, parent);
      i = parent;
    }
  }

  pop(): number | undefined {
    const first = this.items[0];
    const last = this.items.pop();
    if (!first || !last) return undefined;
    if (this.items.length > 0) {
      this.items[0] = last;
      for (let i = 0; ; ) {
        let least = i;
        for (const child of [2 * i + 1, 2 * i + 2]) {
          if (child < this.items.length && this.before(child, least)) least = child;
        }
        if (least === i) break;
        this.swap(i, least);
        i = least;
      }
    }
    return first[1];
  }
}

/** Dijkstra's search. Among ways of equal length the one over the smaller edge wins. */
export function reach(report: Report, joins: [number, number][][], sources: number[]): Reach {
  const distance = new Float64Array(report.nodes).fill(Infinity);
  const lastEdge = new Int32Array(report.nodes).fill(-1);
  const done = new Uint8Array(report.nodes);
  const order: number[] = [];
  const heap = new Heap();
  for (const node of sources) {
    distance[node] = 0;
    heap.push(0, node);
  }
  for (let node = heap.pop(); node !== undefined; node = heap.pop()) {
    if (done[node]) continue;
    done[node] = 1;
    order.push(node);
    for (const [edge, next] of joins[node]!) {
      const way = distance[node]! + report.length[edge]!;
      const shorter = way < distance[next]!;
      const smaller = way === distance[next]! && lastEdge[next]! >= 0 && edge < lastEdge[next]!;
      if (!done[next] && (shorter || smaller)) {
        distance[next] = way;
        lastEdge[next] = edge;
        heap.push(way, next);
      }
    }
  }
  return { distance, lastEdge, order };
}

export function other(report: Report, edge: number, node: number): number {
  return report.a[edge] === node ? report.b[edge]! : report.a[edge]!;
}

/** The edge of a point, or -1. */
export function edgeOf(report: Report, i: number): number {
  const place = report.place[i]!;
  return place < report.a.length ? place : -1;
}

/** The node that a point is nearest to along the graph. */
export function nodeOf(report: Report, i: number): number {
  const place = report.place[i]!;
  if (place >= report.a.length) return place - report.a.length;
  return report.pos[i]! <= 32767 ? report.a[place]! : report.b[place]!;
}

export function posOf(report: Report, i: number): number {
  return report.pos[i]! / 65534;
}

/** The distance along the graph from the nearest root to each point; NaN where there is none. */
export function pseudotime(report: Report, reached: Reach): Float64Array {
  const time = new Float64Array(report.drawn);
  for (let i = 0; i < time.length; i++) {
    const place = report.place[i]!;
    let at: number;
    if (place >= report.a.length) {
      at = reached.distance[place - report.a.length]!;
    } else {
      const along = posOf(report, i) * report.length[place]!;
      const fromA = reached.distance[report.a[place]!]! + along;
      const fromB = reached.distance[report.b[place]!]! + (report.length[place]! - along);
      at = Math.min(fromA, fromB);
    }
    time[i] = Number.isFinite(at) ? at : NaN;
  }
  return time;
}

/** The node that a point on its way from the root comes to next, or is at. */
function nodeAhead(report: Report, reached: Reach, i: number): number {
  const place = report.place[i]!;
  if (place >= report.a.length) return place - report.a.length;
  const [a, b] = [report.a[place]!, report.b[place]!];
  const along = posOf(report, i) * report.length[place]!;
  const fromA = reached.distance[a]! + along;
  const fromB = reached.distance[b]! + (report.length[place]! - along);
  const [near, far] = fromA <= fromB ? [a, b] : [b, a];
  return reached.lastEdge[far] === place ? far : near;
}

/** The shortest way between two nodes; none where they are not joined. */
export function pathBetween(
  report: Report,
  joins: [number, number][][],
  from: number,
  to: number,
): Path | null {
  const found = reach(report, joins, [from]);
  if (!Number.isFinite(found.distance[to]!)) return null;
  const path: Path = { nodes: [to], edges: [], length: found.distance[to]! };
  for (let node = to; found.lastEdge[node]! >= 0; ) {
    const edge = found.lastEdge[node]!;
    node = other(report, edge, node);
    path.nodes.push(node);
    path.edges.push(edge);
  }
  path.nodes.reverse();
  path.edges.reverse();
  return path;
}

/** The points on a path and their positions on it, in order. */
export function pointsAlong(report: Report, path: Path): { point: number; position: number }[] {
  const atNode = new Float64Array(report.nodes).fill(NaN);
  const start = new Float64Array(report.a.length).fill(NaN);
  const forward = new Uint8Array(report.a.length);
  let position = 0;
  path.nodes.forEach((node, i) => {
    atNode[node] = position;
    const edge = path.edges[i];
    if (edge === undefined) return;
    start[edge] = position;
    forward[edge] = report.a[edge] === node ? 1 : 0;
    position += report.length[edge]!;
  });
  const along: { point: number; position: number }[] = [];
  for (let i = 0; i < report.drawn; i++) {
    const place = report.place[i]!;
    let at: number;
    if (place >= report.a.length) {
      at = atNode[place - report.a.length]!;
    } else if (!Number.isNaN(start[place]!)) {
      const pos = posOf(report, i);
      at = start[place]! + (forward[place] ? pos : 1 - pos) * report.length[place]!;
    } else if (report.pos[i] === 0) {
      at = atNode[report.a[place]!]!;
    } else if (report.pos[i] === 65534) {
      at = atNode[report.b[place]!]!;
    } else {
      continue;
    }
    if (!Number.isNaN(at)) along.push({ point: i, position: at });
  }
  return along.sort((x, y) => x.position - y.position || x.point - y.point);
}

export interface Dendrogram {
  /** x and y of each node; NaN where no root reaches. */
  nodes: Float64Array;
  /** Horizontal lines: from x, to x, y. */
  bars: [number, number, number][];
  /** How many ends stand side by side. */
  ends: number;
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

/** The rooted graph with pseudotime upwards and its branches side by side. */
export function dendrogram(report: Report, reached: Reach): Dendrogram {
  const stars = starsOf(report, reached);
  const ends = new Float64Array(stars.length);
  const deepest = Float64Array.from(stars, (star) => reached.distance[star.node]!);
  for (let s = stars.length - 1; s >= 0; s--) {
    ends[s] = Math.max(ends[s]!, 1);
    const parent = stars[s]!.parent;
    if (parent >= 0) {
      ends[parent]! += ends[s]!;
      deepest[parent] = Math.max(deepest[parent]!, deepest[s]!);
    }
  }
  const column = new Float64Array(stars.length);
  let next = 0;
  const open = stars.map((_, s) => s).filter((s) => stars[s]!.parent < 0);
  open.reverse();
  for (let star = open.pop(); star !== undefined; star = open.pop()) {
    const children = [...stars[star]!.children];
    if (children.length === 0) column[star] = next++;
    children.sort((x, y) => ends[y]! - ends[x]! || deepest[y]! - deepest[x]! || x - y);
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
  return { nodes, bars, ends: next };
}

/** A place for every point in the dendrogram: x, y, 0; NaN where no root reaches. */
export function dendrogramPoints(
  report: Report,
  reached: Reach,
  drawing: Dendrogram,
  time: Float64Array,
  away: (i: number) => number,
): Float32Array {
  const places = new Float32Array(3 * report.drawn);
  for (let i = 0; i < report.drawn; i++) {
    const x = drawing.nodes[2 * nodeAhead(report, reached, i)]!;
    places[3 * i] = x + 0.3 * away(i);
    places[3 * i + 1] = time[i]!;
  }
  return places;
}

/** A place for every point beside its edge of the metro map: x, y, 0. */
export function metroPoints(
  report: Report,
  away: (i: number) => number,
  width: number,
): Float32Array {
  const places = new Float32Array(3 * report.drawn);
  for (let i = 0; i < report.drawn; i++) {
    const edge = edgeOf(report, i);
    const side = width * away(i);
    if (edge < 0) {
      const node = nodeOf(report, i);
      const angle = i * 2.399963229728653;
      places[3 * i] = report.metro[2 * node]! + Math.abs(side) * Math.cos(angle);
      places[3 * i + 1] = report.metro[2 * node + 1]! + Math.abs(side) * Math.sin(angle);
      continue;
    }
    const [x, y, across] = metroAlong(report, edge, posOf(report, i));
    places[3 * i] = x + side * across[0];
    places[3 * i + 1] = y + side * across[1];
  }
  return places;
}

/** The place at `pos` of an edge of the metro map and the direction across it. */
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
