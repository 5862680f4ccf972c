// Screenshots of ten reports on different data sets, in target/report-pictures/sets.
import { existsSync, mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { launch } from "./browser.mjs";
import { TempDirectory, noise } from "./results.mjs";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const DATA = resolve(process.env.MIDRIB_DATA ?? join(ROOT, "../shared/data"));
const PICTURES = join(ROOT, "target/report-pictures/sets/");

/** A spiral with 40 classes along it. */
function classes() {
  const random = noise(3);
  let table = "id,x,y,z,kind\n";
  for (let i = 0; i < 4000; i++) {
    const t = (12 * i) / 4000;
    const off = () => (random() + random() - 1) * 0.6;
    table += `cell${i},${t * Math.cos(t) + off()},${t * Math.sin(t) + off()},${off()},Type ${Math.floor(i / 100)} cells\n`;
  }
  return table;
}

const directory = new TempDirectory();
directory.run("synth tree --branch-points 4 -n 2000 --noise 0.09 --seed 9 -o tree.csv");
directory.write("few.csv", "a,b\n1,2\n1.5,2.5\n0,1\n");
directory.write("classes.csv", classes());
const table = (set, name = "data.npz") => join(DATA, set, name);
const labels = (set) => `--labels ${join(DATA, set, "labels.csv")}`;
const SETS = [
  ["tree", "tree.csv", "--root 0"],
  ["circle", table("toy_circle", "data.csv.gz"), "--method rpg --structure l1"],
  ["two-moons", table("toy_two_moon", "data.csv.gz"), ""],
  ["metabric", table("metabric_300g"), `${labels("metabric_300g")} --method elastic-tree --pca 10`],
  ["paul15", table("paul15_240g"), `${labels("paul15_240g")} --pca 5`],
  ["teapots", table("teapots100"), `${labels("teapots100")} --method elastic-ring --n-nodes 40`],
  ["digits", table("digits8x8", "data.csv.gz"), `${labels("digits8x8")} --pca 0.95`],
  ["one-node", "few.csv", "--n-nodes 1"],
  ["no-labels", "tree.csv", ""],
  ["forty-classes", "classes.csv", "--id id --label kind"],
];

mkdirSync(PICTURES, { recursive: true });
const browser = await launch();
let failed = 0;
for (const [name, input, flags] of SETS) {
  if (input.startsWith("/") && !existsSync(input)) {
    console.log(`skipped ${name}: ${input} not found; set MIDRIB_DATA`);
    continue;
  }
  directory.run(`fit ${input} ${flags} -o ${name} -q`.replaceAll(/ +/g, " "));
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  page.on("pageerror", (error) => {
    failed++;
    console.log(`${name}: ${error.message}`);
  });
  await page.goto(directory.url(`${name}/report.html`));
  await page.waitForSelector("html[data-ready]");
  await page.waitForTimeout(300);
  await page.screenshot({ path: `${PICTURES}${name}.png`, fullPage: true });
  await page.close();
  console.log(`${PICTURES}${name}.png`);
}
await browser.close();
directory.remove();
process.exitCode = failed > 0 ? 1 : 0;
