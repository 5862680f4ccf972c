// Small helpers for making elements. Text from the data only becomes text nodes and attributes.

type Attributes = Record<string, string | number | boolean>;

const SVG = "http://www.w3.org/2000/svg";

function fill(element: Element, attributes: Attributes, children: (Node | string)[]): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) element.setAttribute(name, "");
    else if (value !== false) element.setAttribute(name, String(value));
  }
  element.append(...children);
}

export function html<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  fill(element, attributes, children);
  return element;
}

export function svg<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: (Node | string)[]
): SVGElementTagNameMap[K] {
  const element = document.createElementNS(SVG, tag);
  fill(element, attributes, children);
  return element;
}

export function button(text: string, action: () => void, attributes: Attributes = {}): HTMLElement {
  const element = html("button", { type: "button", ...attributes }, text);
  element.addEventListener("click", action);
  return element;
}

/** A drop-down menu. */
export function select(
  label: string,
  choices: [value: string, text: string][],
  action: (value: string) => void,
): HTMLSelectElement {
  const element = html("select", { "aria-label": label });
  for (const [value, text] of choices) element.append(html("option", { value }, clip(text, 60)));
  element.addEventListener("change", () => action(element.value));
  return element;
}

/** A group of buttons, one of which is pressed. */
export function segments<T extends string>(
  label: string,
  choices: [value: T, text: string][],
  action: (value: T) => void,
): { element: HTMLElement; show: (value: T) => void } {
  const element = html("div", { role: "group", "aria-label": label, class: "segments" });
  const buttons = choices.map(([value, text]) => {
    const one = button(text, () => action(value), { "aria-pressed": "false" });
    element.append(one);
    return [value, one] as const;
  });
  const show = (value: T) => {
    for (const [own, one] of buttons) one.setAttribute("aria-pressed", String(own === value));
  };
  return { element, show };
}

/** A text of at most `most` characters. */
export function clip(text: string, most: number): string {
  const letters = text.length > 4 * most ? [...text.slice(0, 4 * most)] : [...text];
  return letters.length <= most ? text : `${letters.slice(0, most - 1).join("")}…`;
}

/** Four digits, without an exponent unless the number is very large or small. */
export function short(value: number): string {
  if (Number.isNaN(value)) return "missing";
  const size = Math.abs(value);
  if (Number.isInteger(value) && size < 1e6) return String(value);
  if (size >= 1e-3 && size < 1e6) {
    const digits = Math.min(Math.max(3 - Math.floor(Math.log10(size)), 0), 6);
    return value.toFixed(digits);
  }
  return value.toExponential(3);
}

export function counted(n: number, one: string, many: string): string {
  return `${n.toLocaleString("en")} ${n === 1 ? one : many}`;
}

/** Round numbers over a range. */
export function ticks(low: number, high: number, most: number): number[] {
  const span = high - low;
  if (!(span > 0) || !Number.isFinite(span)) return [low];
  const raw = span / most;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((m) => m * power).find((s) => span / s <= most) ?? 10 * power;
  const found: number[] = [];
  for (let i = Math.ceil(low / step); i * step <= high + 1e-9 * span; i++) {
    found.push(Number((i * step).toPrecision(12)));
  }
  return found;
}

/** Ticks at 1 and 3 times powers of ten, for a logarithmic axis; over many powers only at 1. */
export function logTicks(low: number, high: number): number[] {
  const firsts = high / low > 1e4 ? [1] : [1, 3];
  const found: number[] = [];
  for (let power = Math.floor(Math.log10(low)); power <= Math.ceil(Math.log10(high)); power++) {
    found.push(...firsts.map((first) => Number(`${first}e${power}`)));
  }
  return found.filter((tick) => tick >= low && tick <= high);
}

/** The text of a tick: round numbers as they are, others with four digits. */
export function tickText(value: number): string {
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-4 || size >= 1e6)) return Number(value.toPrecision(4)).toExponential();
  const round = Number(value.toPrecision(9)) === value;
  return String(round ? value : Number(value.toPrecision(4)));
}

/** Announces a text on screen and to screen readers. */
export function announce(text: string): void {
  const live = document.getElementById("live");
  if (live) live.textContent = text;
}
