// The legend; click a class to select its points.

import type { App } from "./app.ts";
import { css, hasMissing } from "./colors.ts";
import { button, clip, html, short } from "./dom.ts";

export function legend(app: App): HTMLElement {
  const { coloring, colors } = app;
  const box = html("div", { class: "legend", role: "group", "aria-label": "Legend" });
  box.append(html("strong", {}, clip(coloring.title, 40)));
  if (coloring.kind === "number") {
    const stops = Array.from({ length: 11 }, (_, s) => css(colors.ofShare(s / 10)));
    const bar = html("span", { class: "ramp", role: "img", "aria-label": "from dark to bright" });
    bar.style.background = `linear-gradient(90deg, ${stops.join(", ")})`;
    const row = html("span", { class: "scale" });
    row.append(short(coloring.low), bar, short(coloring.high));
    box.append(row);
    if (hasMissing(coloring)) {
      box.append(html("div", { class: "missing" }, swatch(css(colors.none), "ring"), "no value"));
    }
    return box;
  }
  const list = html("ul");
  coloring.classes.forEach((one, c) => {
    const item = button("", () => selectClass(app, c), {
      "aria-label": `${clip(one.name, 60)}, ${one.count.toLocaleString("en")} points: select them`,
      title: `${clip(one.name, 200)}: ${one.count.toLocaleString("en")} points; click to select`,
    });
    item.append(swatch(css(one.color)), html("span", {}, clip(one.name, 28)));
    list.append(html("li", {}, item));
  });
  if (hasMissing(coloring)) {
    list.append(html("li", { class: "missing" }, swatch(css(colors.none), "ring"), "no label"));
  }
  box.append(list);
  return box;
}

function swatch(color: string, more = ""): HTMLElement {
  const element = html("span", { class: `swatch ${more}`.trim(), "aria-hidden": "true" });
  element.style.background = color;
  return element;
}

function selectClass(app: App, wanted: number): void {
  const { coloring } = app;
  if (coloring.kind !== "class") return;
  const selection = Uint8Array.from(coloring.of, (c) => (c === wanted ? 1 : 0));
  const same = app.state.selection?.every((s, i) => s === selection[i]) ?? false;
  app.store.set({ selection: same ? null : selection });
}
