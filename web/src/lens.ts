// The view of a picture: its size, the visible part, and the angle.

import type { Layout } from "./data.ts";
import type { Camera } from "./painter.ts";

export interface Margins {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

export type Position = [number, number];

/** The initial angles of a rotated picture. */
const [YAW, PITCH] = [0.6, 0.35];

export class Lens {
  size: Position = [600, 420];
  turned = false;
  private yaw = YAW;
  private pitch = PITCH;
  private zoom = 1;
  /** The shift of the center, as shares of the size. */
  private shift: Position = [0, 0];
  /** The initial bounds of a flat picture: left, bottom, right, top. */
  private bounds: [number, number, number, number] = [-1, -1, 1, 1];
  private equal = true;
  private withAxes = false;

  /** Shows a whole layout, with or without its points. */
  fit(layout: Layout, withPoints: boolean): void {
    const b: [number, number, number, number] = [Infinity, Infinity, -Infinity, -Infinity];
    const graph = [layout.nodes, ...layout.lines.map((line) => line.positions)];
    for (const positions of withPoints ? [layout.points, ...graph] : graph) {
      for (let i = 0; i + 2 < positions.length; i += 3) {
        const [x, y] = [positions[i]!, positions[i + 1]!];
        if (!Number.isFinite(x) || !Number.isFinite(y)) continue;
        b[0] = Math.min(b[0], x);
        b[1] = Math.min(b[1], y);
        b[2] = Math.max(b[2], x);
        b[3] = Math.max(b[3], y);
      }
    }
    if (!(b[0] <= b[2])) b.splice(0, 4, -1, -1, 1, 1);
    // Data on a single line or at a single position is centered.
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

  /** Angles, zoom and shift as a short text; empty for the initial view. */
  get look(): string {
    const angles = this.turned ? [this.yaw, this.pitch] : [YAW, PITCH];
    const numbers = [...angles, this.zoom, ...this.shift];
    const begun = [YAW, PITCH, 1, 0, 0];
    if (numbers.every((x, i) => Math.abs(x - begun[i]!) < 1e-3)) return "";
    return numbers.map((x) => Number(x.toFixed(3))).join(",");
  }

  /** Sets the view from such a text; invalid text is ignored. */
  set look(text: string) {
    const numbers = text.split(",").map(Number);
    if (numbers.length !== 5 || !numbers.every(Number.isFinite)) return;
    const [yaw, pitch, zoom, dx, dy] = numbers as [number, number, number, number, number];
    [this.yaw, this.pitch] = [yaw, Math.min(Math.max(pitch, -1.55), 1.55)];
    this.zoom = Math.min(Math.max(zoom, 0.5), 200);
    this.shift = [dx, dy];
  }

  /** Zooms around a position, or around the center. */
  zoomBy(factor: number, at?: Position): void {
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

  private middle(): Position {
    const m = this.margins();
    return [
      0.5 * (this.size[0] + m.left - m.right),
      0.5 * (this.size[1] + m.top - m.bottom),
    ];
  }

  /** The current camera, with a background color. */
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

/** The pixel of a position. */
export function seen(camera: Camera, positions: Float32Array, i: number): Position {
  const { m } = camera;
  const [x, y, z] = [positions[3 * i]!, positions[3 * i + 1]!, positions[3 * i + 2]!];
  return [
    m[0]! * x + m[1]! * y + m[2]! * z + m[3]!,
    m[4]! * x + m[5]! * y + m[6]! * z + m[7]!,
  ];
}

export function finite([x, y]: Position): boolean {
  return Number.isFinite(x) && Number.isFinite(y);
}

/** Whether a position is inside a polygon. */
export function within(corners: Position[], [x, y]: Position): boolean {
  let inside = false;
  for (let i = 0, j = corners.length - 1; i < corners.length; j = i++) {
    const [[xi, yi], [xj, yj]] = [corners[i]!, corners[j]!];
    if (yi > y !== yj > y && x < ((xj - xi) * (y - yi)) / (yj - yi) + xi) inside = !inside;
  }
  return inside;
}
