// Mouse, fingers and keys on a picture.

import { finite, type Place } from "./lens.ts";

/** What a picture does when it is pointed at. */
export interface Target {
  readonly plot: HTMLElement;
  /** Whether dragging outlines a selection. */
  outlines(): boolean;
  hover(at: Place): void;
  leave(): void;
  click(at: Place, shift: boolean): void;
  drag(by: Place, shift: boolean): void;
  dragged(): void;
  outline(corners: Place[]): void;
  outlined(corners: Place[], shift: boolean): void;
  zoom(factor: number, at?: Place): void;
  key(event: KeyboardEvent): boolean;
}

/** A hand that moves less has clicked. */
const STILL = 4;

export function listen(target: Target): void {
  const { plot } = target;
  let from: Place | null = null;
  let far = false;
  let corners: Place[] = [];
  let asked = false;
  const place = (event: PointerEvent | WheelEvent): Place => {
    const box = plot.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };
  plot.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    from = place(event);
    far = false;
    plot.setPointerCapture(event.pointerId);
    corners = target.outlines() ? [from] : [];
  });
  plot.addEventListener("pointermove", (event) => {
    const to = place(event);
    if (!from) {
      if (asked || !finite(to)) return;
      asked = true;
      requestAnimationFrame(() => {
        asked = false;
        target.hover(to);
      });
      return;
    }
    far ||= Math.hypot(to[0] - from[0], to[1] - from[1]) > STILL;
    if (!far) return;
    if (corners.length > 0) {
      corners.push(to);
      target.outline(corners);
    } else {
      target.drag([to[0] - from[0], to[1] - from[1]], event.shiftKey);
      from = to;
    }
  });
  plot.addEventListener("pointerup", (event) => {
    if (!from) return;
    const moved = far && corners.length === 0;
    if (corners.length > 2) target.outlined(corners, event.shiftKey);
    else if (!far) target.click(place(event), event.shiftKey);
    from = null;
    corners = [];
    target.outline([]);
    if (moved) target.dragged();
  });
  plot.addEventListener("pointercancel", () => {
    from = null;
    corners = [];
    target.outline([]);
    target.dragged();
  });
  plot.addEventListener("pointerleave", () => target.leave());
  plot.addEventListener(
    "wheel",
    (event) => {
      // The page scrolls over pictures that are not in use.
      if (!event.ctrlKey && !event.metaKey && document.activeElement !== plot) return;
      event.preventDefault();
      target.zoom(Math.exp(-event.deltaY * 0.0015), place(event));
    },
    { passive: false },
  );
  plot.addEventListener("keydown", (event) => {
    if (target.key(event)) event.preventDefault();
  });
}
