// Small charts: objective, tuning, distances, trends.

import type { App } from "./app.ts";
import { css } from "./colors.ts";
import type { Column, Tuning } from "./data.ts";
import { announce, clip, counted, logTicks, short, svg, ticks, tickText } from "./dom.ts";

interface Plot {
  drawing: SVGSVGElement;
  x: (value: number) => number;
  y: (value: number) => number;
  left: number;
  right: number;
  top: number;
  bottom: number;
}

const FONT = "system-ui, sans-serif";

export function text(
  app: App, text: string, x: number, y: number, anchor: string, size = 11, turn = "",
): SVGElement {
  return svg("text", {
    x: x.toFixed(1), y: y.toFixed(1), "text-anchor": anchor, "font-size": size,
    fill: app.theme.quiet, "font-family": FONT, ...(turn ? { transform: turn } : {}),
  }, text);
}

/** A chart with axes over two ranges. */
function plot(
  app: App, size: [number, number], xs: [number, number], ys: [number, number],
  names: [string, string], label: string,
): Plot {
  const [width, height] = size;
  const [left, right, top, bottom] = [74, width - 12, 10, height - 40];
  const drawing = svg("svg", {
    viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label, width, height,
  });
  const span = (low: number, high: number) => (high > low ? high - low : 1);
  const x = (v: number) => left + ((v - xs[0]) / span(...xs)) * (right - left);
  const y = (v: number) => bottom - ((v - ys[0]) / span(...ys)) * (bottom - top);
  for (const tick of ticks(...xs, Math.max(2, Math.floor((right - left) / 80)))) {
    drawing.append(
      svg("line", { x1: x(tick), x2: x(tick), y1: top, y2: bottom, stroke: app.theme.line }),
      text(app, tickText(tick), x(tick), bottom + 15, "middle"),
    );
  }
  for (const tick of ticks(...ys, Math.max(2, Math.floor((bottom - top) / 40)))) {
    drawing.append(
      svg("line", { x1: left, x2: right, y1: y(tick), y2: y(tick), stroke: app.theme.line }),
      text(app, tickText(tick), left - 6, y(tick) + 4, "end"),
    );
  }
  const middle = 0.5 * (top + bottom);
  drawing.append(
    text(app, clip(names[0], 50), 0.5 * (left + right), height - 6, "middle", 12),
    text(app, clip(names[1], 30), 13, middle, "middle", 12, `rotate(-90 13 ${middle})`),
  );
  return { drawing, x, y, left, right, top, bottom };
}

/** A dot with a tooltip, which also appears near the dot. */
function dot(x: number, y: number, r: number, fill: string, text: string): SVGElement {
  const at = { cx: x.toFixed(1), cy: y.toFixed(1) };
  return svg("g", {}, svg("title", {}, text),
    svg("circle", { ...at, r: r + 5, fill: "transparent" }), svg("circle", { ...at, r, fill }));
}

/** The objective after each sweep, or step. */
export function traceChart(app: App): SVGSVGElement {
  const { trace, untraced, step } = app.report;
  const low = trace.reduce((x, y) => Math.min(x, y), Infinity);
  const high = trace.reduce((x, y) => Math.max(x, y), -Infinity);
  const pad = 0.04 * (high - low) || Math.abs(high) * 0.05 || 1;
  const last = trace.length - 1 + untraced;
  const f = plot(
    app, [460, 260], [untraced, Math.max(last, untraced + 1)], [low - pad, high + pad],
    [step, "objective"],
    `Objective: from ${short(trace[0]!)} to ${short(trace[trace.length - 1]!)} in ${last} ${step}s`,
  );
  const d = trace
    .map((v, i) => `${i ? "L" : "M"}${f.x(i + untraced).toFixed(1)} ${f.y(v).toFixed(1)}`)
    .join("");
  const color = css(app.colors.ofClass(0));
  f.drawing.append(svg("path", { d, fill: "none", stroke: color, "stroke-width": 2 }));
  if (trace.length <= 60) {
    trace.forEach((v, i) =>
      f.drawing.append(dot(f.x(i + untraced), f.y(v), 2.6, color,
        `${step} ${i + untraced}: ${short(v)}`)));
  }
  return f.drawing;
}

