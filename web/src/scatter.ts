// An interactive picture of points and graph: rotate, move, zoom, hover, select.

import type { App } from "./app.ts";
import { axes } from "./axes.ts";
import { css, parse } from "./colors.ts";
import type { Layout } from "./data.ts";
import { announce, button, clip, counted, html, svg } from "./dom.ts";
import { finite, Lens, seen, within, type Position } from "./lens.ts";
import { bounds, graph, ring, type Scene } from "./overlay.ts";
import { painter, type Camera, type Painter } from "./painter.ts";
import { nearestNode, nearestPoint, nextNode } from "./pick.ts";
import { listen, type Target } from "./pointer.ts";
import type { Picture } from "./save.ts";

export interface Options {
  id: string;
  title: string;
  /** What the picture shows, for screen readers. */
  about: string;
  nodes: "dots" | "pies";
}

/** Pictures that take longer than this many milliseconds show fewer points while they move. */
const SLOW = 45;
/** They show every n-th point then, with n at most this. */
const MAX_STRIDE = 8;
/** More points are saved as one image in a drawing. */
const MAX_CIRCLES = 20000;

export class Scatter implements Target {
  readonly element: HTMLElement;
  readonly controls = html("div", { class: "controls" });
  readonly caption = html("figcaption");
  readonly plot: HTMLElement;
  private readonly painter: Painter | null;
  private readonly overlay = svg("svg", { class: "overlay", "aria-hidden": "true" });
  private readonly back = svg("g");
  private readonly graph = svg("g");
  /** Separate, so that highlights are redrawn without the rest. */
  private readonly front = svg("svg", { class: "overlay", "aria-hidden": "true" });
  private readonly tip = html("div", { class: "tip", hidden: true });
  private readonly lens = new Lens();
  private withPoints = true;
  private scheduled = false;
  private moving = false;
  private stride = 1;
  private focusNode = -1;
  private corners: Position[] = [];
  private painted: { layout: Layout | null; rgba: Uint8Array | null } = { layout: null, rgba: null };
  private lastFrame = 0;
  /** Called when the view changes. */
  looked: () => void = () => {};
  /** Milliseconds between frames during the last movement. */
  readonly frames: number[] = [];

  constructor(
    private readonly app: App,
    private readonly options: Options,
    private layout: Layout,
  ) {
    const { id, title, about } = options;
    this.painter = painter(app.painter);
    this.plot = html("div", {
      class: "plot", id: `${id}-plot`, tabindex: 0, role: "group",
      "aria-label": `${title}: ${about} Arrow keys move from node to node, Enter makes the node ` +
        "the root, P makes it the start or end of the path, plus and minus zoom, 0 shows everything.",
    });
    this.overlay.append(this.back, this.graph);
    if (this.painter) this.plot.append(this.painter.canvas);
    this.plot.append(this.overlay, this.front, this.tip);
    const zoom = html("div", { class: "zoom", role: "group", "aria-label": `Zoom: ${title}` },
      button("+", () => this.zoom(1.4), { "aria-label": "Zoom in", title: "Zoom in" }),
      button("−", () => this.zoom(1 / 1.4), { "aria-label": "Zoom out", title: "Zoom out" }),
      button("⤢", () => this.reset(), { "aria-label": "Show everything", title: "Show everything" }));
    this.element = html("figure", { class: "panel", id },
      html("div", { class: "head" }, html("h2", {}, title), this.controls),
      html("div", { class: "stage" }, this.plot, zoom),
      this.caption);
    listen(this);
    this.plot.addEventListener("blur", () => {
      this.focusNode = -1;
      this.drawFront();
    });
    this.lens.fit(layout, this.withPoints);
    new ResizeObserver(() => this.resize()).observe(this.plot);
  }

  /** Shows a different layout and resets the view. */
  setLayout(layout: Layout): void {
    this.layout = layout;
    this.lens.fit(layout, this.withPoints);
    this.draw();
  }

  get pointsShown(): boolean {
    return this.withPoints;
  }

