// What all views share: the report, the state, and what is derived from them.

import { Colors, type Coloring, type Rgb } from "./colors.ts";
import { type Report } from "./data.ts";
import { short } from "./dom.ts";
import {
  edgeOf, neighbors, nodeOf, pathBetween, pointsAlong, pseudotime, reach,
  type Path, type Reach,
} from "./graph.ts";
import { Store, type Key, type State } from "./state.ts";

export interface Theme {
  ground: string;
  ink: string;
  quiet: string;
  line: string;
  accent: string;
}

const LIGHT: Theme = {
  ground: "#ffffff", ink: "#1d2126", quiet: "#59616b", line: "#dfe3e8", accent: "#c2410c",
};
const DARK: Theme = {
  ground: "#14181d", ink: "#eceff3", quiet: "#a7b0bb", line: "#323a44", accent: "#ff9a5c",
};

export class App {
  readonly store: Store;
  readonly neighbors: [number, number][][];
  readonly colors: Colors;
  coloring: Coloring;
  /** The colors of the points, three bytes each. */
  rgb: Uint8Array;
  /** The same with opacity, four bytes each. */
  rgba: Uint8Array;
  reached: Reach;
  time: Float64Array;
  path: Path | null = null;
  along: { point: number; position: number }[] = [];
  /** The points of each node. */
  readonly pointsOf: number[][];

  constructor(
    readonly report: Report,
    state: State,
    dark: boolean,
    /** Forces a painter, for tests. */
    readonly painter?: "webgl" | "pixels",
  ) {
    this.store = new Store(state);
    this.neighbors = neighbors(report);
    this.colors = new Colors(report, dark);
    this.pointsOf = Array.from({ length: report.nodes }, () => []);
    for (let i = 0; i < report.drawn; i++) this.pointsOf[nodeOf(report, i)]!.push(i);
    this.reached = reach(report, this.neighbors, state.root);
    this.time = pseudotime(report, this.reached);
    this.coloring = this.colors.coloring(state.color, this.time);
    this.rgb = this.colors.ofPoints(this.coloring);
    this.rgba = this.withOpacity();
    this.findPath();
    // The first listener, so that the others see the derived values.
    this.store.listen((changed) => this.update(changed));
  }

  get state(): State {
    return this.store.state;
  }

  get theme(): Theme {
    return this.colors.dark ? DARK : LIGHT;
  }

  setDark(dark: boolean): void {
    this.colors.dark = dark;
    this.recolor();
  }

  private update(changed: Set<Key>): void {
    if (changed.has("root")) {
      this.reached = reach(this.report, this.neighbors, this.state.root);
      this.time = pseudotime(this.report, this.reached);
    }
    if (changed.has("path")) this.findPath();
    if (changed.has("color") || (changed.has("root") && this.state.color === "pseudotime")) {
      this.recolor();
    } else if (changed.has("selection")) {
      this.rgba = this.withOpacity();
    }
  }

  private recolor(): void {
    this.coloring = this.colors.coloring(this.state.color, this.time);
    this.rgb = this.colors.ofPoints(this.coloring);
    this.rgba = this.withOpacity();
  }

  private withOpacity(): Uint8Array {
    const n = this.report.drawn;
    const usual = Math.round(255 * Math.min(0.8, Math.max(0.3, 12 / Math.sqrt(n) + 0.25)));
    const { selection } = this.state;
    const rgba = new Uint8Array(4 * n);
    for (let i = 0; i < n; i++) {
      rgba[4 * i] = this.rgb[3 * i]!;
      rgba[4 * i + 1] = this.rgb[3 * i + 1]!;
      rgba[4 * i + 2] = this.rgb[3 * i + 2]!;
      rgba[4 * i + 3] = !selection ? usual : selection[i] ? 240 : 22;
    }
    return rgba;
  }

  private findPath(): void {
    const [from, to] = this.state.path;
    const both = from !== undefined && to !== undefined;
    this.path = both ? pathBetween(this.report, this.neighbors, from, to) : null;
    this.along = this.path ? pointsAlong(this.report, this.path) : [];
  }

  /** Handles a click on a node. */
  chooseNode(node: number, toPath: boolean): void {
    if (toPath || this.state.action === "path") {
      const { path } = this.state;
      this.store.set({ path: path.length === 1 && path[0] !== node ? [path[0]!, node] : [node] });
    } else {
      this.store.set({ root: [node] });
    }
  }

  /** The shares of the classes at a node, or a single color. */
  slices(node: number): { color: Rgb; share: number }[] {
    const points = this.pointsOf[node]!;
    const { coloring, colors } = this;
    if (this.report.drawn === 0) return [{ color: colors.ofClass(0), share: 1 }];
    if (coloring.kind === "number") {
      let [sum, n] = [0, 0];
      for (const i of points) {
        const value = coloring.values[i]!;
        if (!Number.isNaN(value)) {
          sum += value;
          n++;
        }
      }
      return [{ color: colors.ofShare(colors.share(coloring, n > 0 ? sum / n : NaN)), share: 1 }];
    }
    const counts = new Float64Array(coloring.classes.length);
    let total = 0;
    for (const i of points) {
      const c = coloring.of[i]!;
      if (c < counts.length) {
        counts[c]!++;
        total++;
      }
    }
    if (total === 0) return [{ color: colors.none, share: 1 }];
    return coloring.classes
      .map((one, c) => ({ color: one.color, share: counts[c]! / total }))
      .filter(({ share }) => share > 0);
  }

  degree(node: number): number {
    return this.neighbors[node]!.length;
  }

  branchOf(i: number): number {
    const edge = edgeOf(this.report, i);
    return edge < 0
      ? this.report.branchOfNode[nodeOf(this.report, i)]!
      : this.report.branchOfEdge[edge]!;
  }

  /** The description of a point, line by line. */
  describePoint(i: number): string[] {
    const { report } = this;
    const lines = [report.id(i)];
    const { coloring } = this;
    if (coloring.kind === "class") lines.push(`${coloring.title}: ${coloring.name(i)}`);
    else if (coloring.title !== "pseudotime") {
      lines.push(`${coloring.title}: ${short(coloring.values[i]!)}`);
    }
    if (report.sheet) return lines;
    if (coloring.title !== "branch") {
      lines.push(`branch: ${report.branches[this.branchOf(i)] ?? "none"}`);
    }
    lines.push(`pseudotime: ${Number.isNaN(this.time[i]!) ? "none" : short(this.time[i]!)}`);
    return lines;
  }

  describeEdge(edge: number): string {
    const { a, b, length, branches, branchOfEdge, sheet } = this.report;
    const branch = sheet ? "" : `, branch ${branches[branchOfEdge[edge]!] ?? "none"}`;
    return `node ${a[edge]} and node ${b[edge]}: length ${short(length[edge]!)}${branch}`;
  }

  describeNode(node: number): string[] {
    const n = this.pointsOf[node]!.length.toLocaleString("en");
    if (this.report.sheet) return [`node ${node}`, `points: ${n}`];
    const kinds = ["isolated", "tip", "on a branch"];
    const kind = kinds[this.degree(node)] ?? `branch point of degree ${this.degree(node)}`;
    const distance = this.reached.distance[node]!;
    const time = Number.isFinite(distance) ? short(distance) : "none";
    return [`node ${node}`, kind, `points: ${n}`, `pseudotime: ${time}`];
  }
}