/** How the graph changes with a setting: one curve per measure, one below the other. */
export function tuningChart(app: App, tuning: Tuning): SVGSVGElement {
  const { setting, chosen, values, measures } = tuning;
  const [width, panel] = [460, 100];
  const height = measures.length * panel + 48;
  const [left, right] = [74, width - 12];
  const across = tuning.scale === "logarithmic" ? Math.log10 : (value: number) => value;
  const [first, last] = [values[0]!, values[values.length - 1]!];
  const span = across(last) - across(first) || 1;
  const x = (value: number) => left + 8 + ((across(value) - across(first)) / span) * (right - left - 16);
  const drawing = svg("svg", {
    viewBox: `0 0 ${width} ${height}`, width, height, role: "img",
    "aria-label": `For a ${setting} from ${short(first)} to ${short(last)}, of which ${short(chosen)} was ` +
      `chosen: ${measures.map((one) =>
        `${one.name} from ${short(one.values[0]!)} to ${short(one.values[values.length - 1]!)}`).join(", ")}`,
  });
  const bottom = measures.length * panel + 8;
  const below = tuning.scale === "logarithmic" ? logTicks(first, last) : ticks(first, last, 5);
  for (const tick of below) {
    drawing.append(
      svg("line", { x1: x(tick), x2: x(tick), y1: 24, y2: bottom, stroke: app.theme.line }),
      text(app, tickText(tick), x(tick), bottom + 15, "middle"),
    );
  }
  drawing.append(text(app, setting, 0.5 * (left + right), height - 6, "middle", 12));
  const color = css(app.colors.ofClass(0));
  measures.forEach((one, row) => {
    const [top, base] = [row * panel + 28, (row + 1) * panel];
    const [low, high] = [Math.min(...one.values), Math.max(...one.values)];
    const y = (value: number) => base - (high > low ? (value - low) / (high - low) : 0.5) * (base - top);
    const whole = one.values.every(Number.isInteger);
    for (const tick of ticks(low, high, 3).filter((tick) => !whole || Number.isInteger(tick))) {
      drawing.append(
        svg("line", { x1: left, x2: right, y1: y(tick), y2: y(tick), stroke: app.theme.line }),
        text(app, tickText(tick), left - 6, y(tick) + 4, "end"),
      );
    }
    drawing.append(
      svg("text", {
        x: left, y: top - 10, "font-size": 12, fill: app.theme.ink, "font-family": FONT,
      }, one.name),
      svg("line", {
        x1: x(chosen), x2: x(chosen), y1: top - 4, y2: base + 4, stroke: app.theme.ink,
        "stroke-dasharray": "4 3",
      }),
      svg("path", {
        d: values.map((v, i) => `${i ? "L" : "M"}${x(v).toFixed(1)} ${y(one.values[i]!).toFixed(1)}`).join(""),
        fill: "none", stroke: color, "stroke-width": 2,
      }),
      ...values.map((v, i) => dot(x(v), y(one.values[i]!), v === chosen ? 4 : 2.4, color,
        `${setting} ${short(v)}${v === chosen ? " (chosen)" : ""}: ${one.name} ${short(one.values[i]!)}`)),
    );
  });
  return drawing;
}

/** The histogram of the distances from the graph. */
export function distanceChart(app: App): SVGSVGElement {
  const { low, high, counts } = app.report.histogram!;
  const most = Math.max(...counts);
  const f = plot(
    app, [460, 260], [low, high], [0, most], ["distance from the graph", "points"],
    `Distances of the points from the graph: from ${short(low)} to ${short(high)}. ` +
      "Arrow keys move from bar to bar, Enter selects its points.",
  );
  f.drawing.setAttribute("role", "group");
  const width = (high - low) / counts.length;
  const color = css(app.colors.ofClass(0));
  const bars = counts.map((count, i) => {
    const [from, to] = [low + i * width, low + (i + 1) * width];
    const [x0, x1] = [f.x(from), f.x(to)];
    const text = `distance ${short(from)} to ${short(to)}: ${counted(count, "point", "points")}`;
    const bar = svg("g", { class: "bar", role: "button", tabindex: i === 0 ? 0 : -1, "aria-label": text },
      svg("title", {}, text),
      svg("rect", {
        x: x0.toFixed(1), y: f.top, width: (x1 - x0).toFixed(1), height: f.bottom - f.top,
        fill: "transparent",
      }),
      svg("rect", {
        x: x0.toFixed(1), y: f.y(count).toFixed(1), width: Math.max(x1 - x0 - 0.8, 0.5).toFixed(1),
        height: (f.bottom - f.y(count)).toFixed(1), fill: color,
      }));
    bar.addEventListener("click", () => selectBetween(app, from, i + 1 < counts.length ? to : Infinity));
    return bar;
  });
  f.drawing.append(...bars);
  f.drawing.addEventListener("keydown", (event) => {
    const at = bars.indexOf(document.activeElement as SVGGElement);
    const step = ({ ArrowRight: 1, ArrowLeft: -1 } as Record<string, number>)[event.key];
    if (event.key === "Enter" || event.key === " ") {
      bars[at]?.dispatchEvent(new MouseEvent("click"));
    } else if (step && bars[at + step]) {
      bars[at]?.setAttribute("tabindex", "-1");
      bars[at + step]!.setAttribute("tabindex", "0");
      bars[at + step]!.focus();
    } else {
      return;
    }
    event.preventDefault();
  });
  return f.drawing;
}

