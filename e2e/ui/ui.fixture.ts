import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Lab, serveUi, type UiServer } from "@assay/web";
import type { BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";
import { createLab } from "../../packages/cli/src/ui/lab.ts";
import { RunFolder } from "../../packages/library/src/runs/run-folder.ts";
import { useBrowser } from "./chromium.fixture.ts";

/** `assay ui` for the tests of one file, with a folder of runs of its own. */
export interface UiBed {
  readonly server: UiServer;
  readonly runs: RunFolder;
  /** Opens a page that knows the token. */
  page(options?: BrowserContextOptions): Promise<Page>;
  /** Asks the API as a program does. */
  ask(method: string, path: string, body?: object): Promise<Response>;
  /** Tests an agent without a page, and returns the name of the finished run. */
  run(wish: { readonly url: string; readonly depth: string }): Promise<string>;
}

export function useUi(change: (lab: Lab) => Lab = (lab) => lab): UiBed {
  const home = mkdtempSync(join(tmpdir(), "assay-ui-"));
  const runs = new RunFolder(home);
  const faults: unknown[] = [];
  let server: UiServer | undefined;
  beforeAll(async () => {
    server = await serveUi({
      host: "127.0.0.1",
      port: 0,
      lab: change(createLab({ folder: runs, timeScale: 0.02 })),
      onError: (error) => faults.push(error),
    });
  });
  afterAll(async () => {
    await server?.close();
    rmSync(home, { recursive: true, force: true });
    expect(faults).toEqual([]);
  });
  // Behind the hook above, so that pages are closed before their server.
  const openPage = useBrowser();
  const ask: UiBed["ask"] = (method, path, body) =>
    fetch(`${server!.url}${path}`, {
      method,
      headers: { Authorization: `Bearer ${server!.token}`, "Content-Type": "application/json" },
      ...(body && { body: JSON.stringify(body) }),
    });
  return {
    get server() {
      return server!;
    },
    runs,
    async page(options) {
      const page = await openPage(options);
      await page.goto(server!.link);
      await page.waitForSelector("nav.rail");
      return page;
    },
    ask,
    async run(wish) {
      const { run } = (await (await ask("POST", "/api/runs", wish)).json()) as { run: string };
      // The events end with the run.
      await (await ask("GET", `/api/runs/${run}/events`)).text();
      return run;
    },
  };
}

/** Starts a test from the address bar, and waits for its answer. */
export async function testFromPage(page: Page, url: string, depth: string): Promise<void> {
  // A run that is still shown would be taken for the answer.
  await page.goto(`${new URL(page.url()).origin}/#/test`);
  await page.waitForSelector("#begin");
  await page.fill("#agent-url", url);
  await page.selectOption("#depth", depth);
  await page.click("button:text-is('Test')");
  await page.waitForSelector(".answer h1");
}
