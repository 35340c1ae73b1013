import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Lab, serveUi, type UiServer } from "@assay/web";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";
import { RunFolder } from "../../packages/cli/src/recorded/run-folder.ts";
import { createLab } from "../../packages/cli/src/ui/lab.ts";

/** With CI=true a missing browser is a failure, as any other missing tool. */
export const hasBrowser =
  process.env["CI"] === "true" || spawnSync("chromium", ["--version"], { stdio: "ignore" }).status === 0;

/** `assay ui` for the tests of one file, with a folder of runs of its own and one browser. */
export interface UiBed {
  readonly server: UiServer;
  readonly runs: RunFolder;
  /** what the server called its own fault */
  readonly faults: readonly unknown[];
  /** A page of a browser that knows the token; whatever it complains about fails the test file. */
  page(options?: BrowserContextOptions): Promise<Page>;
  /** Asks the API as a program does. */
  ask(method: string, path: string, body?: object): Promise<Response>;
}

export function useUi(change: (lab: Lab) => Lab = (lab) => lab): UiBed {
  const home = mkdtempSync(join(tmpdir(), "assay-ui-"));
  const runs = new RunFolder(home);
  const faults: unknown[] = [];
  const complaints: string[] = [];
  let server: UiServer | undefined;
  let browser: Browser | undefined;
  beforeAll(async () => {
    server = await serveUi({
      host: "127.0.0.1",
      port: 0,
      lab: change(createLab({ folder: runs, timeScale: 0.02 })),
      onError: (error) => faults.push(error),
    });
    if (hasBrowser)
      browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu"] });
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
    rmSync(home, { recursive: true, force: true });
    expect(faults).toEqual([]);
    expect(complaints).toEqual([]);
  });
  return {
    get server() {
      return server!;
    },
    runs,
    faults,
    async page(options) {
      const context = await browser!.newContext({ viewport: { width: 1280, height: 800 }, ...options });
      const page = await context.newPage();
      // A test takes a second or two, and many times that on a machine that has much to do.
      page.setDefaultTimeout(45_000);
      page.on("pageerror", (error) => complaints.push(error.message));
      page.on("console", (message) => {
        if (message.type() === "error") complaints.push(message.text());
      });
      await page.goto(server!.link);
      await page.waitForSelector("nav.rail");
      return page;
    },
    ask: (method, path, body) =>
      fetch(`${server!.url}${path}`, {
        method,
        headers: { Authorization: `Bearer ${server!.token}`, "Content-Type": "application/json" },
        ...(body && { body: JSON.stringify(body) }),
      }),
  };
}

/** Starts a test from the address bar, and waits for its answer. */
export async function testFromPage(page: Page, url: string, depth: string): Promise<void> {
  await page.fill("#agent-url", url);
  await page.selectOption("#depth", depth);
  await page.click("button:text-is('Test')");
  await page.waitForSelector(".answer h1");
}
