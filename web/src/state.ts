// The reader's choices, shared by all views and stored in the URL of the page.

import type { Report } from "./data.ts";

export interface State {
  /** `branch`, `component`, `pseudotime`, or `column:3`. */
  color: string;
  root: number[];
  /** The first and last node of the path; only one while the second is being chosen. */
  path: number[];
  /** An index into the spaces, or -1 for two columns. */
  space: number;
  axes: [number, number];
  dims: 2 | 3;
  /** Columns whose trends are drawn. */
  trends: number[];
  /** What a click on a node does. */
  action: "root" | "path";
  tool: "move" | "lasso" | "box";
  /** The selected points; null for no selection. */
  selection: Uint8Array | null;
  hoverPoint: number;
  hoverNode: number;
  hoverEdge: number;
}

export type Key = keyof State;
type Listener = (changed: Set<Key>) => void;

export class Store {
  private readonly listeners: Listener[] = [];
  private pending = new Set<Key>();

  constructor(public state: State) {}

  listen(listener: Listener): void {
    this.listeners.push(listener);
  }

  /** Changes the state; listeners are called once, before the next frame. */
  set(change: Partial<State>): void {
    const begun = this.pending.size > 0;
    for (const key of Object.keys(change) as Key[]) {
      if (this.state[key] !== change[key]) this.pending.add(key);
    }
    Object.assign(this.state, change);
    if (!begun && this.pending.size > 0) queueMicrotask(() => this.notify());
  }

  private notify(): void {
    const changed = this.pending;
    this.pending = new Set();
    for (const listener of this.listeners) listener(changed);
  }
}

/** The initial state of a report. */
export function initial(report: Report): State {
  const label = report.columns.findIndex((column) => column.label);
  // Color by branch if there are several, but not too many.
  const few = report.branches.length >= 2 && report.branches.length <= 2 * report.palette.length;
  const line = report.root.length > 0 || !few ? "pseudotime" : "branch";
  const by = report.columns
    .map((column, index) => ({ column, index }))
    .filter(({ column }) => column.kind === "number")
    .sort((x, y) => y.column.share - x.column.share || x.index - y.index);
  const plain = !report.sheet ? line : by[0] ? `column:${by[0].index}` : "component";
  return {
    color: label >= 0 ? `column:${label}` : plain,
    root: report.sheet ? [] : report.root.length > 0 ? report.root : [report.defaultRoot],
    path: [],
    space: 0,
    axes: [by[0]?.index ?? 0, by[1]?.index ?? by[0]?.index ?? 0],
    dims: 2,
    trends: by.slice(0, 3).map(({ index }) => index),
    action: report.sheet ? "path" : "root",
    tool: "move",
    selection: null,
    hoverPoint: -1,
    hoverNode: -1,
    hoverEdge: -1,
  };
}

/** The maximum number of selected points in the URL, which would otherwise be too long to share. */
export const MAX_STORED = 60;

/** The views of the pictures, by name. */
export type Looks = Record<string, string>;

/** The state as the hash of the URL. */
export function toHash(state: State, first: State, report: Report, looks: Looks): string {
  const parts: string[] = [];
  const add = (key: string, value: string) => parts.push(`${key}=${encodeURIComponent(value)}`);
  if (state.color !== first.color) add("color", nameOfColor(state.color, report));
  if (String(state.root) !== String(first.root)) add("root", state.root.join(","));
  if (state.path.length > 0) add("path", state.path.join(","));
  if (state.space < 0) {
    add("axes", state.axes.map((axis) => encodeURIComponent(report.columns[axis]!.name)).join(","));
  } else if (state.space !== first.space) {
    add("space", String(state.space));
  }
  if (state.dims !== first.dims) add("dims", String(state.dims));
  if (String(state.trends) !== String(first.trends)) {
    add("trends", state.trends.map((index) => encodeURIComponent(report.columns[index]!.name)).join(","));
  }
  if (state.action !== first.action) add("click", state.action);
  if (state.tool !== first.tool) add("drag", state.tool);
  const chosen = selected(state);
  if (chosen.length > 0 && chosen.length <= MAX_STORED) {
    add("select", chosen.map((i) => report.row(i)).join(","));
  }
  for (const [name, look] of Object.entries(looks)) if (look) add(`look-${name}`, look);
  return parts.join("&");
}

/** The selected points. */
export function selected({ selection }: State): number[] {
  const chosen: number[] = [];
  selection?.forEach((one, i) => {
    if (one) chosen.push(i);
  });
  return chosen;
}

/** The views in the hash of a URL. */
export function looksOf(hash: string): Looks {
  const given = [...new URLSearchParams(hash.replace(/^#/, ""))];
  const looks = given.filter(([key]) => key.startsWith("look-"));
  return Object.fromEntries(looks.map(([key, look]) => [key.slice(5), look]));
}

function nameOfColor(color: string, report: Report): string {
  const column = color.startsWith("column:") ? report.columns[Number(color.slice(7))] : undefined;
  return column ? `column:${column.name}` : color;
}

/** Reads the state from the hash of a URL; invalid entries are ignored. */
export function fromHash(hash: string, report: Report): Partial<State> {
  const given = new URLSearchParams(hash.replace(/^#/, ""));
  const change: Partial<State> = {};
  const nodes = (text: string) =>
    text.split(",").map(Number).filter((k) => Number.isInteger(k) && k >= 0 && k < report.nodes);
  const column = (name: string) => report.columns.findIndex((column) => column.name === name);
  const color = given.get("color");
  if (color !== null) {
    const index = color.startsWith("column:") ? column(color.slice(7)) : -1;
    if (index >= 0) change.color = `column:${index}`;
    else if (color === "component") change.color = color;
    else if (["branch", "pseudotime"].includes(color) && !report.sheet) change.color = color;
  }
  const root = nodes(given.get("root") ?? "");
  if (given.has("root") && root.length > 0 && !report.sheet) change.root = root;
  const path = nodes(given.get("path") ?? "");
  if (given.has("path") && path.length > 0) change.path = path.slice(0, 2);
  const space = Number(given.get("space") ?? NaN);
  if (Number.isInteger(space) && space >= 0 && space < report.spaces.length) change.space = space;
  const axes = (given.get("axes") ?? "").split(",").map((name) => column(safeDecode(name)));
  if (axes.length === 2 && axes.every((axis) => axis >= 0)) {
    change.space = -1;
    change.axes = [axes[0]!, axes[1]!];
  }
  if (given.get("dims") === "3") change.dims = 3;
  const trends = given.get("trends");
  if (trends !== null) {
    change.trends = trends.split(",").map((name) => column(safeDecode(name)))
      .filter((index) => report.columns[index]?.kind === "number");
  }
  if (given.get("click") === "path") change.action = "path";
  const tool = given.get("drag");
  if (tool === "lasso" || tool === "box") change.tool = tool;
  const rows = new Set((given.get("select") ?? "").split(",").filter((row) => row !== "").map(Number));
  if (rows.size > 0) {
    const selection = Uint8Array.from({ length: report.drawn }, (_, i) => (rows.has(report.row(i)) ? 1 : 0));
    if (selection.includes(1)) change.selection = selection;
  }
  return change;
}

function safeDecode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
