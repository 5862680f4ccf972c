// The report in a real browser: requests, texts, numbers and interaction.
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { executablePath, launch } from "./browser.mjs";
import { TempDirectory, fork, rows } from "./results.mjs";

const AXE = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
const PICTURES = fileURLToPath(new URL("../../target/report-pictures/", import.meta.url));
const EVIL = ['<script>window.hacked=1</script>', "<img src=x onerror=window.hacked=1>", "'\"`&amp;"];

const directory = new TempDirectory();
let browser;

before(async () => {
  assert.ok(executablePath, "there is no Chromium");
  mkdirSync(PICTURES, { recursive: true });
  browser = await launch();
  directory.write("fork.csv", fork());
  directory.run("fit fork.csv --id name --label arm --label stage --n-nodes 40 -o fork");
});

after(async () => {
  await browser?.close();
  directory.remove();
});

/** Opens a page; `done` fails if it made a request or logged an error. */
async function open(name, { hash = "", scheme = "light", width = 1280, before = null } = {}) {
  const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme: scheme });
  const wrong = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) wrong.push(message.text());
  });
  page.on("pageerror", (error) => wrong.push(error.message));
  page.on("dialog", (dialog) => wrong.push(dialog.message()));
  const url = directory.url(name);
  page.on("request", (request) => {
    const own = request.url().split("#")[0] === url || /^(data|blob):/.test(request.url());
    if (!own) wrong.push(`a request for ${request.url()}`);
  });
  if (before) await page.addInitScript(before);
  await page.goto(url + hash);
  await page.waitForSelector("html[data-ready]");
  await page.waitForTimeout(200);
  return { page, wrong };
}

async function done({ page, wrong }, picture) {
  if (picture) await page.screenshot({ path: `${PICTURES}${picture}.png`, fullPage: true });
  await page.close();
  assert.deepEqual(wrong, []);
}

/** Types a number into a field. */
async function type(page, label, value) {
  await page.getByLabel(label, { exact: true }).fill(String(value));
  await page.keyboard.press("Enter");
  await page.waitForTimeout(50);
}

test("it opens from disk, makes no requests and shows the result", async () => {
  const opened = await open("fork/report.html");
  const { page } = opened;
  assert.equal(await page.locator("h1").innerText(), "fork.csv");
  const facts = await page.locator("#summary").innerText();
  for (const [name, value] of [["points", "600"], ["nodes", "40"], ["tips", "3"], ["loops", "0"]]) {
    assert.match(facts, new RegExp(`${name}\\s+${value}\\b`));
  }
  for (const id of ["data", "metro", "dendrogram", "adjacency", "objective", "distances", "path"]) {
    assert.ok(await page.locator(`#${id}`).isVisible(), id);
  }
  assert.match(await page.locator("#details").innerText(), /midrib fit fork\.csv --id name/);
  assert.match(await page.locator("#details").innerText(), /SimplePPT/);
  assert.match(await page.locator("#legend").innerText(), /arm\s+left\s+right\s+stem/);
  await done(opened, "fork-light");
});

/** Compares the pseudotime of the page with that of the command line. */
async function sameTimes(results, roots) {
  const opened = await open(`${results}/report.html`);
  const { page } = opened;
  const lengths = rows(directory.read(`${results}/edges.csv`)).map((edge) => Number(edge.length));
  for (const root of roots) {
    await type(page, "Root node", root);
    const command = await page.locator("#root-command").innerText();
    assert.equal(command, `midrib root ${results} --root ${root}`);
    const found = await page.evaluate(() => {
      const { app } = window.midrib;
      return [...app.time].map((time, i) => [app.report.id(i), time]);
    });
    directory.run(command.replace("midrib ", ""));
    const expected = rows(directory.read(`${results}/points.csv`));
    assert.equal(found.length, expected.length);
    for (const [i, [id, time]] of found.entries()) {
      assert.equal(id, expected[i].id);
      // Positions on edges have seven digits.
      const step = lengths[Number(expected[i].edge)] * 2 ** -24;
      assert.ok(Math.abs(time - Number(expected[i].pseudotime)) <= step, `${id}: ${time}`);
    }
  }
  await done(opened);
}

