// Mouse, touch and keyboard input on a picture.

import { finite, type Position } from "./lens.ts";

/** The actions of a picture on input. */
export interface Target {
  readonly plot: HTMLElement;
  /** Whether dragging outlines a selection. */
  outlines(): boolean;
  hover(at: Position): void;
  leave(): void;
  click(at: Position, shift: boolean): void;
  drag(by: Position, shift: boolean): void;
  dragged(): void;
  outline(corners: Position[]): void;
  outlined(corners: Position[], shift: boolean): void;
  zoom(factor: number, at?: Position): void;
  key(event: KeyboardEvent): boolean;
}

/** Smaller movements count as a click. */
const STILL = 4;

export function listen(target: Target): void {
  const { plot } = target;
  let from: Position | null = null;
  let far = false;
  let corners: Position[] = [];
  let scheduled = false;
  const position = (event: PointerEvent | WheelEvent): Position => {
    const box = plot.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };
  plot.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    from = position(event);
    far = false;
    plot.setPointerCapture(event.pointerId);
    corners = target.outlines() ? [from] : [];
  });
  plot.addEventListener("pointermove", (event) => {
    const to = position(event);
    if (!from) {
      if (scheduled || !finite(to)) return;
      scheduled = true;
      requestAnimationFrame(() => {
        scheduled = false;
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
    else if (!far) target.click(position(event), event.shiftKey);
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
      // Pictures without the focus let the page scroll.
      if (!event.ctrlKey && !event.metaKey && document.activeElement !== plot) return;
      event.preventDefault();
      target.zoom(Math.exp(-event.deltaY * 0.0015), position(event));
    },
    { passive: false },
  );
  plot.addEventListener("keydown", (event) => {
    if (target.key(event)) event.preventDefault();
  });
}
