import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { chromium, type Browser } from "playwright-core";

/** First the one without a window's own parts: they took half of the processor time of all browser tests. */
const NAMES = [
  "chromium-headless-shell",
  "chrome-headless-shell",
  "chromium",
  "chromium-browser",
  "google-chrome",
  "google-chrome-stable",
  "chrome",
];
const PLACES = [
  "/usr/bin",
  "/snap/bin",
  "/opt/google/chrome",
  "/Applications/Google Chrome.app/Contents/MacOS",
];

/** Quiet, and without a word to anyone: everything that a test asks for is on the loopback. */
const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** The Chromium of this machine: `CHROME_PATH`, else the PATH, else where systems keep it. */
function findChromium(): string | undefined {
  const folders = [...(process.env["PATH"] ?? "").split(delimiter), ...PLACES];
  const candidates = [
    ...(process.env["CHROME_PATH"] ? [process.env["CHROME_PATH"]] : []),
    ...[...NAMES, "Google Chrome"].flatMap((name) => folders.map((folder) => join(folder, name))),
  ];
  return candidates.find(isExecutable);
}

/**
 * Whether browser tests are to be left out: only where no Chromium is found, with a sentence that says so.
 * In CI they are never left out: {@link launchBrowser} fails there instead.
 */
export function withoutBrowser(): boolean {
  if (findChromium() !== undefined || process.env["CI"] === "true") return false;
  process.stderr.write(
    "Browser tests are skipped: no Chromium was found. Install one (apt install chromium-headless-shell), or set CHROME_PATH.\n",
  );
  return true;
}

/** Starts headless Chromium; to be closed by the caller. */
export async function launchBrowser(): Promise<Browser> {
  const executablePath = findChromium();
  if (executablePath === undefined)
    throw new Error("No Chromium was found: install one, or set CHROME_PATH.");
  return chromium.launch({ executablePath, headless: true, args: FLAGS });
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