test("sheets have no root and no branches", async () => {
  directory.run("fit fork.csv --id name --label arm --label stage -m elastic-map -o sheet");
  const opened = await open("sheet/report.html");
  const { page } = opened;
  const facts = await page.locator("#summary").innerText();
  assert.match(facts, /rectangle of \d+ x \d+ nodes/);
  assert.doesNotMatch(facts, /tips|loops/);
  for (const absent of ["#dendrogram", "#root-command"]) {
    assert.equal(await page.locator(absent).count(), 0, absent);
  }
  const colors = await page.getByLabel("Color by", { exact: true }).locator("option").allInnerTexts();
  assert.ok(!colors.includes("pseudotime") && !colors.includes("branch"), `${colors}`);
  assert.match(await page.locator("#metro").innerText(), /not to scale/);
  const labels = await page.locator("svg text").allTextContents();
  assert.ok(labels.length > 0 && !labels.includes("root"), `${labels}`);
  await done(opened, "sheet");
});

test("another root gives the pseudotime of the command line, on a tree and around a loop", async () => {
  await sameTimes("fork", [0, 17, 31]);
  directory.run("synth circle -n 120 -o circle.csv");
  directory.run("fit circle.csv --method elastic-ring --n-nodes 16 -o circle");
  await sameTimes("circle", [3, 9]);
  // The root that was written last is now the root of the report.
  const again = await open("fork/report.html");
  assert.equal(await again.page.getByLabel("Root node", { exact: true }).inputValue(), "31");
  await done(again);
});