  showPoints(shown: boolean): void {
    this.withPoints = shown;
    this.painted.layout = null;
    this.lens.fit(this.layout, shown);
    this.draw();
  }

  /** Shows the picture in three dimensions, or flat. */
  turn(on: boolean): void {
    this.lens.turned = on;
    this.reset();
  }

  reset(): void {
    this.lens.reset();
    this.draw();
    this.looked();
  }

  zoom(factor: number, at?: Position): void {
    this.lens.zoomBy(factor, at);
    this.draw();
    this.looked();
  }

  get look(): string {
    return this.lens.look;
  }

  set look(text: string) {
    this.lens.look = text;
    this.draw();
  }

  private resize(): void {
    const box = this.plot.getBoundingClientRect();
    if (box.width > 0 && box.height > 0) this.lens.size = [box.width, box.height];
    this.draw();
  }

  /** Draws before the next frame. */
  draw(): void {
    if (this.scheduled) return;
    this.scheduled = true;
    requestAnimationFrame(() => {
      this.scheduled = false;
      this.render();
    });
  }

  private pointRadius(): number {
    const n = this.layout.points.length / 3;
    return Math.min(Math.max(90 / Math.sqrt(Math.max(n, 1)), 0.9), 3.4);
  }

  private camera(): Camera {
    return this.lens.camera(parse(this.app.theme.ground));
  }

  private scene(camera: Camera): Scene {
    const { app, layout, lens, moving } = this;
    return { app, layout, lens, camera, moving, nodes: this.options.nodes };
  }

  private render(): void {
    const now = performance.now();
    if (this.moving && now - this.lastFrame < 1000) this.frames.push(now - this.lastFrame);
    if (this.frames.length > 200) this.frames.shift();
    this.lastFrame = now;
    const camera = this.camera();
    this.paint(camera);
    const { width, height } = camera;
    for (const layer of [this.overlay, this.front]) {
      layer.setAttribute("viewBox", `0 0 ${width} ${height}`);
    }
    this.back.replaceChildren(...axes(this.app.theme, this.layout, this.lens, camera));
    const clipId = `${this.options.id}-clip`;
    const scene = this.scene(camera);
    const [x, y, right, bottom] = bounds(scene);
    this.graph.replaceChildren(
      svg("clipPath", { id: clipId }, svg("rect", {
        x, y, width: Math.max(right - x, 0), height: Math.max(bottom - y, 0),
      })),
      svg("g", { "clip-path": `url(#${clipId})` }, ...graph(scene)),
    );
    this.drawFront(camera);
  }

  private paint(camera: Camera): void {
    if (!this.painter) return;
    if (this.painted.layout !== this.layout) {
      this.painter.setPositions(this.withPoints ? this.layout.points : new Float32Array(0));
    }
    if (this.painted.rgba !== this.app.rgba) this.painter.colors(this.app.rgba);
    this.painted = { layout: this.layout, rgba: this.app.rgba };
    this.painter.paint(camera, this.pointRadius(), this.moving ? this.stride : 1);
  }

  /** The highlights, and the outline that is being drawn. */
  drawFront(camera = this.camera()): void {
    const { app, layout } = this;
    const { state, theme } = app;
    const out: SVGElement[] = [];
    const about = ([x, y]: Position, r: number) =>
      out.push(...ring(x, y, r, theme.accent, theme.ground, 2));
    if (state.hoverPoint >= 0) {
      if (this.withPoints) about(seen(camera, layout.points, state.hoverPoint), this.pointRadius() + 4);
      else about(this.onGraph(camera, state.hoverPoint), 7);
    }
    if (state.hoverEdge >= 0) {
      const { a, b } = app.report;
      const ends = [a[state.hoverEdge]!, b[state.hoverEdge]!].map((k) => seen(camera, layout.nodes, k));
      if (ends.every(finite)) {
        const [[x1, y1], [x2, y2]] = ends as [Position, Position];
        out.push(svg("line", { x1, y1, x2, y2, stroke: theme.accent, "stroke-width": 4 }));
      }
      ends.forEach((end) => about(end, 9));
    }
    if (state.hoverNode >= 0) about(seen(camera, layout.nodes, state.hoverNode), 9);
    if (this.focusNode >= 0) about(seen(camera, layout.nodes, this.focusNode), 12);
    if (this.corners.length > 1) {
      const d = `M${this.polygon(this.corners).map(([x, y]) => `${x} ${y}`).join("L")}Z`;
      out.push(svg("path", {
        d, fill: theme.accent, "fill-opacity": 0.12, stroke: theme.accent, "stroke-width": 1.5,
        "stroke-dasharray": "5 4",
      }));
    }
    if (out.length > 0 || this.front.hasChildNodes()) this.front.replaceChildren(...out);
  }

