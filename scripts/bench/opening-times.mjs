import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * Returns the milliseconds that Chromium takes to open and paint a page, minus those of an empty page. Undefined
 * without Chromium.
 */
export function openingTimes(text) {
  const folder = mkdtempSync(join(tmpdir(), "assay-bench-"));
  const pages = { empty: "<!DOCTYPE html><title>empty</title>", page: text };
  for (const [name, content] of Object.entries(pages)) writeFileSync(join(folder, `${name}.html`), content);
  const open = (name) => {
    const start = performance.now();
    const screenshot = `--screenshot=${join(folder, `${name}.png`)}`;
    const flags = ["--headless", "--no-sandbox", "--disable-gpu", `--user-data-dir=${folder}`, screenshot];
    const { error } = spawnSync("chromium", [...flags, join(folder, `${name}.html`)], { stdio: "ignore" });
    return error ? undefined : performance.now() - start;
  };
  try {
    // The first start of a browser creates its profile, so it does not count.
    if (open("empty") === undefined) return undefined;
    return Array.from({ length: 5 }, () => open("page") - open("empty"));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
