// Points on a canvas: with WebGL, or a part of them without it.

/** Where places are seen. */
export interface Camera {
  /** Two rows of four: pixels to the right and down are these times (x, y, z, 1). */
  m: Float32Array;
  width: number;
  height: number;
  /** Pixels of the screen for each. */
  ratio: number;
  /** Points are drawn inside of these margins. */
  inside: { left: number; right: number; top: number; bottom: number };
}

export interface Painter {
  readonly canvas: HTMLCanvasElement;
  /** Three coordinates for each point; NaN hides one. */
  positions(places: Float32Array): void;
  /** Four bytes for each point. */
  colors(rgba: Uint8Array): void;
  /** Draws every `stride`-th point. */
  paint(camera: Camera, radius: number, stride: number): void;
}

const VERTEX = `
attribute vec3 place;
attribute vec4 color;
uniform vec4 row_x;
uniform vec4 row_y;
uniform float size;
varying lowp vec4 tint;
void main() {
  vec4 p = vec4(place, 1.0);
  gl_Position = vec4(dot(row_x, p), dot(row_y, p), 0.0, 1.0);
  gl_PointSize = size;
  tint = vec4(color.rgb * color.a, color.a);
}`;

const FRAGMENT = `
precision mediump float;
varying lowp vec4 tint;
uniform float size;
void main() {
  vec2 d = gl_PointCoord - 0.5;
  float r = length(d) * size;
  float edge = 0.5 * size;
  gl_FragColor = tint * clamp(edge - r, 0.0, 1.0);
}`;

/** Far outside of every picture. */
const AWAY = 1e9;

class WebGlPainter implements Painter {
  private readonly program: WebGLProgram;
  private readonly placeBuffer: WebGLBuffer;
  private readonly colorBuffer: WebGLBuffer;
  private count = 0;
  private lastPlaces: Float32Array | null = null;
  private lastColors: Uint8Array | null = null;

  constructor(
    readonly canvas: HTMLCanvasElement,
    private readonly gl: WebGLRenderingContext,
  ) {
    const [program, places, colors] = [build(gl), gl.createBuffer(), gl.createBuffer()];
    if (!program || !places || !colors) throw new Error("WebGL does not work here");
    this.program = program;
    this.placeBuffer = places;
    this.colorBuffer = colors;
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
  }

  positions(places: Float32Array): void {
    if (places === this.lastPlaces) return;
    this.lastPlaces = places;
    const shown = places.map((x) => (Number.isFinite(x) ? x : AWAY));
    this.count = places.length / 3;
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
    const place = gl.getAttribLocation(program, "place");
    gl.bindBuffer(gl.ARRAY_BUFFER, this.placeBuffer);
    gl.enableVertexAttribArray(place);
    gl.vertexAttribPointer(place, 3, gl.FLOAT, false, 12 * stride, 0);
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

/** More points than this take too long without WebGL. */
const MOST_FLAT = 20000;

class FlatPainter implements Painter {
  private places = new Float32Array(0);
  private rgba: Uint8Array = new Uint8Array(0);

  constructor(
    readonly canvas: HTMLCanvasElement,
    private readonly context: CanvasRenderingContext2D,
  ) {}

  positions(places: Float32Array): void {
    this.places = places as Float32Array<ArrayBuffer>;
  }

  colors(rgba: Uint8Array): void {
    this.rgba = rgba;
  }

  paint(camera: Camera, radius: number, stride: number): void {
    fit(this.canvas, camera);
    const { context, places, rgba } = this;
    const { m, ratio } = camera;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, camera.width, camera.height);
    const n = places.length / 3;
    const step = stride * Math.max(1, Math.ceil(n / MOST_FLAT));
    for (let i = 0; i < n; i += step) {
      const [x, y, z] = [places[3 * i]!, places[3 * i + 1]!, places[3 * i + 2]!];
      const px = m[0]! * x + m[1]! * y + m[2]! * z + m[3]!;
      const py = m[4]! * x + m[5]! * y + m[6]! * z + m[7]!;
      if (!Number.isFinite(px) || !Number.isFinite(py)) continue;
      const alpha = (rgba[4 * i + 3]! / 255).toFixed(2);
      context.fillStyle = `rgba(${rgba[4 * i]},${rgba[4 * i + 1]},${rgba[4 * i + 2]},${alpha})`;
      context.fillRect(px - radius, py - radius, 2 * radius, 2 * radius);
    }
  }
}

function fit(canvas: HTMLCanvasElement, { width, height, ratio }: Camera): void {
  const [w, h] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== w) canvas.width = w;
  if (canvas.height !== h) canvas.height = h;
}

/** Whether points had to be painted without WebGL. */
export let withoutWebGl = false;

/** The best painter that this browser has; none where it can draw no points at all. */
export function painter(): Painter | null {
  const canvas = document.createElement("canvas");
  try {
    const gl = canvas.getContext("webgl", { antialias: false, premultipliedAlpha: true });
    if (gl) return new WebGlPainter(canvas, gl);
  } catch {
    // Painted without it below.
  }
  withoutWebGl = true;
  const flat = document.createElement("canvas");
  const context = flat.getContext("2d");
  return context ? new FlatPainter(flat, context) : null;
}
