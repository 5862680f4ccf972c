// The speed of a report with 200,000 points: first picture, rotation, hovering.
import { statSync } from "node:fs";
import { join } from "node:path";
import { launch } from "./browser.mjs";
import { TempDirectory } from "./results.mjs";

const directory = new TempDirectory();
directory.run("synth tree -n 200000 -d 10 -o big.csv");
directory.run("fit big.csv -o big -q");
const browser = await launch();
const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
await page.goto(`${directory.url("big/report.html")}#dims=3`);
await page.waitForSelector("html[data-ready]", { timeout: 120000 });
const first = await page.evaluate(() => new Promise((resolve) => {
  requestAnimationFrame(() => requestAnimationFrame(() => resolve(performance.now())));
}));
await page.evaluate(async () => {
  const view = window.midrib.views.data;
  for (let i = 0; i < 80; i++) {
    view.drag([3, 1], false);
    await new Promise(requestAnimationFrame);
  }
});
const turning = await page.evaluate(() => {
  const { frames, stride } = window.midrib.views.data;
  const late = frames.slice(10).sort((a, b) => a - b);
  return { median: late[Math.floor(late.length / 2)], stride };
});
await page.evaluate(() => window.midrib.views.data.dragged());
await page.waitForTimeout(500);
const pointing = await page.evaluate(async () => {
  const view = window.midrib.views.data;
  const begun = performance.now();
  for (let i = 0; i < 40; i++) {
    view.hover([250 + 5 * i, 250]);
    await new Promise(requestAnimationFrame);
  }
  return (performance.now() - begun) / 40;
});
await browser.close();
const megabytes = statSync(join(directory.path, "big/report.html")).size / 1e6;
directory.remove();
console.log(`size            ${megabytes.toFixed(2)} MB`);
console.log(`first picture   ${(first / 1000).toFixed(2)} s`);
console.log(`rotation        ${turning.median.toFixed(0)} ms per frame, 1 of ${turning.stride} points`);
console.log(`hovering        ${pointing.toFixed(0)} ms per frame`);