  /** The projection of a point onto the drawn graph. */
  private onGraph(camera: Camera, i: number): Position {
    const { a, b, edgeOrNode, pos } = this.app.report;
    const edge = edgeOrNode[i]!;
    if (edge >= a.length) return seen(camera, this.layout.nodes, edge - a.length);
    const [p, q] = [seen(camera, this.layout.nodes, a[edge]!), seen(camera, this.layout.nodes, b[edge]!)];
    const share = pos[i]!;
    return [p[0] + share * (q[0] - p[0]), p[1] + share * (q[1] - p[1])];
  }

  outlines(): boolean {
    return this.app.state.tool !== "move" && this.withPoints;
  }

  outline(corners: Position[]): void {
    this.corners = corners;
    this.drawFront();
  }

  /** The outline as a polygon; a box has four corners. */
  private polygon(corners: Position[]): Position[] {
    if (this.app.state.tool !== "box") return corners;
    const [a, b] = [corners[0]!, corners[corners.length - 1]!];
    return [a, [b[0], a[1]], b, [a[0], b[1]]];
  }

  /** Selects the points inside the outline; with shift, adds them to the selection. */
  outlined(corners: Position[], add: boolean): void {
    const camera = this.camera();
    const polygon = this.polygon(corners);
    const selection = new Uint8Array(this.app.report.drawn);
    if (add && this.app.state.selection) selection.set(this.app.state.selection);
    let count = 0;
    for (let i = 0; i < selection.length; i++) {
      const at = seen(camera, this.layout.points, i);
      if (finite(at) && within(polygon, at)) selection[i] = 1;
      count += selection[i]!;
    }
    this.app.store.set({ selection: count > 0 ? selection : null });
    announce(`${counted(count, "point", "points")} selected`);
  }

  drag([dx, dy]: Position, shift: boolean): void {
    this.tip.hidden = true;
    const last = this.frames.slice(-3);
    const slow = last.length === 3 && last.every((frame) => frame > SLOW);
    if (this.moving && slow && this.stride < MAX_STRIDE) this.stride++;
    if (!this.moving) this.frames.length = 0;
    this.moving = true;
    if (this.lens.turned && !shift) this.lens.turnBy(dx * 0.008, dy * 0.008);
    else this.lens.moveBy(dx, dy);
    this.draw();
  }

  dragged(): void {
    this.moving = false;
    this.draw();
    this.looked();
  }

  leave(): void {
    this.tip.hidden = true;
    this.app.store.set({ hoverPoint: -1, hoverNode: -1 });
  }

  hover(at: Position): void {
    const camera = this.camera();
    const { app, tip } = this;
    const node = nearestNode(this.scene(camera), at, 6);
    const point = node < 0 ? this.pointAt(camera, at) : -1;
    app.store.set({ hoverNode: node, hoverPoint: point });
    tip.hidden = node < 0 && point < 0;
    if (tip.hidden) return;
    const lines = node >= 0 ? app.describeNode(node) : app.describePoint(point);
    if (node >= 0) {
      lines.push(app.state.action === "path" ? "click: start or end of the path" : "click: make it the root");
    }
    tip.replaceChildren(...lines.map((line) => html("div", {}, clip(line, 80))));
    const [width, height] = this.lens.size;
    const below = at[1] + 16 + tip.offsetHeight < height;
    tip.style.left = `${Math.max(4, Math.min(at[0] + 14, width - tip.offsetWidth - 6))}px`;
    tip.style.top = `${below ? at[1] + 14 : Math.max(4, at[1] - tip.offsetHeight - 10)}px`;
  }

