// `npm run screenshots`: a picture of each page of `assay ui`, light and dark, in docs/screenshots. The runs that they show are
// made anew, on a good agent and on faulty ones at one address, and dated a day apart.
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { chromium } from "playwright-core";
import { browserReady } from "./browser.mjs";
import { build, install, root } from "./steps.mjs";

browserReady();
install();
build();

const home = mkdtempSync(join(tmpdir(), "assay-screenshots-"));
const pictures = join(root, "docs/screenshots");
mkdirSync(pictures, { recursive: true });

/** Starts a command of ours, and gives what its first line says. */
async function started(...args) {
  const child = spawn(process.execPath, [join(root, "packages/cli/bin/assay.js"), ...args], {
    cwd: home,
    stdio: ["ignore", "pipe", "inherit"],
  });
  for await (const line of createInterface(child.stdout)) {
    child.stdout.resume();
    const ended = new Promise((resolve) => child.once("close", resolve));
    return { ...JSON.parse(line), end: () => child.kill("SIGTERM") && ended };
  }
  throw new Error(`assay ${args.join(" ")} ended before it was ready`);
}

const ui = await started("ui", "--port", "0", "--json", "--time-scale", "0.02");
const ask = async (method, path, body) => {
  const answer = await fetch(ui.url + path, {
    method,
    headers: { Authorization: `Bearer ${ui.token}` },
    ...(body && { body: JSON.stringify(body) }),
  });
  return answer.headers.get("content-type") === "application/json" ? answer.json() : answer.text();
};

/** The agent gets better, and then worse: what it is on each day, good where it is no mutant. */
const days = ["CARD-003.no-name", "STREAM-003.status-first", "STREAM-003.status-first", "", "STREAM-003.status-first"];
let port = 0;
for (const mutant of days) {
  const bed = await started(
    ...["serve", "--json", "--time-scale", "0.02", "--port", String(port), ...(mutant ? ["--mutant", mutant] : [])],
  );
  port = Number(new URL(bed.url).port);
  const { run } = await ask("POST", "/api/runs", { url: `${bed.url}/spec`, depth: "quick" });
  await ask("GET", `/api/runs/${run}/events`);
  await bed.end();
}
const runs = join(home, ".assay/runs");
const dated = readdirSync(runs)
  .filter((file) => file.endsWith(".ndjson"))
  .sort()
  .map((file, index) => {
    const date = `2026-11-${String(9 + index).padStart(2, "0")}`;
    const text = readFileSync(join(runs, file), "utf8").replaceAll(/("at":")\d{4}-\d\d-\d\d/g, `$1${date}`);
    const name = date + file.slice(10);
    writeFileSync(join(runs, file), text);
    renameSync(join(runs, file), join(runs, name));
    return name.replace(/\.ndjson$/, "");
  });
const last = dated.at(-1);
const first = dated[0];

/** Where each picture is taken, and what has to be there by then. */
const places = [
  { name: "test", hash: "#/test", there: ".recent" },
  { name: "run", hash: `#/runs/${last}`, there: ".sides" },
  {
    name: "stream",
    hash: `#/runs/${last}`,
    there: ".timeline",
    before: (page) =>
      page
        .locator(".exchange")
        .first()
        .evaluate((element) => element.scrollIntoView()),
  },
  { name: "history", hash: `#/history?before=${first}&after=${last}`, there: ".comparison" },
  { name: "rules", hash: "#/rules/STREAM-003", there: ".rule-text" },
];

const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] });
try {
  for (const colorScheme of ["light", "dark"]) {
    const context = await browser.newContext({ viewport: { width: 1180, height: 740 }, colorScheme });
    const page = await context.newPage();
    await page.goto(ui.link);
    await page.waitForSelector("nav.rail");
    for (const { name, hash, there, before } of places) {
      await page.goto(`${ui.url}/${hash}`);
      await page.waitForSelector(there);
      await before?.(page);
      await page.waitForTimeout(300);
      await page.screenshot({ path: join(pictures, `${name}-${colorScheme}.png`) });
    }
    await context.close();
  }
  const phone = await browser.newContext({ viewport: { width: 390, height: 740 }, isMobile: true });
  const page = await phone.newPage();
  await page.goto(ui.link);
  await page.waitForSelector("nav.rail");
  await page.goto(`${ui.url}/#/runs/${last}`);
  await page.waitForSelector(".finding-line");
  await page.screenshot({ path: join(pictures, "phone-light.png") });
} finally {
  await browser.close();
  await ui.end();
  rmSync(home, { recursive: true, force: true });
}