test("a path shows the points of the command line and their trends", async () => {
  const opened = await open("fork/report.html");
  const { page } = opened;
  await type(page, "First node of the path", 2);
  await type(page, "Last node of the path", 30);
  const expected = rows(directory.run("path fork --from 2 --to 30 -o -"));
  const found = await page.evaluate(() => {
    const { app } = window.midrib;
    return app.along.map(({ point, position }) => [app.report.id(point), position]);
  });
  const length = await page.evaluate(() => window.midrib.app.path.length);
  assert.equal(found.length, expected.length);
  const at = new Map(found);
  for (const { id, position } of expected) {
    assert.ok(Math.abs(at.get(id) - Number(position)) <= length * 2 ** -24, id);
  }
  assert.equal(await page.locator("#trends svg").count(), 3);
  assert.match(await page.locator("#path .note").innerText(), new RegExp(`${expected.length} points along it`));
  await page.getByLabel("Add the trend of a column").selectOption({ label: "distance" });
  await page.waitForTimeout(50);
  assert.equal(await page.locator("#trends svg").count(), 4);
  assert.match(page.url(), /#.*path=2%2C30/);
  // The saved table has the numbers of the original table.
  const download = page.waitForEvent("download");
  await page.locator("#path").getByRole("button", { name: "Save CSV" }).click();
  const saved = rows(readFileSync(await (await download).path(), "utf8"));
  const given = new Map(rows(directory.read("fork.csv")).map((row) => [row.name, row]));
  const columns = Object.keys(saved[0]).filter((name) => name in given.values().next().value);
  assert.equal(columns.length, 3);
  for (const row of saved) {
    for (const name of columns) {
      const value = Number(given.get(row.id)[name]);
      assert.ok(Math.abs(Number(row[name]) - value) <= 1e-7 * Math.abs(value), `${row.id}, ${name}`);
    }
  }
  await done(opened, "fork-path");
});

test("clicks on nodes set the root, and with shift the path", async () => {
  const opened = await open("fork/report.html");
  const { page } = opened;
  const click = async (node, options) => {
    await page.locator("#metro-plot").scrollIntoViewIfNeeded();
    const [x, y] = await page.evaluate((k) => {
      const view = window.midrib.views.metro;
      const { m } = view.camera();
      const [px, py] = [view.layout.nodes[3 * k], view.layout.nodes[3 * k + 1]];
      return [m[0] * px + m[3], m[5] * py + m[7]];
    }, node);
    await page.locator("#metro-plot").click({ position: { x, y }, ...options });
    await page.waitForTimeout(50);
  };
  const tips = await page.evaluate(() => {
    const { app } = window.midrib;
    return [...Array(app.report.nodes).keys()].filter((k) => app.degree(k) === 1);
  });
  await click(tips[1]);
  assert.equal(await page.getByLabel("Root node", { exact: true }).inputValue(), String(tips[1]));
  await click(tips[0], { modifiers: ["Shift"] });
  await click(tips[2], { modifiers: ["Shift"] });
  assert.deepEqual(await page.evaluate(() => window.midrib.app.state.path), [tips[0], tips[2]]);
  await done(opened);
});

test("hovering in one picture highlights in all", async () => {
  const opened = await open("fork/report.html");
  const { page } = opened;
  const [x, y] = await page.evaluate(() => {
    const { data } = window.midrib.views;
    const { m } = data.camera();
    const at = (positions, i) => [m[0] * positions[3 * i] + m[3], m[5] * positions[3 * i + 1] + m[7]];
    const { points, nodes } = data.layout;
    // A point that is not near any node.
    const free = (i) => Math.min(...Array.from({ length: nodes.length / 3 }, (_, k) => {
      const [[px, py], [nx, ny]] = [at(points, i), at(nodes, k)];
      return Math.hypot(px - nx, py - ny);
    }));
    const all = Array.from({ length: points.length / 3 }, (_, i) => [free(i), i]);
    return at(points, all.sort((a, b) => b[0] - a[0])[0][1]);
  });
  await page.locator("#data-plot").hover({ position: { x, y } });
  await page.waitForTimeout(100);
  assert.match(await page.locator("#data-plot .tip").innerText(), /^(stem|left|right)-\d+\narm: /);
  for (const id of ["data", "metro", "dendrogram"]) {
    const rings = await page.locator(`#${id}-plot .overlay`).last().locator("circle").count();
    assert.equal(rings, 2, id);
  }
  await done(opened);
});

test("a lasso selects points, whose ids can be saved", async () => {
  const opened = await open("fork/report.html");
  const { page } = opened;
  await page.getByRole("button", { name: "Lasso" }).click();
  const box = await page.locator("#data-plot").boundingBox();
  const at = (x, y) => page.mouse.move(box.x + x * box.width, box.y + y * box.height);
  await at(0.1, 0.1);
  await page.mouse.down();
  for (const [x, y] of [[0.5, 0.1], [0.5, 0.9], [0.1, 0.9], [0.1, 0.12]]) await at(x, y);
  await page.mouse.up();
  const title = await page.locator("#selection h2").innerText();
  const count = Number(/(\d+) points/.exec(title)[1]);
  assert.ok(count > 50 && count < 600, title);
  const download = page.waitForEvent("download");
  await page.locator("#selection").getByRole("button", { name: "Save CSV" }).click();
  const table = rows(readFileSync(await (await download).path(), "utf8"));
  assert.equal(table.length, count);
  const expected = new Map(rows(directory.read("fork/points.csv")).map((row) => [row.id, row]));
  const given = new Map(rows(fork()).map((row) => [row.name, row]));
  for (const row of table) {
    assert.deepEqual([row.arm, row.stage], [given.get(row.id).arm, given.get(row.id).stage]);
    assert.equal(row.edge, expected.get(row.id).edge);
    assert.equal(row.branch, expected.get(row.id).branch);
    assert.equal(row.component, expected.get(row.id).component);
  }
  await page.getByLabel("Find a point by its id").fill("left-42");
  await page.getByRole("button", { name: "Find" }).click();
  assert.match(await page.locator("#found").innerText(), /^left-42; arm: left/);
  assert.match(await page.locator("#selection h2").innerText(), /1 point$/);
  await done(opened);
});

test("tuning curves show their values and mark the chosen one", async () => {
  directory.run("fit fork.csv --id name --label arm --label stage --method elastic-tree --n-nodes 12 -o growth");
  for (const [name, setting, measures] of [["fork", "length penalty", 3], ["growth", "number of nodes", 4]]) {
    const { tuning } = JSON.parse(directory.read(`${name}/model.json`));
    const opened = await open(`${name}/report.html`, { scheme: name === "fork" ? "light" : "dark" });
    const { page } = opened;
    const drawing = page.locator("#tuning svg");
    assert.match(await drawing.getAttribute("aria-label"), new RegExp(`^For a ${setting} from .* was chosen: `));
    const titles = await drawing.locator("title").allTextContents();
    assert.equal(titles.length, measures * tuning.curve.length);
    assert.equal(titles.filter((title) => title.includes("(chosen)")).length, measures);
    assert.match(titles[0], new RegExp(`^${setting} \\S+: (energy|mean squared distance) \\S+$`));
    assert.match(await page.locator("#tuning figcaption").innerText(), /dashed line marks/);
    await done(opened, `tuning-${name}`);
  }
  // A fit with given settings has no tuning curve.
  directory.run("fit fork.csv --id name --label arm --label stage --n-nodes 12 --length-penalty 3 -o given");
  const opened = await open("given/report.html");
  assert.equal(await opened.page.locator("#tuning").count(), 0);
  await done(opened);
});

test("pictures are saved as SVG and PNG", async () => {
  const opened = await open("fork/report.html");
  const { page } = opened;
  for (const name of ["data", "metro", "dendrogram", "adjacency", "objective", "tuning"]) {
    let download = page.waitForEvent("download");
    await page.getByRole("button", { name: `Save ${name} as SVG` }).click();
    const text = readFileSync(await (await download).path(), "utf8");
    const parsed = await page.evaluate((given) => {
      const root = new DOMParser().parseFromString(given, "image/svg+xml").documentElement;
      return { name: root.nodeName, failed: root.getElementsByTagName("parsererror").length,
        drawn: root.querySelectorAll("path, circle, rect").length };
    }, text);
    assert.equal(parsed.name, "svg");
    assert.equal(parsed.failed, 0);
    assert.ok(parsed.drawn > 2, `${name}: ${parsed.drawn}`);
    if (name === "data") assert.ok(parsed.drawn > 600, "points are circles");
    download = page.waitForEvent("download");
    await page.getByRole("button", { name: `Save ${name} as PNG` }).click();
    const bytes = readFileSync(await (await download).path());
    assert.deepEqual([...bytes.subarray(0, 8)], [137, 80, 78, 71, 13, 10, 26, 10]);
    assert.ok(bytes.readUInt32BE(16) > 600, "its width");
  }
  await type(page, "First node of the path", 2);
  await type(page, "Last node of the path", 30);
  for (const kind of ["SVG", "PNG"]) {
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: `Save the trend of gene a as ${kind}` }).click();
    const bytes = readFileSync(await (await download).path());
    assert.equal(bytes.subarray(1, 4).toString(), kind === "PNG" ? "PNG" : "?xm");
  }
  await done(opened);
});