/** Selects the points with a distance in this range. */
function selectBetween(app: App, from: number, to: number): void {
  const { distances, columns } = app.report;
  if (distances === null) {
    announce("this page has no distances of individual points, to keep it small");
    return;
  }
  const selection = Uint8Array.from(columns[distances]!.values, (x) => (x >= from && x < to ? 1 : 0));
  const count = selection.reduce((sum, one) => sum + one, 0);
  app.store.set({ selection: count > 0 ? selection : null });
  announce(`${counted(count, "point", "points")} selected`);
}

/** The maximum number of points that a trend shows. */
const MAX_POINTS = 1500;

/** A smooth line through values along a path: a local linear fit with Gaussian weights. */
export function smooth(
  positions: number[], values: number[], length: number, steps: number,
): { at: number; value: number; error: number }[] {
  const width = 0.07 * length || 1;
  const out: { at: number; value: number; error: number }[] = [];
  for (let s = 0; s <= steps; s++) {
    const at = (length * s) / steps;
    let [w0, w1, w2, v0, v1] = [0, 0, 0, 0, 0];
    const reach = 4 * width;
    for (let i = 0; i < positions.length; i++) {
      const d = positions[i]! - at;
      if (Math.abs(d) > reach) continue;
      const w = Math.exp((-0.5 * d * d) / (width * width));
      w0 += w;
      w1 += w * d;
      w2 += w * d * d;
      v0 += w * values[i]!;
      v1 += w * d * values[i]!;
    }
    if (w0 < 1e-6) continue;
    const det = w0 * w2 - w1 * w1;
    const line = det > 1e-9 * w0 * w0 * width * width;
    const value = line ? (w2 * v0 - w1 * v1) / det : v0 / w0;
    const slope = line ? (w0 * v1 - w1 * v0) / det : 0;
    let [rest, squares] = [0, 0];
    for (let i = 0; i < positions.length; i++) {
      const d = positions[i]! - at;
      if (Math.abs(d) > reach) continue;
      const w = Math.exp((-0.5 * d * d) / (width * width));
      const e = values[i]! - value - slope * d;
      rest += w * e * e;
      squares += w * w;
    }
    const effective = (w0 * w0) / squares;
    out.push({ at, value, error: Math.sqrt(rest / w0 / Math.max(effective, 1)) });
  }
  return out;
}

/** A column along the path: points, a smooth line and its standard error. */
export function trendChart(app: App, column: Column): SVGSVGElement {
  const { along, path, theme } = app;
  const present = along
    .map(({ point, position }) => ({ point, position, value: column.values[point]! }))
    .filter(({ value }) => !Number.isNaN(value));
  const values = present.map(({ value }) => value);
  let low = values.reduce((a, b) => Math.min(a, b), Infinity);
  let high = values.reduce((a, b) => Math.max(a, b), -Infinity);
  if (!(low <= high)) [low, high] = [0, 1];
  const pad = 0.05 * (high - low) || Math.abs(high) * 0.05 || 1;
  const length = path?.length ?? 1;
  const f = plot(
    app, [400, 240], [0, length || 1], [low - pad, high + pad],
    ["position on the path", column.name],
    `Trend of ${column.name} along the path, ${present.length} points`,
  );
  const step = Math.max(1, Math.ceil(present.length / MAX_POINTS));
  for (let i = 0; i < present.length; i += step) {
    const { point, position, value } = present[i]!;
    f.drawing.append(svg("circle", {
      cx: f.x(position).toFixed(1), cy: f.y(value).toFixed(1), r: 2,
      fill: css([app.rgb[3 * point]!, app.rgb[3 * point + 1]!, app.rgb[3 * point + 2]!]),
      "fill-opacity": 0.5,
    }));
  }
  const line = smooth(present.map(({ position }) => position), values, length, 80);
  if (line.length > 1) {
    const edge = (side: number) =>
      line.map((p) => `${f.x(p.at).toFixed(1)} ${f.y(p.value + side * p.error).toFixed(1)}`);
    const band = `M${[...edge(1), ...edge(-1).reverse()].join("L")}Z`;
    const middle = `M${edge(0).join("L")}`;
    f.drawing.append(
      svg("path", { d: band, fill: theme.ink, "fill-opacity": 0.15 }),
      svg("path", { d: middle, fill: "none", stroke: theme.ground, "stroke-width": 5 }),
      svg("path", { d: middle, fill: "none", stroke: theme.ink, "stroke-width": 2.4 }),
    );
  }
  return f.drawing;
}
