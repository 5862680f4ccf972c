// Results of the real command line, to open in the browser.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const MIDRIB = process.env.MIDRIB ?? fileURLToPath(new URL("../../target/debug/midrib", import.meta.url));

/** A temporary directory. */
export class TempDirectory {
  constructor() {
    this.path = mkdtempSync(join(tmpdir(), "midrib-report-"));
  }

  /** Runs midrib with arguments separated by spaces and returns its standard output. */
  run(line) {
    return execFileSync(MIDRIB, line.split(" "), { cwd: this.path, encoding: "utf8", stdio: "pipe" });
  }

  write(name, text) {
    writeFileSync(join(this.path, name), text);
  }

  read(name) {
    return readFileSync(join(this.path, name), "utf8");
  }

  url(name) {
    return pathToFileURL(join(this.path, name)).href;
  }

  remove() {
    rmSync(this.path, { recursive: true, force: true });
  }
}

/** The rows of a CSV table without quoted fields. */
export function rows(text) {
  const [head, ...lines] = text.trimEnd().split("\n").map((line) => line.split(","));
  return lines.map((line) => Object.fromEntries(head.map((name, i) => [name, line[i]])));
}

/** Pseudorandom numbers, the same in every run. */
export function noise(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** A Y in three columns: 600 named points on three arms, some without a stage. */
export function fork() {
  const random = noise(7);
  const arms = [["stem", -1, 0], ["left", 0.7, 0.7], ["right", 0.7, -0.7]];
  let table = "name,gene a,gene b,gene c,arm,stage\n";
  for (const [arm, dx, dy] of arms) {
    for (let i = 0; i < 200; i++) {
      const t = i / 20;
      const off = () => (random() - 0.5) * 0.6;
      const stage = i % 9 === 0 ? "" : ["early", "middle", "late"][Math.floor(i / 67)];
      table += `${arm}-${i},${t * dx + off()},${t * dy + off()},${t + off()},${arm},${stage}\n`;
    }
  }
  return table;
}