test("everything works by keyboard", async () => {
  const opened = await open("fork/report.html");
  const { page } = opened;
  await page.keyboard.press("Tab");
  assert.equal(await page.evaluate(() => document.activeElement.textContent), "Skip to the report");
  const stops = [];
  for (let i = 0; i < 40 && !stops.includes("data-plot"); i++) {
    await page.keyboard.press("Tab");
    stops.push(await page.evaluate(() => document.activeElement.id));
  }
  assert.ok(stops.includes("data-plot"), "the picture takes the focus");
  const root = await page.evaluate(() => window.midrib.app.state.root[0]);
  for (const key of ["ArrowRight", "ArrowLeft", "ArrowLeft", "ArrowUp", "ArrowDown", "ArrowDown"]) {
    await page.keyboard.press(key);
  }
  const node = Number(/^node (\d+),/.exec(await page.locator("#live").innerText())[1]);
  assert.notEqual(node, root);
  await page.keyboard.press("Enter");
  await page.waitForTimeout(50);
  assert.deepEqual(await page.evaluate(() => window.midrib.app.state.root), [node]);
  await page.keyboard.press("p");
  await page.waitForTimeout(50);
  assert.deepEqual(await page.evaluate(() => window.midrib.app.state.path), [node]);
  await done(opened);
});

test("the URL stores the choices", async () => {
  const opened = await open("fork/report.html");
  const { page } = opened;
  await page.getByLabel("Color by", { exact: true }).first().selectOption("pseudotime");
  await page.getByRole("button", { name: "3-D" }).click();
  await type(page, "Root node", 5);
  const hash = new URL(page.url()).hash;
  await done(opened);
  const again = await open("fork/report.html", { hash });
  const state = await again.page.evaluate(() => {
    const { color, root, dims } = window.midrib.app.state;
    return { color, root, dims };
  });
  assert.deepEqual(state, { color: "pseudotime", root: [5], dims: 3 });
  await done(again, "fork-3d");
});

