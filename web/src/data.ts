// The data of the page: one JSON document with packed arrays.

/** A packed array: base64 of zlib of byte planes. */
interface Packed {
  kind: "u8" | "u16" | "u32" | "f32" | "f64" | "text" | "letters";
  n: number;
  data: string;
}

/** Numbers or classes, one per drawn point. */
export interface Column {
  name: string;
  kind: "number" | "class";
  /** Whether it is a label rather than a column that was used in the fit. */
  label: boolean;
  /** The range of the numbers. */
  low: number;
  high: number;
  /** The numbers; NaN if missing. */
  values: Float64Array;
  /** The possible error of numbers that were rounded to keep the page small; otherwise 0. */
  off: number;
  /** The names of the classes. */
  classes: string[];
  /** The class of each point; an index without a name is missing. */
  codes: Uint8Array | Uint16Array;
  /** The values of the nodes in this column; may be empty. */
  nodes: Float64Array;
  /** The share of the variance between nodes. */
  share: number;
}

/** Points and nodes in a picture, three coordinates each, scaled to about -1 to 1. */
export interface Layout {
  points: Float32Array;
  nodes: Float32Array;
  /** The offset and the scale of each axis. */
  center: number[];
  scale: number[];
  /** The names of the axes; empty for a picture without axes. */
  axes: string[];
  /** Whether all axes have the same scale. */
  equal: boolean;
  /** Lines of the graph: their edges and positions, three coordinates each. */
  lines: { edge: number; positions: Float32Array; dashed: boolean }[];
}

/** A space in which the points are drawn. */
export interface Space extends Layout {
  name: string;
}

export interface Setting {
  flag: string;
  value: string;
  help: string;
  origin: string;
}

export interface Histogram {
  low: number;
  high: number;
  counts: number[];
}

/** How the graph changes with a setting. */
export interface Tuning {
  setting: string;
  chosen: number;
  scale: "linear" | "logarithmic";
  values: number[];
  measures: { name: string; values: number[] }[];
  caption: string;
}

export interface Report {
  version: string;
  title: string;
  method: string;
  directory: string;
  n: number;
  drawn: number;
  facts: [string, string][];
  /** Whether the object is a sheet, which has neither root nor branches. */
  sheet: boolean;
  warnings: string[];
  settings: Setting[];
  methods: string;
  references: string[];
  command: string;
  spaces: Space[];
  columns: Column[];
  root: number[];
  defaultRoot: number;
  trace: number[];
  untraced: number;
  /** The unit of the trace: sweep or step. */
  step: string;
  tuning: Tuning | null;
  histogram: Histogram | null;
  /** The column with the distances from the graph; null if it was left out. */
  distances: number | null;
  palette: string[];
  viridis: [number, number, number][];
  gray: string;
  /** The color of missing values. */
  none: string;
  /** Edges: nodes, lengths, weights. */
  a: Uint32Array;
  b: Uint32Array;
  length: Float64Array;
  weight: Float64Array;
  mass: Float64Array;
  nodes: number;
  branchOfEdge: Uint32Array;
  branchOfNode: Uint32Array;
  componentOfNode: Uint32Array;
  branches: string[];
  metro: Float64Array;
  /** 1 for edges of the metro map that close a loop. */
  closes: Uint8Array;
  /** The edge of each drawn point, or the number of edges plus its node if it has none. */
  edgeOrNode: Uint32Array;
  /** The position along the edge, from 0 to 1. */
  pos: Float64Array;
  /** The possible error of positions; 0 if they have seven digits. */
  posOff: number;
  /** The row of each drawn point. */
  row: (i: number) => number;
  id: (i: number) => string;
}

type Raw = Record<string, unknown> & { arrays: Record<string, Packed> };