  private pointAt(camera: Camera, at: Position): number {
    const { selection } = this.app.state;
    return this.withPoints ? nearestPoint(camera, this.layout.points, at, 9, selection) : -1;
  }

  click(at: Position, shift: boolean): void {
    const camera = this.camera();
    const { app } = this;
    const node = nearestNode(this.scene(camera), at, 9);
    if (node >= 0) {
      app.chooseNode(node, shift);
      return;
    }
    const point = this.pointAt(camera, at);
    if (point >= 0) {
      const selection = new Uint8Array(app.report.drawn);
      if (shift && app.state.selection) selection.set(app.state.selection);
      selection[point] = 1;
      app.store.set({ selection });
    } else if (app.state.selection) {
      app.store.set({ selection: null });
    }
  }

  key(event: KeyboardEvent): boolean {
    const steps: Record<string, Position> = {
      ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1],
    };
    const { app } = this;
    const step = steps[event.key];
    const node = this.focusNode;
    if (step && event.shiftKey && this.lens.turned) {
      this.lens.turnBy(0.12 * step[0], 0.12 * step[1]);
      this.draw();
      this.looked();
    } else if (step) {
      this.walk(step);
    } else if (event.key === "Enter" && node >= 0) {
      app.store.set({ root: [node] });
      announce(`node ${node} is the root`);
    } else if (event.key.toLowerCase() === "p" && node >= 0) {
      app.chooseNode(node, true);
      announce(`path: node ${app.state.path.join(" to node ")}`);
    } else if (event.key === "+" || event.key === "=") {
      this.zoom(1.4);
    } else if (event.key === "-") {
      this.zoom(1 / 1.4);
    } else if (event.key === "0") {
      this.reset();
    } else if (event.key === "Escape") {
      app.store.set({ selection: null, path: [] });
    } else {
      return false;
    }
    return true;
  }

  /** Moves to the nearest node in a direction; at first to the root. */
  private walk(step: Position): void {
    this.focusNode = this.focusNode < 0
      ? (this.app.state.root[0] ?? 0)
      : nextNode(this.scene(this.camera()), this.focusNode, step);
    announce(this.app.describeNode(this.focusNode).join(", "));
    this.app.store.set({ hoverNode: this.focusNode });
    this.drawFront();
  }

  /** The picture as a standalone drawing. */
  picture(): Picture {
    this.render();
    const [width, height] = this.lens.size;
    const drawing = svg("svg", {}, this.back.cloneNode(true));
    const points = this.pointsDrawing();
    if (points) drawing.append(points);
    drawing.append(this.graph.cloneNode(true));
    return { drawing, width, height };
  }

  /** Few points as circles, many as one image. */
  private pointsDrawing(): SVGElement | null {
    const n = this.layout.points.length / 3;
    if (!this.withPoints || n === 0 || !this.painter) return null;
    const camera = this.camera();
    if (n > MAX_CIRCLES) {
      const [width, height] = this.lens.size;
      this.painter.paint(camera, this.pointRadius(), 1);
      return svg("image", { href: this.painter.canvas.toDataURL("image/png"), width, height });
    }
    const group = svg("g");
    const { rgba } = this.app;
    const r = this.pointRadius().toFixed(1);
    for (let i = 0; i < n; i++) {
      const at = seen(camera, this.layout.points, i);
      if (!finite(at)) continue;
      group.append(svg("circle", {
        cx: at[0].toFixed(1), cy: at[1].toFixed(1), r,
        fill: css([rgba[4 * i]!, rgba[4 * i + 1]!, rgba[4 * i + 2]!]),
        "fill-opacity": (rgba[4 * i + 3]! / 255).toFixed(2),
      }));
    }
    return group;
  }
}
