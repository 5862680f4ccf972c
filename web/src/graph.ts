// Distances along the graph: roots, pseudotime, paths. The same rules as in the engine, including
// ties, so that the page and the command line give the same numbers.

import type { Report } from "./data.ts";

/** The shortest paths from a set of nodes. */
export interface Reach {
  distance: Float64Array;
  /** The last edge of the path to each node; -1 for sources and unreachable nodes. */
  lastEdge: Int32Array;
  /** The reachable nodes, nearest first. */
  order: number[];
}

export interface Path {
  nodes: number[];
  edges: number[];
  length: number;
}

/** The `[edge, neighbor]` pairs of each node. */
export function neighbors(report: Report): [number, number][][] {
  const adjacent: [number, number][][] = Array.from({ length: report.nodes }, () => []);
  for (let e = 0; e < report.a.length; e++) {
    adjacent[report.a[e]!]!.push([e, report.b[e]!]);
    adjacent[report.b[e]!]!.push([e, report.a[e]!]);
  }
  return adjacent;
}

/** A heap of nodes; the nearest, then the smallest, comes first. */
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

/** Dijkstra's algorithm. Among paths of equal length the one with the smaller last edge wins. */
export function reach(report: Report, adjacent: [number, number][][], sources: number[]): Reach {
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
    for (const [edge, next] of adjacent[node]!) {
      const length = distance[node]! + report.length[edge]!;
      const shorter = length < distance[next]!;
      const smaller = length === distance[next]! && lastEdge[next]! >= 0 && edge < lastEdge[next]!;
      if (!done[next] && (shorter || smaller)) {
        distance[next] = length;
        lastEdge[next] = edge;
        heap.push(length, next);
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
  const index = report.edgeOrNode[i]!;
  return index < report.a.length ? index : -1;
}

/** The nearest node of a point along its edge. */
export function nodeOf(report: Report, i: number): number {
  const index = report.edgeOrNode[i]!;
  if (index >= report.a.length) return index - report.a.length;
  return report.pos[i]! <= 0.5 ? report.a[index]! : report.b[index]!;
}

/** The distance along the graph from the nearest root to each point; NaN without a root. */
export function pseudotime(report: Report, reached: Reach): Float64Array {
  const time = new Float64Array(report.drawn);
  for (let i = 0; i < time.length; i++) {
    const index = report.edgeOrNode[i]!;
    let at: number;
    if (index >= report.a.length) {
      at = reached.distance[index - report.a.length]!;
    } else {
      const along = report.pos[i]! * report.length[index]!;
      const fromA = reached.distance[report.a[index]!]! + along;
      const fromB = reached.distance[report.b[index]!]! + (report.length[index]! - along);
      at = Math.min(fromA, fromB);
    }
    time[i] = Number.isFinite(at) ? at : NaN;
  }
  return time;
}

/** The shortest path between two nodes; null if they are not connected. */
export function pathBetween(
  report: Report,
  adjacent: [number, number][][],
  from: number,
  to: number,
): Path | null {
  const found = reach(report, adjacent, [from]);
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
    const index = report.edgeOrNode[i]!;
    let at: number;
    if (index >= report.a.length) {
      at = atNode[index - report.a.length]!;
    } else if (!Number.isNaN(start[index]!)) {
      const pos = report.pos[i]!;
      at = start[index]! + (forward[index] ? pos : 1 - pos) * report.length[index]!;
    } else if (report.pos[i] === 0) {
      at = atNode[report.a[index]!]!;
    } else if (report.pos[i] === 1) {
      at = atNode[report.b[index]!]!;
    } else {
      continue;
    }
    if (!Number.isNaN(at)) along.push({ point: i, position: at });
  }
  return along.sort((x, y) => x.position - y.position || x.point - y.point);
}
