// The browser that the tests run in.
import { existsSync } from "node:fs";
import { chromium } from "playwright-core";

const PATHS = [process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** The path of Chromium; undefined if it is not installed. */
export const executablePath = PATHS.find((path) => path && existsSync(path));

/** Starts it headless, with software rendering. */
export function launch(more = []) {
  const args = ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", ...more];
  return chromium.launch({ executablePath, args });
}
