// The colors of the points, on a light and a dark background.

import type { Report } from "./data.ts";
import { edgeOf, nodeOf } from "./graph.ts";

export type Rgb = [number, number, number];

/** A class as the legend shows it. */
export interface Class {
  name: string;
  color: Rgb;
  count: number;
}

export type Coloring =
  | { kind: "class"; title: string; classes: Class[]; of: Uint16Array; name: (i: number) => string }
  | { kind: "number"; title: string; low: number; high: number; values: Float64Array };

/** The class of points without a label. */
export const MISSING = 65535;

export function parse(color: string): Rgb {
  const n = parseInt(color.slice(1), 16);
  return [(n >> 16) & 255, (n >> 8) & 255, n & 255];
}

export function css([r, g, b]: Rgb): string {
  return `#${((1 << 24) | (r << 16) | (g << 8) | b).toString(16).slice(1)}`;
}

/** Whether any point has a missing value. */
export function hasMissing(coloring: Coloring): boolean {
  return coloring.kind === "class"
    ? coloring.of.some((c) => c >= coloring.classes.length)
    : coloring.values.some(Number.isNaN);
}

/** How much colors are lightened on a dark background: all equally, so that they stay distinct. */
const LIFT = 0.15;

/** Lightens a color on a dark background. */
export function onGround(color: Rgb, dark: boolean): Rgb {
  return dark ? (color.map((c) => Math.round(c + LIFT * (255 - c))) as Rgb) : color;
}

export class Colors {
  constructor(
    private readonly report: Report,
    public dark: boolean,
  ) {}

  get gray(): Rgb {
    return this.dark ? [200, 200, 200] : parse(this.report.gray);
  }

  /** Missing values: fainter than the gray of classes beyond the palette. */
  get none(): Rgb {
    return this.dark ? [56, 56, 56] : parse(this.report.none);
  }

  ofClass(index: number): Rgb {
    const color = this.report.palette[index];
    return color ? onGround(parse(color), this.dark) : this.gray;
  }

  /** viridis; gray for missing values. On a dark background it starts a little lighter. */
  ofShare(share: number): Rgb {
    if (Number.isNaN(share)) return this.none;
    const steps = this.report.viridis;
    const begin = this.dark ? 0.12 : 0;
    const clamped = Math.min(Math.max(share, 0), 1);
    const at = (begin + clamped * (1 - begin)) * (steps.length - 1);
    const low = Math.min(Math.floor(at), steps.length - 2);
    const part = at - low;
    const [from, to] = [steps[low]!, steps[low + 1]!];
    return from.map((x, c) => Math.round(x + part * (to[c]! - x))) as Rgb;
  }

  /** The classes with their colors; if there are too many, the rarest share one. */
  classes(title: string, names: string[], code: (i: number) => number): Coloring {
    const n = this.report.drawn;
    const counts = new Float64Array(names.length);
    for (let i = 0; i < n; i++) {
      const c = code(i);
      if (c < names.length) counts[c]!++;
    }
    const most = this.report.palette.length;
    let kept = names.map((_, c) => c).filter((c) => counts[c]! > 0);
    if (kept.length > most) {
      kept.sort((x, y) => counts[y]! - counts[x]! || x - y);
      kept = kept.slice(0, most).sort((x, y) => x - y);
    }
    const slot = new Uint16Array(names.length).fill(kept.length);
    const classes = kept.map((c, s): Class => {
      slot[c] = s;
      return { name: names[c]!, color: this.ofClass(s), count: counts[c]! };
    });
    const others = names.filter((_, c) => counts[c]! > 0 && slot[c] === kept.length);
    if (others.length > 0) {
      const count = names.reduce((sum, _, c) => sum + (slot[c] === kept.length ? counts[c]! : 0), 0);
      classes.push({ name: `${others.length} others`, color: this.gray, count });
    }
    const of = new Uint16Array(n);
    for (let i = 0; i < n; i++) {
      const c = code(i);
      of[i] = c < names.length ? slot[c]! : MISSING;
    }
    const name = (i: number) => (code(i) < names.length ? names[code(i)]! : "missing");
    return { kind: "class", title, classes, of, name };
  }

  numbers(title: string, values: Float64Array): Coloring {
    let [low, high] = [Infinity, -Infinity];
    for (const x of values) {
      if (x < low) low = x;
      if (x > high) high = x;
    }
    if (!(low <= high)) [low, high] = [0, 1];
    return { kind: "number", title, low, high, values };
  }

  /** The coloring of an entry in the color menu: `branch`, `component`, `pseudotime`, `column:3`. */
  coloring(name: string, time: Float64Array): Coloring {
    const { report } = this;
    if (name.startsWith("column:")) {
      const column = report.columns[Number(name.slice(7))];
      if (column?.kind === "class") {
        return this.classes(column.name, column.classes, (i) => column.codes[i]!);
      }
      if (column) return this.numbers(column.name, column.values);
    }
    if (name === "pseudotime") return this.numbers("pseudotime", time);
    if (name === "component") {
      const count = report.componentOfNode.reduce((most, c) => Math.max(most, c + 1), 0);
      const names = Array.from({ length: count }, (_, c) => String(c));
      return this.classes("component", names, (i) => report.componentOfNode[nodeOf(report, i)]!);
    }
    return this.classes("branch", report.branches, (i) => {
      const edge = edgeOf(report, i);
      return edge < 0 ? report.branchOfNode[nodeOf(report, i)]! : report.branchOfEdge[edge]!;
    });
  }

  share(coloring: Coloring & { kind: "number" }, value: number): number {
    if (Number.isNaN(value)) return NaN;
    return coloring.high > coloring.low
      ? (value - coloring.low) / (coloring.high - coloring.low)
      : 0.5;
  }

  /** The colors of the points, three bytes each. */
  ofPoints(coloring: Coloring): Uint8Array {
    const n = this.report.drawn;
    const out = new Uint8Array(3 * n);
    const table = Array.from({ length: 257 }, (_, s) => this.ofShare(s < 256 ? s / 255 : NaN));
    for (let i = 0; i < n; i++) {
      let color: Rgb;
      if (coloring.kind === "class") {
        color = coloring.classes[coloring.of[i]!]?.color ?? this.none;
      } else {
        const share = this.share(coloring, coloring.values[i]!);
        color = table[Number.isNaN(share) ? 256 : Math.round(255 * share)]!;
      }
      out[3 * i] = color[0];
      out[3 * i + 1] = color[1];
      out[3 * i + 2] = color[2];
    }
    return out;
  }
}
