// The axes of a flat picture, and the directions of the axes of a rotated one.

import type { Theme } from "./app.ts";
import type { Layout } from "./data.ts";
import { clip, svg, ticks, tickText } from "./dom.ts";
import type { Lens } from "./lens.ts";
import type { Camera } from "./painter.ts";

function text(
  theme: Theme, text: string, x: number, y: number, anchor: string, size: number, turn = "",
): SVGElement {
  return svg("text", {
    x: x.toFixed(1), y: y.toFixed(1), "text-anchor": anchor, "font-size": size,
    fill: theme.quiet, "font-family": "system-ui, sans-serif",
    ...(turn ? { transform: turn } : {}),
  }, text);
}

export function axes(theme: Theme, layout: Layout, lens: Lens, camera: Camera): SVGElement[] {
  if (lens.turned) return directions(theme, layout, lens, camera);
  if (!lens.hasAxes) return [];
  const m = lens.margins();
  const [right, bottom] = [lens.size[0] - m.right, lens.size[1] - m.bottom];
  const out: SVGElement[] = [];
  const real = (axis: number, norm: number) => layout.center[axis]! + norm * layout.scale[axis]!;
  const [sx, tx, sy, ty] = [camera.m[0]!, camera.m[3]!, camera.m[5]!, camera.m[7]!];
  if (layout.axes[0]) {
    const [low, high] = [real(0, (m.left - tx) / sx), real(0, (right - tx) / sx)];
    for (const tick of ticks(low, high, Math.max(2, Math.floor((right - m.left) / 90)))) {
      const x = tx + (sx * (tick - layout.center[0]!)) / layout.scale[0]!;
      out.push(
        svg("line", { x1: x, x2: x, y1: m.top, y2: bottom, stroke: theme.line }),
        text(theme, tickText(tick), x, bottom + 16, "middle", 11),
      );
    }
    out.push(text(theme, clip(layout.axes[0], 60), 0.5 * (m.left + right), bottom + 36, "middle", 12));
  }
  if (layout.axes[1]) {
    const [low, high] = [real(1, (bottom - ty) / sy), real(1, (m.top - ty) / sy)];
    for (const tick of ticks(low, high, Math.max(2, Math.floor((bottom - m.top) / 60)))) {
      const y = ty + (sy * (tick - layout.center[1]!)) / layout.scale[1]!;
      out.push(
        svg("line", { x1: m.left, x2: right, y1: y, y2: y, stroke: theme.line }),
        text(theme, tickText(tick), m.left - 7, y + 4, "end", 11),
      );
    }
    const y = 0.5 * (m.top + bottom);
    out.push(text(theme, clip(layout.axes[1], 50), 14, y, "middle", 12, `rotate(-90 14 ${y})`));
  }
  return out;
}

/** The directions of the three axes, in a corner. */
function directions(theme: Theme, layout: Layout, lens: Lens, camera: Camera): SVGElement[] {
  const [ox, oy] = [52, lens.size[1] - 52];
  const { m } = camera;
  const unit = Math.hypot(m[0]!, m[1]!, m[2]!) || 1;
  return layout.axes.flatMap((name, axis) => {
    const [dx, dy] = [(30 * m[axis]!) / unit, (30 * m[4 + axis]!) / unit];
    return [
      svg("line", {
        x1: ox, y1: oy, x2: ox + dx, y2: oy + dy, stroke: theme.quiet, "stroke-width": 1.5,
      }),
      text(theme, clip(name.replace(/ \(.*/, ""), 8), ox + 1.4 * dx, oy + 1.4 * dy + 4, "middle", 11),
    ];
  });
}
