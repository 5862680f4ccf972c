// The browser that the tests run in.
import { existsSync } from "node:fs";
import { chromium } from "playwright-core";

const PLACES = [process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** Where Chromium is; undefined where it is not. */
export const executablePath = PLACES.find((path) => path && existsSync(path));

/** Opens it without a window, drawing by software. */
export function launch(more = []) {
  const args = ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", ...more];
  return chromium.launch({ executablePath, args });
}
