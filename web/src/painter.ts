// Points on a canvas: with WebGL on a graphics card, or pixel by pixel.

/** The projection from positions to pixels. */
export interface Camera {
  /** A 2×4 matrix that maps (x, y, z, 1) to pixels right and down. */
  m: Float32Array;
  width: number;
  height: number;
  /** Device pixels per pixel. */
  ratio: number;
  /** The background color. */
  ground: [number, number, number];
  /** Points are drawn inside these margins. */
  inside: { left: number; right: number; top: number; bottom: number };
}

export interface Painter {
  readonly canvas: HTMLCanvasElement;
  /** Three coordinates per point; NaN hides a point. */
  setPositions(positions: Float32Array): void;
  /** Four bytes per point. */
  colors(rgba: Uint8Array): void;
  /** Draws every `stride`-th point. */
  paint(camera: Camera, radius: number, stride: number): void;
}

const VERTEX = `
attribute vec3 position;
attribute vec4 color;
uniform vec4 row_x;
uniform vec4 row_y;
uniform mediump float size;
varying lowp vec4 tint;
void main() {
  vec4 p = vec4(position, 1.0);
  gl_Position = vec4(dot(row_x, p), dot(row_y, p), 0.0, 1.0);
  gl_PointSize = size;
  tint = vec4(color.rgb * color.a, color.a);
}`;

const FRAGMENT = `
precision mediump float;
varying lowp vec4 tint;
uniform mediump float size;
void main() {
  vec2 d = gl_PointCoord - 0.5;
  float r = length(d) * size;
  float edge = 0.5 * size;
  gl_FragColor = tint * clamp(edge - r, 0.0, 1.0);
}`;

/** Far outside every picture. */
const AWAY = 1e9;

class WebGlPainter implements Painter {
  private readonly program: WebGLProgram;
  private readonly placeBuffer: WebGLBuffer;
  private readonly colorBuffer: WebGLBuffer;
  private count = 0;
  private lastPositions: Float32Array | null = null;
  private lastColors: Uint8Array | null = null;

  constructor(
    readonly canvas: HTMLCanvasElement,
    private readonly gl: WebGLRenderingContext,
  ) {
    const [program, positions, colors] = [build(gl), gl.createBuffer(), gl.createBuffer()];
    if (!program || !positions || !colors) throw new Error("WebGL does not work here");
    this.program = program;
    this.placeBuffer = positions;
    this.colorBuffer = colors;
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
  }

  setPositions(positions: Float32Array): void {
    if (positions === this.lastPositions) return;
    this.lastPositions = positions;
    const shown = positions.map((x) => (Number.isFinite(x) ? x : AWAY));
    this.count = positions.length / 3;
    this.gl.bindBuffer(this.gl.ARRAY_BUFFER, this.placeBuffer);
    this.gl.bufferData(this.gl.ARRAY_BUFFER, shown, this.gl.STATIC_DRAW);
  }

  colors(rgba: Uint8Array): void {
    if (rgba === this.lastColors) return;
    this.lastColors = rgba;
    this.gl.bindBuffer(this.gl.ARRAY_BUFFER, this.colorBuffer);
    this.gl.bufferData(this.gl.ARRAY_BUFFER, rgba, this.gl.STATIC_DRAW);
  }

  paint(camera: Camera, radius: number, stride: number): void {
    const { gl, program, canvas } = this;
    fit(canvas, camera);
    gl.viewport(0, 0, canvas.width, canvas.height);
    gl.clearColor(0, 0, 0, 0);
    gl.disable(gl.SCISSOR_TEST);
    gl.clear(gl.COLOR_BUFFER_BIT);
    const { inside, ratio } = camera;
    const part = (from: number, to: number) => Math.max(Math.round((to - from) * ratio), 0);
    gl.enable(gl.SCISSOR_TEST);
    gl.scissor(
      Math.round((inside.left - 8) * ratio), Math.round((inside.bottom - 8) * ratio),
      part(inside.left - 8, camera.width - inside.right + 8),
      part(inside.top - 8, camera.height - inside.bottom + 8),
    );
    gl.useProgram(program);
    const position = gl.getAttribLocation(program, "position");
    gl.bindBuffer(gl.ARRAY_BUFFER, this.placeBuffer);
    gl.enableVertexAttribArray(position);
    gl.vertexAttribPointer(position, 3, gl.FLOAT, false, 12 * stride, 0);
    const color = gl.getAttribLocation(program, "color");
    gl.bindBuffer(gl.ARRAY_BUFFER, this.colorBuffer);
    gl.enableVertexAttribArray(color);
    gl.vertexAttribPointer(color, 4, gl.UNSIGNED_BYTE, true, 4 * stride, 0);
    const { m, width, height } = camera;
    const x = [0, 1, 2, 3].map((c) => (2 * m[c]!) / width);
    const y = [4, 5, 6, 7].map((c) => (-2 * m[c]!) / height);
    x[3]! -= 1;
    y[3]! += 1;
    gl.uniform4fv(gl.getUniformLocation(program, "row_x"), x);
    gl.uniform4fv(gl.getUniformLocation(program, "row_y"), y);
    gl.uniform1f(gl.getUniformLocation(program, "size"), 2 * radius * camera.ratio + 1);
    gl.drawArrays(gl.POINTS, 0, Math.ceil(this.count / stride));
  }
}

function build(gl: WebGLRenderingContext): WebGLProgram | null {
  const program = gl.createProgram();
  for (const [kind, source] of [
    [gl.VERTEX_SHADER, VERTEX],
    [gl.FRAGMENT_SHADER, FRAGMENT],
  ] as const) {
    const shader = gl.createShader(kind);
    if (!shader || !program) return null;
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
  }
  if (!program) return null;
  gl.linkProgram(program);
  return gl.getProgramParameter(program, gl.LINK_STATUS) ? program : null;
}

