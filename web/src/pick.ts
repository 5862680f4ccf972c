// Finding the node or point at a position in a picture.

import { seen, type Position } from "./lens.ts";
import { radii, type Scene } from "./overlay.ts";
import type { Camera } from "./painter.ts";

/** The nearest node within reach, or -1. */
export function nearestNode(scene: Scene, [x, y]: Position, reach: number): number {
  let [best, least] = [-1, Infinity];
  const radius = radii(scene);
  for (let k = 0; k < scene.app.report.nodes; k++) {
    const [nx, ny] = seen(scene.camera, scene.layout.nodes, k);
    const away = Math.hypot(nx - x, ny - y);
    if (away < least && away <= Math.max(reach, radius(k))) [best, least] = [k, away];
  }
  return best;
}

/** The nearest point within reach, among the selected points if there are any, or -1. */
export function nearestPoint(
  { m }: Camera, points: Float32Array, [x, y]: Position, reach: number, selection: Uint8Array | null,
): number {
  let best = -1;
  let least = reach * reach;
  for (let i = 0, j = 0; j < points.length; i++, j += 3) {
    const px = points[j]!;
    const py = points[j + 1]!;
    const pz = points[j + 2]!;
    const dx = m[0]! * px + m[1]! * py + m[2]! * pz + m[3]! - x;
    const dy = m[4]! * px + m[5]! * py + m[6]! * pz + m[7]! - y;
    const away = dx * dx + dy * dy;
    if (away < least && (!selection || selection[i])) {
      best = i;
      least = away;
    }
  }
  return best;
}

/** The nearest node in a direction, or the same node if there is none. */
export function nextNode({ app, camera, layout }: Scene, from: number, [dx, dy]: Position): number {
  const here = seen(camera, layout.nodes, from);
  let [best, cost] = [from, Infinity];
  for (let k = 0; k < app.report.nodes; k++) {
    const [x, y] = seen(camera, layout.nodes, k);
    const forward = (x - here[0]) * dx + (y - here[1]) * dy;
    const aside = Math.abs((x - here[0]) * dy) + Math.abs((y - here[1]) * dx);
    if (k === from || !(forward > 0.5) || aside > 2 * forward) continue;
    if (forward + 2 * aside < cost) [best, cost] = [k, forward + 2 * aside];
  }
  return best;
}
