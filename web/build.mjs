// Bundles the viewer into dist/, which the report embeds. `--check` only compares.
import { readFile, writeFile, mkdir } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const at = (path) => fileURLToPath(new URL(path, import.meta.url));
const common = { bundle: true, minify: true, write: false, charset: "ascii", legalComments: "none" };
const results = await Promise.all([
  build({ ...common, entryPoints: [at("src/main.ts")], format: "iife", target: "es2022" }),
  build({ ...common, entryPoints: [at("src/report.css")], target: ["chrome111", "firefox113", "safari16.4"] }),
]);
const names = ["report.js", "report.css"];
await mkdir(at("dist"), { recursive: true });
let differs = false;
for (const [i, name] of names.entries()) {
  const text = results[i].outputFiles[0].text;
  // The bundle is embedded in a script element.
  if (/<\/(script|style)|<!--/i.test(text)) throw new Error(`${name} would close the element that contains it`);
  const path = at(`dist/${name}`);
  if (process.argv.includes("--check")) {
    const kept = await readFile(path, "utf8").catch(() => "");
    if (kept !== text) {
      console.error(`web/dist/${name} is out of date: run npm --prefix web run build`);
      differs = true;
    }
  } else {
    await writeFile(path, text);
    console.log(`dist/${name} ${text.length} bytes`);
  }
}
process.exit(differs ? 1 : 0);