/** The pixels that a point covers: their offsets in memory, and their coverage out of 256. */
function stamp(radius: number, width: number): { reach: number; steps: Int32Array; cover: Int32Array } {
  const reach = Math.ceil(radius);
  const [steps, cover]: [number[], number[]] = [[], []];
  for (let dy = -reach; dy <= reach; dy++) {
    for (let dx = -reach; dx <= reach; dx++) {
      const part = Math.min(Math.max(radius + 0.5 - Math.hypot(dx, dy), 0), 1);
      if (part < 0.05) continue;
      steps.push(dy * width + dx);
      cover.push(Math.round(256 * part));
    }
  }
  return { reach, steps: Int32Array.from(steps), cover: Int32Array.from(cover) };
}

/** Sets pixels one by one, which is faster than WebGL without a graphics card. */
class PixelPainter implements Painter {
  private positions: Float32Array = new Float32Array(0);
  private rgba: Uint8Array = new Uint8Array(0);
  private image: ImageData | null = null;

  constructor(
    readonly canvas: HTMLCanvasElement,
    private readonly context: CanvasRenderingContext2D,
  ) {}

  setPositions(positions: Float32Array): void {
    this.positions = positions;
  }

  colors(rgba: Uint8Array): void {
    this.rgba = rgba;
  }

  paint(camera: Camera, radius: number, stride: number): void {
    const { canvas, context, positions, rgba } = this;
    fit(canvas, camera);
    const { width, height } = canvas;
    if (width === 0 || height === 0) return;
    if (this.image?.width !== width || this.image.height !== height) {
      this.image = context.createImageData(width, height);
    }
    const pixels = new Int32Array(this.image.data.buffer);
    const { m, ratio, inside } = camera;
    const [gr, gg, gb] = camera.ground;
    pixels.fill(0xff000000 | (gb << 16) | (gg << 8) | gr);
    const { reach, steps, cover } = stamp(radius * ratio, width);
    const left = Math.max((inside.left - 8) * ratio, reach);
    const right = Math.min(width - (inside.right - 8) * ratio, width - reach - 1);
    const top = Math.max((inside.top - 8) * ratio, reach);
    const bottom = Math.min(height - (inside.bottom - 8) * ratio, height - reach - 1);
    const [xx, xy, xz, x0] = [0, 1, 2, 3].map((c) => m[c]! * ratio) as [number, number, number, number];
    const [yx, yy, yz, y0] = [4, 5, 6, 7].map((c) => m[c]! * ratio) as [number, number, number, number];
    // No allocations: this runs for every pixel of every point.
    const n = positions.length / 3;
    const size = steps.length;
    for (let i = 0; i < n; i += stride) {
      const x = positions[3 * i]!;
      const y = positions[3 * i + 1]!;
      const z = positions[3 * i + 2]!;
      const px = xx * x + xy * y + xz * z + x0;
      const py = yx * x + yy * y + yz * z + y0;
      // NaN is not inside either.
      if (!(px >= left && px <= right && py >= top && py <= bottom)) continue;
      const at = (py | 0) * width + (px | 0);
      const r = rgba[4 * i]!;
      const g = rgba[4 * i + 1]!;
      const b = rgba[4 * i + 2]!;
      const a = rgba[4 * i + 3]!;
      for (let s = 0; s < size; s++) {
        const to = at + steps[s]!;
        const part = (cover[s]! * a) >> 8;
        const old = pixels[to]!;
        const or = old & 255;
        const og = (old >> 8) & 255;
        const ob = (old >> 16) & 255;
        pixels[to] =
          0xff000000 |
          ((ob + (((b - ob) * part) >> 8)) << 16) |
          ((og + (((g - og) * part) >> 8)) << 8) |
          (or + (((r - or) * part) >> 8));
      }
    }
    context.putImageData(this.image, 0, 0);
  }
}

function fit(canvas: HTMLCanvasElement, { width, height, ratio }: Camera): void {
  const [w, h] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== w) canvas.width = w;
  if (canvas.height !== h) canvas.height = h;
}

/** Whether WebGL runs without a graphics card. */
function isSlow(gl: WebGLRenderingContext): boolean {
  const info = gl.getExtension("WEBGL_debug_renderer_info");
  const name: unknown = gl.getParameter(info ? info.UNMASKED_RENDERER_WEBGL : gl.RENDERER);
  return /swiftshader|llvmpipe|softpipe|software|basic render/i.test(String(name));
}

/** Whether the browser supports WebGL, with or without a graphics card. */
export function hasWebGl(): boolean {
  try {
    const gl = document.createElement("canvas").getContext("webgl");
    gl?.getExtension("WEBGL_lose_context")?.loseContext();
    return gl !== null;
  } catch {
    return false;
  }
}

/** A painter with WebGL on a graphics card, or pixel by pixel; null if neither works. */
export function painter(forced?: "webgl" | "pixels"): Painter | null {
  const canvas = document.createElement("canvas");
  if (forced !== "pixels") {
    try {
      const gl = canvas.getContext("webgl", {
        antialias: false, premultipliedAlpha: true, failIfMajorPerformanceCaveat: forced !== "webgl",
      });
      if (gl && (forced || !isSlow(gl))) return new WebGlPainter(canvas, gl);
    } catch {
      // Fall back to pixels below.
    }
  }
  const plain = document.createElement("canvas");
  const context = plain.getContext("2d", { alpha: false });
  return context ? new PixelPainter(plain, context) : null;
}