test("the URL stores trends, tools, angle, zoom and a small selection", async () => {
  const opened = await open("fork/report.html", { hash: "#path=2,30&dims=3" });
  const { page } = opened;
  await page.getByLabel("Add the trend of a column").selectOption({ label: "distance" });
  await page.getByRole("button", { name: "selects a path" }).click();
  await page.getByLabel("Find a point by its id").fill("left-42");
  await page.getByRole("button", { name: "Find" }).click();
  await page.evaluate(() => {
    const { data, metro } = window.midrib.views;
    data.drag([60, 20], false);
    data.dragged();
    data.zoom(1.5);
    metro.zoom(2, [100, 80]);
  });
  await page.waitForTimeout(500);
  const shown = () => page.evaluate(() => {
    const { app, views } = window.midrib;
    const { trends, action, selection } = app.state;
    return { trends, action, selected: [...selection].flatMap((one, i) => (one ? [app.report.id(i)] : [])),
      looks: [views.data.look, views.metro.look, views.dendrogram.look] };
  });
  const before = await shown();
  assert.equal(before.trends.length, 4);
  assert.deepEqual([before.action, before.selected], ["path", ["left-42"]]);
  assert.match(before.looks[0], /^1\.08,0\.51,1\.5,/);
  const { hash } = new URL(page.url());
  await page.goto("about:blank");
  await page.goto(directory.url("fork/report.html") + hash);
  await page.waitForSelector("html[data-ready]");
  await page.waitForTimeout(200);
  assert.deepEqual(await shown(), before);
  assert.match(await page.locator("#selection h2").innerText(), /1 point$/);
  // A large selection is not stored, and the page says so.
  await page.locator("#legend").getByRole("button", { name: /^left, / }).click();
  await page.waitForTimeout(100);
  assert.match(await page.locator("#selection .note").innerText(), /stores selections of up to 60 points/);
  assert.doesNotMatch(page.url(), /select=/);
  await done(opened, "fork-kept");
});

test("adjacency and distances are linked with the other pictures", async () => {
  const opened = await open("fork/report.html");
  const { page } = opened;
  const pointed = () => page.evaluate(() => {
    const { app } = window.midrib;
    const edge = app.state.hoverEdge;
    return edge < 0 ? null : { ends: [app.report.a[edge], app.report.b[edge]], text: app.describeEdge(edge) };
  });
  await page.locator("#adjacency svg").focus();
  await page.keyboard.press("ArrowRight");
  await page.waitForTimeout(50);
  const first = await pointed();
  assert.equal(await page.locator("#live").innerText(), first.text);
  assert.equal(await page.locator("#adjacency .mark title").textContent(), first.text);
  assert.equal(await page.locator("#data-plot .overlay").nth(1).locator("line").count(), 1);
  await page.keyboard.press("Enter");
  await page.waitForTimeout(50);
  assert.deepEqual(await page.evaluate(() => window.midrib.app.state.path), first.ends);
  // The same edge by mouse: the picture is 440 units wide, its cells start at 26 and 14.
  const order = await page.evaluate(() => {
    const rects = [...document.querySelectorAll("#adjacency .mark rect")];
    return rects.map((rect) => [Number(rect.getAttribute("x")), Number(rect.getAttribute("y"))]);
  });
  await page.locator("#adjacency svg").evaluate((drawing) => drawing.blur());
  await page.waitForTimeout(50);
  assert.equal(await pointed(), null);
  const box = await page.locator("#adjacency svg").boundingBox();
  const scale = Math.min(box.width, box.height) / 440;
  const at = (x, y) => [box.x + 0.5 * box.width + (x - 220) * scale, box.y + 0.5 * box.height + (y - 220) * scale];
  await page.mouse.move(...at(order[1][0] + 5, order[2][1] + 5));
  await page.waitForTimeout(50);
  assert.deepEqual(await pointed(), first);
  await page.mouse.move(5, 5);
  // A bar shows its range and count, and selects exactly these points.
  const bar = page.locator("#distances .bar").nth(3);
  const [, from, to, count] = /^distance (\S+) to (\S+): (\d+) points?$/.exec(await bar.getAttribute("aria-label"));
  await bar.click();
  await page.waitForTimeout(50);
  const found = await page.evaluate(() => {
    const { app } = window.midrib;
    const { values } = app.report.columns[app.report.distances];
    return [...app.state.selection].flatMap((one, i) => (one ? [values[i]] : []));
  });
  assert.equal(found.length, Number(count));
  // The limits of the range have four digits.
  assert.ok(found.every((x) => x >= from * 0.999 && x <= to * 1.001), `${from} to ${to}`);
  await bar.focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Enter");
  await page.waitForTimeout(50);
  assert.match(await page.locator("#live").innerText(), /points selected$/);
  await done(opened, "fork-linked");
});

