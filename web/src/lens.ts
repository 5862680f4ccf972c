// How a picture is looked at: its size, what of it is seen, and from where.

import type { Layout } from "./data.ts";
import type { Camera } from "./painter.ts";

export interface Margins {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

export type Place = [number, number];

/** Where a turned picture is first seen from. */
const [YAW, PITCH] = [0.6, 0.35];

export class Lens {
  size: Place = [600, 420];
  turned = false;
  private yaw = YAW;
  private pitch = PITCH;
  private zoom = 1;
  /** How far the middle is moved, as shares of the size. */
  private shift: Place = [0, 0];
  /** What is seen of a flat picture at first: left, bottom, right, top. */
  private bounds: [number, number, number, number] = [-1, -1, 1, 1];
  private equal = true;
  private withAxes = false;

  /** Shows all of a layout, with its points or without. */
  fit(layout: Layout, withPoints: boolean): void {
    const b: [number, number, number, number] = [Infinity, Infinity, -Infinity, -Infinity];
    const graph = [layout.nodes, ...layout.lines.map((line) => line.places)];
    for (const places of withPoints ? [layout.points, ...graph] : graph) {
      for (let i = 0; i + 2 < places.length; i += 3) {
        const [x, y] = [places[i]!, places[i + 1]!];
        if (!Number.isFinite(x) || !Number.isFinite(y)) continue;
        b[0] = Math.min(b[0], x);
        b[1] = Math.min(b[1], y);
        b[2] = Math.max(b[2], x);
        b[3] = Math.max(b[3], y);
      }
    }
    if (!(b[0] <= b[2])) b.splice(0, 4, -1, -1, 1, 1);
    // What is all on one line, or at one place, is shown in the middle.
    for (const axis of [0, 1]) {
      const least = layout.equal ? 0.02 * Math.max(b[2] - b[0], b[3] - b[1], 0.1) : 1e-3;
      if (b[axis + 2]! - b[axis]! < least) {
        b[axis]! -= least;
        b[axis + 2]! += least;
      }
    }
    this.bounds = b;
    this.equal = layout.equal;
    this.withAxes = layout.axes.some((name) => name !== "");
    this.reset();
  }

  reset(): void {
    this.zoom = 1;
    this.shift = [0, 0];
  }

  turnBy(yaw: number, pitch: number): void {
    this.yaw += yaw;
    this.pitch = Math.min(Math.max(this.pitch + pitch, -1.55), 1.55);
  }

  moveBy(dx: number, dy: number): void {
    this.shift = [this.shift[0] + dx / this.size[0], this.shift[1] + dy / this.size[1]];
  }

  /** Angles, enlargement and shift as short text; empty for those that a picture begins with. */
  get look(): string {
    const angles = this.turned ? [this.yaw, this.pitch] : [YAW, PITCH];
    const numbers = [...angles, this.zoom, ...this.shift];
    const begun = [YAW, PITCH, 1, 0, 0];
    if (numbers.every((x, i) => Math.abs(x - begun[i]!) < 1e-3)) return "";
    return numbers.map((x) => Number(x.toFixed(3))).join(",");
  }

  /** Looks as such a text says; what makes no sense changes nothing. */
  set look(text: string) {
    const numbers = text.split(",").map(Number);
    if (numbers.length !== 5 || !numbers.every(Number.isFinite)) return;
    const [yaw, pitch, zoom, dx, dy] = numbers as [number, number, number, number, number];
    [this.yaw, this.pitch] = [yaw, Math.min(Math.max(pitch, -1.55), 1.55)];
    this.zoom = Math.min(Math.max(zoom, 0.5), 200);
    this.shift = [dx, dy];
  }

  /** Enlarges about a place, or about the middle. */
  zoomBy(factor: number, at?: Place): void {
    const next = Math.min(Math.max(this.zoom * factor, 0.5), 200);
    const real = next / this.zoom;
    const base = this.middle();
    const about = at ?? base;
    const moved = (d: 0 | 1) => {
      const away = base[d] - about[d];
      return this.shift[d] * real + (away * real - away) / this.size[d];
    };
    this.shift = [moved(0), moved(1)];
    this.zoom = next;
  }

  get hasAxes(): boolean {
    return this.withAxes && !this.turned;
  }

  margins(): Margins {
    return this.hasAxes
      ? { left: 60, right: 48, top: 14, bottom: 46 }
      : { left: 30, right: 56, top: 30, bottom: 30 };
  }

  private middle(): Place {
    const m = this.margins();
    return [
      0.5 * (this.size[0] + m.left - m.right),
      0.5 * (this.size[1] + m.top - m.bottom),
    ];
  }

  /** How it is seen now, on ground of a colour. */
  camera(ground: Camera["ground"]): Camera {
    const [width, height] = this.size;
    const m = this.margins();
    const [w, h] = [width - m.left - m.right, height - m.top - m.bottom];
    const middle = this.middle();
    const [cx, cy] = [middle[0] + this.shift[0] * width, middle[1] + this.shift[1] * height];
    const ratio = Math.min(window.devicePixelRatio || 1, 2);
    const inside = { ...m };
    if (this.turned) {
      const s = (this.zoom * Math.min(w, h)) / 2.4;
      const [sy, cw] = [Math.sin(this.yaw), Math.cos(this.yaw)];
      const [sp, cp] = [Math.sin(this.pitch), Math.cos(this.pitch)];
      const rows = new Float32Array([
        s * cw, 0, s * sy, cx,
        -s * sp * sy, -s * cp, s * sp * cw, cy,
      ]);
      return { m: rows, width, height, ratio, inside, ground };
    }
    const [x0, y0, x1, y1] = this.bounds;
    let [sx, sy] = [w / (x1 - x0), h / (y1 - y0)];
    if (this.equal) sx = sy = Math.min(sx, sy);
    sx *= 0.97 * this.zoom;
    sy *= 0.97 * this.zoom;
    const [mx, my] = [0.5 * (x0 + x1), 0.5 * (y0 + y1)];
    const rows = new Float32Array([sx, 0, 0, cx - sx * mx, 0, -sy, 0, cy + sy * my]);
    return { m: rows, width, height, ratio, inside, ground };
  }
}

/** Where a place is seen. */
export function seen(camera: Camera, places: Float32Array, i: number): Place {
  const { m } = camera;
  const [x, y, z] = [places[3 * i]!, places[3 * i + 1]!, places[3 * i + 2]!];
  return [
    m[0]! * x + m[1]! * y + m[2]! * z + m[3]!,
    m[4]! * x + m[5]! * y + m[6]! * z + m[7]!,
  ];
}

export function finite([x, y]: Place): boolean {
  return Number.isFinite(x) && Number.isFinite(y);
}

/** Whether a place is inside of a polygon. */
export function within(corners: Place[], [x, y]: Place): boolean {
  let inside = false;
  for (let i = 0, j = corners.length - 1; i < corners.length; j = i++) {
    const [[xi, yi], [xj, yj]] = [corners[i]!, corners[j]!];
    if (yi > y !== yj > y && x < ((xj - xi) * (y - yi)) / (yj - yi) + xi) inside = !inside;
  }
  return inside;
}
