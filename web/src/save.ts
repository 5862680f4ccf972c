// Saving pictures and tables.

import type { App } from "./app.ts";
import { css, hasMissing, type Rgb } from "./colors.ts";
import { announce, clip, short, svg } from "./dom.ts";
import { edgeOf, nodeOf } from "./graph.ts";

/** A drawing with its size. */
export interface Picture {
  drawing: SVGSVGElement;
  width: number;
  height: number;
}

const LEGEND = 190;

export function save(name: string, kind: string, content: BlobPart): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([content], { type: kind }));
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  announce(`saved ${name}`);
}

/** A picture on its background, with a legend at its right if needed. */
export function complete(app: App, picture: Picture, legend: boolean): Picture {
  const { width, height } = picture;
  const whole = width + (legend ? LEGEND : 0);
  const page = svg("svg", {
    xmlns: "http://www.w3.org/2000/svg", viewBox: `0 0 ${whole} ${height}`,
    width: whole, height, "font-family": "system-ui, sans-serif",
  });
  page.append(svg("rect", { width: whole, height, fill: app.theme.ground }));
  const group = svg("g");
  group.append(...[...picture.drawing.childNodes].map((child) => child.cloneNode(true)));
  page.append(group);
  if (legend) page.append(legendDrawing(app, width + 8));
  return { drawing: page, width: whole, height };
}

function legendDrawing(app: App, left: number): SVGElement {
  const { coloring, theme, colors } = app;
  const group = svg("g", { transform: `translate(${left} 26)` });
  const write = (text: string, x: number, y: number, weight = 400) =>
    group.append(svg("text", {
      x, y, "font-size": 12, fill: theme.ink, "font-weight": weight,
    }, clip(text, 26)));
  write(coloring.title, 0, 0, 600);
  const entry = (name: string, color: Rgb, y: number) => {
    group.append(svg("circle", { cx: 6, cy: y - 4, r: 5, fill: css(color) }));
    write(name, 18, y);
  };
  if (coloring.kind === "class") {
    coloring.classes.forEach((one, i) => entry(one.name, one.color, 20 + 18 * i));
    if (hasMissing(coloring)) entry("no label", colors.none, 20 + 18 * coloring.classes.length);
  } else {
    for (let s = 0; s < 60; s++) {
      group.append(svg("rect", {
        x: 0, y: 12 + 2.5 * s, width: 14, height: 3, fill: css(colors.ofShare(1 - s / 59)),
      }));
    }
    write(short(coloring.high), 20, 20);
    write(short(coloring.low), 20, 163);
    if (hasMissing(coloring)) entry("no value", colors.none, 186);
  }
  return group;
}

export function svgText(picture: Picture): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${new XMLSerializer().serializeToString(picture.drawing)}\n`;
}

export function saveSvg(name: string, picture: Picture): void {
  save(`${name}.svg`, "image/svg+xml", svgText(picture));
}

export async function savePng(name: string, picture: Picture): Promise<void> {
  const scale = 2;
  const image = new Image();
  const loaded = new Promise((resolve, reject) => {
    image.onload = resolve;
    image.onerror = () => reject(new Error("the picture cannot be drawn"));
  });
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svgText(picture))}`;
  await loaded;
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(scale * picture.width);
  canvas.height = Math.round(scale * picture.height);
  const context = canvas.getContext("2d");
  if (!context) return;
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/png"));
  if (blob) save(`${name}.png`, "image/png", blob);
}

/** A field of a CSV table. Values that spreadsheets would run as formulas are not changed: ids are data. */
export function field(value: string): string {
  return /[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}

/** A number with up to seven digits; one with a possible error of `off`, without false digits. */
export function digits(value: number, off: number): string {
  if (Number.isNaN(value)) return "";
  if (off > 0) return String(Number(value.toFixed(Math.min(Math.max(Math.ceil(-Math.log10(off)), 0), 100))));
  for (let n = 6; n < 9; n++) {
    const rounded = Number(value.toPrecision(n));
    if (Math.fround(rounded) === Math.fround(value)) return String(rounded);
  }
  return String(Number(value.toPrecision(9)));
}

/** The name of a column, with the possible error of its numbers. */
export function heading(name: string, off: number): string {
  return field(off > 0 ? `${name} (within ${off.toPrecision(2)})` : name);
}

/** The points as a table. */
export function table(app: App, points: number[]): string {
  const { report } = app;
  const length = report.length.reduce((most, own) => Math.max(most, own), 0);
  const labels = report.columns.filter((column) => column.label);
  const head = ["id,nearer_end,edge", heading("edge_pos", report.posOff), "branch,component",
    heading("pseudotime", report.posOff * length),
    ...labels.map(({ name, off }) => heading(name, off))].join(",");
  const rows = points.map((i) => {
    const [node, edge, branch] = [nodeOf(report, i), edgeOf(report, i), app.branchOf(i)];
    const time = app.time[i]!;
    return [
      field(report.id(i)),
      node,
      edge < 0 ? "" : edge,
      edge < 0 ? "" : digits(report.pos[i]!, report.posOff),
      branch < report.branches.length ? branch : "",
      report.componentOfNode[node],
      digits(time, report.posOff * length),
      ...labels.map(({ kind, classes, codes, values, off }) =>
        kind === "class" ? field(classes[codes[i]!] ?? "") : digits(values[i]!, off)),
    ].join(",");
  });
  return `${[head, ...rows].join("\n")}\n`;
}

/** Copies text, even without access to the clipboard. */
export async function copy(text: string, what: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = document.createElement("textarea");
    area.value = text;
    area.style.position = "fixed";
    area.style.opacity = "0";
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
  announce(`${what} copied`);
}