test("missing-value markers are not classes, and legends say so, also in saved pictures", async () => {
  let table = "x,y,age,group\n";
  for (let i = 0; i < 90; i++) {
    const none = ["NA", "NaN", "N/A", "null"][i % 4];
    table += `${i / 10},${Math.sin(i / 10)},${i % 5 ? i : none},${i % 3 ? "ab"[i % 2] : none}\n`;
  }
  directory.write("missing.csv", table);
  directory.run("fit missing.csv --label group --label age --n-nodes 8 -o missing");
  const opened = await open("missing/report.html");
  const { page } = opened;
  for (const [color, legend] of [["group", /group\s+a\s+b\s+no label$/], ["age", /^age\s+1\s+89\s+no value$/]]) {
    await page.getByLabel("Color by", { exact: true }).first().selectOption({ label: color });
    await page.waitForTimeout(50);
    assert.match((await page.locator("#legend").innerText()).trim(), legend);
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "Save data as SVG" }).click();
    const text = readFileSync(await (await download).path(), "utf8");
    assert.match(text, color === "group" ? />no label</ : />no value</);
  }
  await done(opened, "missing");
});

test("without WebGL everything works, and the page says so", async () => {
  const opened = await open("fork/report.html", {
    before: `const own = HTMLCanvasElement.prototype.getContext;
      HTMLCanvasElement.prototype.getContext = function (kind, ...more) {
        return /webgl/.test(kind) ? null : own.call(this, kind, ...more);
      };`,
  });
  const { page } = opened;
  assert.match(await page.locator("#no-webgl").innerText(), /^This browser has no WebGL/);
  assert.equal(await page.locator("#data-plot canvas").count(), 1);
  await done(opened);
  const usual = await open("fork/report.html");
  assert.equal(await usual.page.locator("#no-webgl").count(), 0);
  await done(usual);
});

test("on a phone the settings are readable without horizontal scrolling", async () => {
  const opened = await open("fork/report.html", { width: 390 });
  const { page } = opened;
  const box = await page.locator("#details table").boundingBox();
  assert.ok(box.x >= 0 && box.x + box.width <= 390, JSON.stringify(box));
  const cut = await page.locator("#details td").evaluateAll((cells) =>
    cells.filter((cell) => cell.getBoundingClientRect().right > innerWidth || cell.scrollWidth > cell.clientWidth + 1).length);
  assert.equal(cut, 0);
  await done(opened, "fork-phone");
});

test("axe finds nothing serious, light or dark, wide or narrow", async () => {
  for (const [scheme, width] of [["light", 1280], ["dark", 390]]) {
    const opened = await open("fork/report.html", { scheme, width, hash: "#path=2,30" });
    const { page } = opened;
    assert.deepEqual(opened.wrong, []);
    await page.addScriptTag({ path: AXE });
    const found = await page.evaluate(async () => (await window.axe.run()).violations);
    const serious = found.filter(({ impact }) => ["serious", "critical"].includes(impact));
    assert.deepEqual(serious.map(({ id, nodes }) => [id, nodes.map((node) => node.html)]), []);
    const [wide, seen] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
    assert.ok(wide <= seen, `${wide} px in ${seen}`);
    opened.wrong.length = 0;
    await done(opened, `fork-${scheme}-${width}`);
  }
});

