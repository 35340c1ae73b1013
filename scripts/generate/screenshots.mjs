// `npm run generate -- screenshots`: takes a picture of each page of `assay ui`, for docs/screenshots. It makes new
// runs on a good agent and on faulty ones at one address, dated a day apart.
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { build as bundle } from "esbuild";
import { pictureOf, withBrowser } from "../pictures.mjs";
import { root } from "../steps.mjs";

const home = mkdtempSync(join(tmpdir(), "assay-screenshots-"));
const pictures = join(root, "docs/screenshots");
rmSync(pictures, { recursive: true, force: true });
mkdirSync(pictures, { recursive: true });

/** Starts a command of ours, and returns the JSON of its first line. */
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

/** The mutant that runs on each day; an empty text is the good agent. It improves, and then gets worse. */
const days = ["CARD-003.no-name", "STREAM-003.status-first", "STREAM-003.status-first", "", "STREAM-003.status-first"];
let port = 0;
let agent = "";
for (const mutant of days) {
  const bed = await started(
    ...["serve", "--json", "--time-scale", "0.02", "--port", String(port), ...(mutant ? ["--mutant", mutant] : [])],
  );
  port = Number(new URL(bed.url).port);
  agent = `${bed.url}/spec`;
  const { run } = await ask("POST", "/api/runs", { url: agent, depth: "quick" });
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

/** The sample matrix of the tests, so that the picture does not depend on the installed SDKs. */
const sample = await bundle({
  stdin: {
    contents: 'export { sampleMatrix } from "./packages/matrix/src/document/sample.fixture.ts";',
    resolveDir: root,
    loader: "ts",
  },
  ...{ bundle: true, write: false, format: "esm", platform: "node", conditions: ["source"], logLevel: "error" },
});
const { sampleMatrix } = await import(
  `data:text/javascript;base64,${Buffer.from(sample.outputFiles[0].contents).toString("base64")}`
);
mkdirSync(join(home, ".assay/matrix"), { recursive: true });
writeFileSync(join(home, ".assay/matrix/sample.json"), JSON.stringify(sampleMatrix()));

const { url: bed } = await ask("POST", "/api/testbed");

/** Sends the requests of a client that has one fault. */
async function clientOf(proxy) {
  const send = (method, params) =>
    fetch(proxy, {
      method: "POST",
      headers: { "Content-Type": "application/json", "A2A-Version": "1.0" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
    }).then((answer) => answer.text());
  const message = { messageId: "m-1", role: "ROLE_USER", parts: [{ text: "streaming hello" }] };
  await send("SendMessage", { message });
  await send("SendStreamingMessage", { message: { ...message, messageId: undefined } });
  await send("GetTask", { id: "no-such-task" });
}

/** Sweeps a fleet of test bed agents: good ones, broken ones, and a missing one. */
function sweepFleet() {
  const fleet = [
    "spec",
    "minimal",
    "mutants/STREAM-003.status-first",
    "mutants/CARD-003.no-name",
    "mutants/ERR-020.wrong-code",
    "gone",
  ];
  writeFileSync(
    join(home, "agents.yaml"),
    JSON.stringify({
      fleet: "registry",
      agents: fleet.map((path) => ({ name: path.split("/").at(-1), url: `${bed}/${path}` })),
    }),
  );
  spawnSync(
    process.execPath,
    [join(root, "packages/cli/bin/assay.js"), "fleet", "agents.yaml", "--allow-host", "127.0.0.1"],
    {
      cwd: home,
      stdio: ["ignore", "ignore", "inherit"],
    },
  );
}

/** The page of each picture, and the element to wait for. */
const places = [
  { name: "test", hash: "#/test", there: ".recent" },
  { name: "run", hash: `#/runs/${last}`, there: ".timeline" },
  {
    name: "talk",
    hash: "#/talk",
    there: "#agent-url",
    async before(page) {
      await page.fill("#agent-url", `${bed}/spec`);
      await page.getByRole("button", { name: "Talk", exact: true }).click();
      await page.fill("#message", "streaming hello");
      await page.press("#message", "Enter");
      await page.locator("#turn-0 .verdict").first().waitFor();
    },
  },
  {
    name: "watch",
    hash: "#/watch",
    there: "#agent-url",
    async before(page) {
      await page.fill("#agent-url", `${bed}/spec`);
      await page.getByRole("button", { name: "Watch", exact: true }).click();
      await clientOf(await page.locator(".watch-head code").textContent());
      await page.locator(".virtual-row", { hasText: "a message has no messageId" }).first().click();
    },
  },
  {
    name: "matrix",
    hash: "#/matrix",
    there: "main a",
    before: (page) => page.getByRole("link", { name: "2026-11-16" }).click(),
  },
  {
    name: "fleet",
    hash: "#/fleet",
    there: ".empty",
    before: async (page) => {
      sweepFleet();
      await page.reload();
      await page.locator("main a").first().click();
      await page.locator(".fleet-league").waitFor();
    },
  },
  {
    name: "history",
    hash: `#/history?agent=${encodeURIComponent(agent)}&before=${first}&after=${last}`,
    there: ".comparison",
  },
  { name: "rules", hash: "#/rules/STREAM-003", there: ".rule-text" },
];

try {
  await withBrowser(async (page) => {
    await page.goto(ui.link);
    await page.waitForSelector("nav.rail");
    for (const { name, hash, there, before } of places) {
      await page.goto(`${ui.url}/${hash}`);
      await page.waitForSelector(there);
      await before?.(page);
      writeFileSync(join(pictures, `${name}.webp`), await pictureOf(page));
    }
  });
} finally {
  await ui.end();
  rmSync(home, { recursive: true, force: true });
}
