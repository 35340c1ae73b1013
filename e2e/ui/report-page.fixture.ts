import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { BrowserContextOptions, Page } from "playwright-core";
import { afterAll, expect } from "vitest";
import { html } from "../../packages/reporters/src/html.ts";
import type { Run } from "../../packages/reporters/src/run.ts";
import { useBrowser } from "./chromium.fixture.ts";

/** HTML reports, opened from disk by the tests of one file. */
interface ReportPages {
  /** Opens an empty page. Whatever it prints, or asks for elsewhere, fails the test file. */
  newPage(options?: BrowserContextOptions): Promise<Page>;
  /** Writes the report of a run, and shows it. */
  open(run: Run, at: { readonly hash?: string; readonly on: Page }): Promise<void>;
  /** Writes the report of a run, and returns its address. */
  write(run: Run): string;
}

export function useReportPages(): ReportPages {
  const folder = mkdtempSync(join(tmpdir(), "assay-report-"));
  const complaints: string[] = [];
  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
    expect(complaints).toEqual([]);
  });
  const openPage = useBrowser();
  let reports = 0;
  const write = (run: Run): string => {
    const file = join(folder, `${reports++}.html`);
    writeFileSync(file, html(run));
    return pathToFileURL(file).href;
  };
  return {
    async newPage(options) {
      const page = await openPage(options);
      page.on("console", (message) => complaints.push(message.text()));
      page.on("request", (request) => {
        if (!request.url().startsWith(pathToFileURL(folder).href)) complaints.push(request.url());
      });
      return page;
    },
    write,
    async open(run, { hash = "", on }) {
      await on.goto(`${write(run)}${hash}`);
      await on.waitForSelector(".answer h1");
    },
  };
}
