import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import { startTestbed, type Testbed } from "@assay/agents";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { freePort } from "../fixtures/free-port.fixture.ts";
import { provesAll } from "../fixtures/proves-all.fixture.ts";

/**
 * Runs every command of the README, the tutorials and the page about the test bed. Each page gets a folder with the files that a
 * reader has at that point: a client, a list of agents, a package.json that can start an agent.
 */
const shell = promisify(execFile);
const bin = resolve("packages/cli/bin/assay.js");
const tutorials = readdirSync("docs/tutorials").map((file) => `docs/tutorials/${file}`);
// The other pages repeat much of the README: `npm run prove` has the time for them.
const pages = ["README.md", ...(provesAll ? ["docs/test-bed.md", "docs/hallmark.md", ...tutorials] : [])];
const scripts = (JSON.parse(readFileSync("package.json", "utf8")) as { scripts: Readonly<Record<string, string>> })
  .scripts;

/** Commands that run until they are interrupted. */
const serving = /^(?:serve|ui|proxy)\b|^client --listen/;
/** Commands that other tests run, or that need the network. */
const elsewhere: Readonly<Record<string, string>> = {
  "git clone": "a clone is where these tests run",
  "npm install": "e2e/package/package.test.ts installs the tarball",
  "npx a2a-assay gateway": "needs a gateway; e2e/gateway tests it with nginx",
  "npx a2a-assay matrix --setup": "needs the network; the tests of sdks/ set up their drivers themselves",
  "npx a2a-assay matrix --report": "npm run matrix runs it; it takes half an hour",
  "npx a2a-assay matrix --sdk": "needs every driver; e2e/matrix tests it on small ones",
  // Most of the processor time of this file: `npm run prove` has it.
  ...(!provesAll && {
    "npx a2a-assay client -- ": "e2e/clients/examples.test.ts runs the client of the docs",
    "npx a2a-assay fleet agents.yaml": "e2e/fleet/sweep.test.ts runs it on agents of its own",
    "npx a2a-assay matrix --client": "e2e/matrix tests it on small drivers",
    "npx a2a-assay proxy": "e2e/proxy tests it",
    "npx a2a-assay test http://127.0.0.1:9999 --depth full": "e2e/proof tests agents at full depth",
    "npx a2a-assay test http://127.0.0.1:9999 --dry-run": "packages/cli/src/testing/dry-run.test.ts runs it",
    "npx a2a-assay ui": "e2e/ui tests it",
  }),
};

let bed: Testbed;
beforeAll(async () => {
  bed = await startTestbed({ host: "127.0.0.1", port: 0, version: "0.0.0", timeScale: 0.1 });
});
afterAll(() => bed.close(0));

// A reader runs the commands of a page in their order.
describe("in their order", { shuffle: false }, () => {
  describe.each(pages)("%s", (page) => {
    const markdown = readFileSync(page, "utf8");
    let folder: string;
    let port: number;
    beforeAll(async () => {
      port = await freePort();
      folder = mkdtempSync(join(tmpdir(), "assay-documented-"));
      const [, client] = /```js\n([\s\S]*?)```/.exec(readFileSync("docs/clients.md", "utf8"))!;
      writeFileSync(join(folder, "my-client.js"), client!);
      writeFileSync(join(folder, "agents.yaml"), `agents:\n  - ${bed.url}/echo\n`);
      const agent = `"${process.execPath}" "${bin}" serve --port ${port}`;
      writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module", scripts: { agent } }));
    });
    afterAll(() => rmSync(folder, { recursive: true, force: true }));

    test("lists commands", () => expect(commandsIn(markdown).length).toBeGreaterThan(0));

    test.each(commandsIn(markdown))("$command", async ({ command, output, exit }) => {
      if (command.startsWith("curl ")) {
        const { stdout } = await shell("bash", ["-c", command.replaceAll("http://127.0.0.1:4040", bed.url)]);
        expect(timeless(stdout.trimEnd())).toBe(timeless(output));
        return;
      }
      const [, script] = /^npm (?:run )?(\w+)(?: |$)/.exec(command) ?? [];
      if (script !== undefined && script in scripts) return;
      if (Object.keys(elsewhere).some((each) => command.startsWith(each))) return;
      const [, line] = /^npx a2a-assay (.+)$/.exec(command) ?? [];
      expect([command, line !== undefined]).toEqual([command, true]);
      if (serving.test(line!)) await startAndEnd(here(line!), folder);
      else {
        const { code, printed } = await resultOf(here(line!), folder);
        expect([command, code], printed).toEqual([command, exit]);
      }
    });

    /** Puts this machine's addresses in the place of the documented ones. A fleet needs permission to contact this machine. */
    function here(line: string): string {
      const own = line.includes("--start") ? `http://127.0.0.1:${port}/echo` : `${bed.url}/echo`;
      const addressed = line.replaceAll("http://127.0.0.1:9999", own).replaceAll("http://127.0.0.1:4040", bed.url);
      return `${addressed}${/^fleet agents/.test(line) ? " --allow-private" : ""}`;
    }
  });
});

/** Returns the commands of shell blocks, and each `$ command` of a transcript with the lines that follow it. */
function commandsIn(markdown: string): { command: string; output: string; exit: number }[] {
  return [...markdown.matchAll(/```(sh|console)\n([\s\S]*?)```/g)].flatMap(([, language, block = ""]) => {
    if (language === "console")
      return block
        .split(/^\$ /m)
        .slice(1)
        .map((entry) => {
          const [command = "", ...lines] = entry.trimEnd().split("\n");
          return { command: bare(command), output: lines.join("\n"), exit: exitOf(command) };
        });
    const lines = block.split("\n").filter((line) => bare(line) !== "");
    return lines.map((line) => ({ command: bare(line), output: "", exit: exitOf(line) }));
  });
}

/** Mutants fail; another code stands in the comment of the command. */
const exitOf = (line: string): number =>
  Number(/# .*\(exit code (\d+)\)/.exec(line)?.[1] ?? (line.includes("/mutants/") ? 1 : 0));

const bare = (line: string): string => line.replace(/(?:^|\s+)# .*$/, "").trim();

async function resultOf(line: string, cwd: string): Promise<{ code: number | null; printed: string }> {
  const child = spawn("bash", ["-c", `exec "$NODE" "$ASSAY" ${line} 2>&1`], {
    cwd,
    stdio: ["ignore", "pipe", "ignore"],
    env: { ...process.env, NODE: process.execPath, ASSAY: bin, CI: "true" },
  });
  const [printed, [code]] = await Promise.all([text(child.stdout), once(child, "close")]);
  return { code, printed };
}

/** Starts a server on a free port, waits until it is ready, and ends it. */
async function startAndEnd(line: string, cwd: string): Promise<void> {
  const flags = `${line.includes("--port 0") ? "" : " --port 0"}${line.startsWith("ui") ? " --no-open" : ""}${line.includes("--json") || line.startsWith("client") ? "" : " --json"}`;
  const child = spawn("bash", ["-c", `exec "$NODE" "$ASSAY" ${line}${flags}`], {
    cwd,
    stdio: ["ignore", "pipe", "ignore"],
    env: { ...process.env, NODE: process.execPath, ASSAY: bin },
  });
  const exited = once(child, "exit");
  const { value } = await createInterface(child.stdout)[Symbol.asyncIterator]().next();
  expect(JSON.parse(value ?? "null")).toMatchObject({ url: expect.stringContaining("http://127.0.0.1:") });
  child.kill("SIGTERM");
  await exited;
}

const timeless = (text: string): string =>
  text
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, "«id»")
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, "«time»");