async function unpack(packed: Packed): Promise<Uint8Array> {
  const text = atob(packed.data);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Joins byte planes, lowest first. */
function joined(bytes: Uint8Array, n: number, width: number): Uint32Array {
  const out = new Uint32Array(n);
  for (let plane = 0; plane < width; plane++) {
    const shift = 8 * plane;
    for (let i = 0, at = plane * n; i < n; i++, at++) out[i]! |= bytes[at]! << shift;
  }
  return out;
}

class Arrays {
  private readonly bytes = new Map<string, Uint8Array>();
  private constructor(private readonly packed: Record<string, Packed>) {}

  static async of(packed: Record<string, Packed>): Promise<Arrays> {
    const arrays = new Arrays(packed);
    const names = Object.keys(packed);
    const all = await Promise.all(names.map((name) => unpack(packed[name]!)));
    names.forEach((name, i) => arrays.bytes.set(name, all[i]!));
    return arrays;
  }

  has(name: string): boolean {
    return this.bytes.has(name);
  }

  private get(name: string): [Packed, Uint8Array] {
    const bytes = this.bytes.get(name);
    const packed = this.packed[name];
    if (!bytes || !packed) throw new Error(`the report has no array ${name}`);
    return [packed, bytes];
  }

  u32(name: string): Uint32Array {
    const [packed, bytes] = this.get(name);
    return joined(bytes, packed.n, 4);
  }

  u16(name: string): Uint16Array {
    const [packed, bytes] = this.get(name);
    return Uint16Array.from(joined(bytes, packed.n, 2));
  }

  codes(name: string): Uint8Array | Uint16Array {
    const [packed, bytes] = this.get(name);
    return packed.kind === "u8" ? bytes : this.u16(name);
  }

  /** Numbers in single or double precision. */
  floats(name: string): Float64Array {
    const [packed, bytes] = this.get(name);
    const { n } = packed;
    const width = packed.kind === "f32" ? 4 : 8;
    const one = new DataView(new ArrayBuffer(8));
    return Float64Array.from({ length: n }, (_, i) => {
      for (let plane = 0; plane < width; plane++) one.setUint8(plane, bytes[plane * n + i]!);
      return width === 4 ? one.getFloat32(0, true) : one.getFloat64(0, true);
    });
  }

  /** Numbers in single precision, or as codes over a range; the largest code means missing. */
  numbers(name: string, low: number, high: number): { values: Float64Array; off: number } {
    if (this.get(name)[0].kind === "f32") return { values: this.floats(name), off: 0 };
    const codes = this.codes(name);
    const top = codes instanceof Uint8Array ? 254 : 65534;
    const values = Float64Array.from(codes, (code) =>
      code > top ? NaN : low + (code / top) * (high - low));
    return { values, off: (0.5 * (high - low)) / top };
  }

  /** Texts: a list, or all last letters, then all second-to-last letters, and so on. */
  texts(name: string): (i: number) => string {
    const [{ kind, n }, bytes] = this.get(name);
    if (kind === "text") {
      const list = JSON.parse(new TextDecoder().decode(bytes)) as string[];
      return (i) => list[i]!;
    }
    return (i) => {
      let text = "";
      for (let at = i; at < bytes.length && bytes[at] !== 0; at += n) {
        text = String.fromCharCode(bytes[at]!) + text;
      }
      return text;
    };
  }
}

interface RawSpace {
  name: string;
  axes: string[];
  low: number[];
  high: number[];
  /** The code of the upper end of the range. */
  top: number;
}

/** Straight lines between the nodes of the edges. */
export function straight(a: Uint32Array, b: Uint32Array, nodes: Float32Array): Layout["lines"] {
  return Array.from(a, (from, edge) => {
    const to = b[edge]!;
    const positions = new Float32Array(6);
    positions.set(nodes.subarray(3 * from, 3 * from + 3));
    positions.set(nodes.subarray(3 * to, 3 * to + 3), 3);
    return { edge, positions, dashed: false };
  });
}

function space(raw: RawSpace, index: number, arrays: Arrays, drawn: number, nodes: number): Space {
  const points = new Float32Array(3 * drawn);
  const positions = new Float32Array(3 * nodes);
  const center = raw.low.map((low, axis) => 0.5 * low + 0.5 * raw.high[axis]!);
  const half = Math.max(...raw.low.map((low, axis) => 0.5 * raw.high[axis]! - 0.5 * low));
  const scale = raw.low.map(() => half || 1);
  raw.axes.forEach((_, axis) => {
    const own = (0.5 * raw.high[axis]! - 0.5 * raw.low[axis]!) / (half || 1);
    const codes = arrays.u16(`space${index}.${axis}`);
    for (let i = 0; i < drawn; i++) {
      points[3 * i + axis] = codes[i] === 65535 ? NaN : own * ((2 * codes[i]!) / raw.top - 1);
    }
    // The nodes come after the points.
    for (let k = 0; k < nodes; k++) {
      positions[3 * k + axis] = own * ((2 * codes[drawn + k]!) / raw.top - 1);
    }
  });
  const lines = straight(arrays.u32("a"), arrays.u32("b"), positions);
  const { name, axes } = raw;
  return { name, axes, points, nodes: positions, center, scale, equal: true, lines };
}

type RawColumn = Omit<Column, "codes" | "values" | "off" | "nodes">;

/** Unpacks the report of this page. */
export async function load(text: string, root: string): Promise<Report> {
  const raw = JSON.parse(text) as Raw;
  const arrays = await Arrays.of(raw.arrays);
  const drawn = raw["drawn"] as number;
  const nodes = raw["nodes"] as number;
  const columns = (raw["columns"] as RawColumn[]).map((column, i): Column => {
    const name = `column${i}`;
    if (column.kind === "class") {
      const none = new Float64Array();
      return { ...column, codes: arrays.codes(name), values: none, nodes: none, off: 0 };
    }
    const { values, off } = arrays.numbers(name, column.low, column.high);
    // The nodes, if present, come after the points.
    return {
      ...column, codes: new Uint8Array(), values: values.subarray(0, drawn),
      nodes: values.subarray(drawn), off,
    };
  });
  const closes = new Uint8Array(arrays.u32("a").length);
  for (const edge of arrays.u32("closing")) closes[edge] = 1;
  const rows = arrays.has("rows") ? arrays.u32("rows") : null;
  // Rows are stored as differences.
  if (rows) for (let i = 1; i < rows.length; i++) rows[i]! += rows[i - 1]!;
  const row = (i: number) => (rows ? rows[i]! : i);
  const pos = arrays.numbers("pos", 0, 1);
  const ids = arrays.has("ids") ? arrays.texts("ids") : null;
  return {
    ...(raw as unknown as Report),
    columns,
    spaces: (raw["spaces"] as RawSpace[]).map((s, i) => space(s, i, arrays, drawn, nodes)),
    root: JSON.parse(root) as number[],
    a: arrays.u32("a"),
    b: arrays.u32("b"),
    length: arrays.floats("length"),
    weight: arrays.floats("weight"),
    mass: arrays.floats("mass"),
    branchOfEdge: arrays.u32("branch_of_edge"),
    branchOfNode: arrays.u32("branch_of_node"),
    componentOfNode: arrays.u32("component_of_node"),
    metro: Float64Array.from(arrays.u16("metro"), (code) => code / 65534),
    closes,
    edgeOrNode: arrays.u32("edge_or_node"),
    pos: pos.values,
    posOff: pos.off,
    row,
    id: (i) => (ids ? ids(i) : String(row(i))),
  };
}