test("nothing from the data is executed", async () => {
  let table = `id,x,y,"${EVIL[1]}",kind\n`;
  for (let i = 0; i < 60; i++) {
    const text = EVIL[i % 3].replaceAll('"', '""');
    table += `"${text} ${i}",${i},${i % 5},${i % 7},"${text}${i === 7 ? "x".repeat(10000) : ""}"\n`;
  }
  directory.write("evil.csv", table);
  directory.run("fit evil.csv --id id --label kind --n-nodes 8 -o evil");
  const opened = await open("evil/report.html");
  const { page } = opened;
  assert.match(await page.locator("#legend").innerText(), /<script>window\.hacked=1/);
  await page.getByLabel("Find a point by its id").fill(EVIL[1]);
  await page.getByRole("button", { name: "Find" }).click();
  assert.match(await page.locator("#found").innerText(), /^<img src=x onerror/);
  await page.locator("#data-plot").hover({ position: { x: 400, y: 300 } });
  assert.equal(await page.evaluate(() => window.hacked), undefined);
  assert.equal(await page.locator("img").count(), 0);
  await done(opened, "evil");
});

test("WebGL and pixel painters draw the same picture", async () => {
  const drawn = {};
  for (const kind of ["webgl", "pixels"]) {
    const opened = await open("fork/report.html", {
      before: `new MutationObserver((_, seen) => {
        if (!document.documentElement) return;
        document.documentElement.dataset.painter = "${kind}";
        seen.disconnect();
      }).observe(document, { childList: true });`,
    });
    drawn[kind] = await opened.page.evaluate(() => {
      const view = window.midrib.views.data;
      view.render();
      const flat = document.createElement("canvas");
      [flat.width, flat.height] = [view.painter.canvas.width, view.painter.canvas.height];
      const context = flat.getContext("2d");
      context.fillStyle = "#ffffff";
      context.fillRect(0, 0, flat.width, flat.height);
      context.drawImage(view.painter.canvas, 0, 0);
      const { data } = context.getImageData(0, 0, flat.width, flat.height);
      let ink = 0;
      for (let i = 0; i < data.length; i += 4) ink += 765 - data[i] - data[i + 1] - data[i + 2];
      return { ink: ink / 765, gl: "gl" in view.painter };
    });
    await done(opened);
  }
  assert.ok(drawn.webgl.gl && !drawn.pixels.gl);
  const ratio = drawn.webgl.ink / drawn.pixels.ink;
  assert.ok(drawn.pixels.ink > 2000 && ratio > 0.85 && ratio < 1.18, JSON.stringify(drawn));
});

test("without JavaScript there is a static picture and a note", async () => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(directory.url("fork/report.html"));
  assert.ok(await page.locator(".static svg").isVisible());
  assert.match(await page.locator("main").innerText(), /needs JavaScript/);
  await context.close();
});

test("small and unusual data make a page: one node, no labels, many classes, missing values, no points", async () => {
  directory.write("few.csv", "a,b\n1,2\n1.5,2.5\n0,1\n");
  directory.run("fit few.csv --n-nodes 1 -o one");
  let many = "x,y,kind\n";
  for (let i = 0; i < 1000; i++) many += `${i},${(i * 7) % 100},${i % 11 ? `k${i % 500}` : ""}\n`;
  directory.write("many.csv", many);
  directory.run("fit many.csv --label kind --n-nodes 12 -o many");
  directory.run("synth circle -n 120 -o circle.csv --force");
  directory.run("fit circle.csv --method elastic-ring --n-nodes 16 -o circle --force");
  directory.run("fit circle.csv --n-nodes 16 -o alone");
  rmSync(join(directory.path, "alone/points.csv"));
  directory.run("report alone");
  for (const name of ["one", "many", "circle", "alone"]) {
    const opened = await open(`${name}/report.html`);
    const { page } = opened;
    assert.ok(await page.locator("#data-plot").isVisible(), name);
    if (name === "many") assert.match(await page.locator("#legend").innerText(), /others\s+no label/);
    if (name === "alone") {
      assert.match(await page.locator(".warnings").innerText(), /the graph stands alone/);
    }
    await done(opened, name);
  }
});
