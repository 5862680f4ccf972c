// The texts of the report: summary, warnings, settings, methods, command.

import type { Report } from "./data.ts";
import { button, clip, html } from "./dom.ts";
import { copy } from "./save.ts";

export function summary(report: Report): HTMLElement {
  const list = html("dl", { class: "facts" });
  for (const [name, value] of report.facts) {
    list.append(html("div", {}, html("dt", {}, name), html("dd", {}, clip(value, 400))));
  }
  return html("section", { "aria-label": "Summary", id: "summary" }, list);
}

export function warnings(texts: string[]): HTMLElement | null {
  if (texts.length === 0) return null;
  const list = html("ul", {}, ...texts.map((text) => html("li", {}, text)));
  const box = html("section", { class: "warnings", "aria-labelledby": "warnings-title" });
  box.append(html("h2", { id: "warnings-title" }, "Please note"), list);
  return box;
}

/** A text with a copy button. */
function copied(title: string, body: HTMLElement, text: string, what: string): HTMLElement {
  const head = html("div", { class: "head" }, html("h3", {}, title),
    button("Copy", () => void copy(text, what), { "aria-label": `Copy ${what}` }));
  return html("div", { class: "copied" }, head, body);
}

function settings(report: Report): HTMLElement {
  const head = ["setting", "value", "origin", "what it does"];
  const rows = report.settings.map(({ flag, value, help, origin }) => html("tr", {},
    html("th", { scope: "row" }, html("code", {}, flag)),
    html("td", {}, html("code", {}, clip(value, 60))),
    html("td", {}, origin),
    html("td", {}, help)));
  const table = html("table", {},
    html("caption", {}, `Settings of ${report.method}`),
    html("thead", {}, html("tr", {}, ...head.map((name) => html("th", { scope: "col" }, name)))),
    html("tbody", {}, ...rows));
  return html("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Settings" }, table);
}

export function details(report: Report): HTMLElement {
  const { command, methods, references } = report;
  const section = html("section", { class: "panel details", id: "details" });
  section.append(html("h2", {}, "How this was made"));
  if (command) {
    const body = html("pre", { tabindex: 0, role: "region", "aria-label": "Command" }, html("code", {}, command));
    section.append(copied("Command", body, command, "the command"));
  }
  section.append(
    copied("For a methods section", html("p", {}, methods), [methods, ...references].join("\n"),
      "the paragraph and its references"),
    html("ol", { class: "references" }, ...references.map((one) => html("li", {}, one))),
  );
  if (report.settings.length > 0) section.append(settings(report));
  return section;
}
