import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { afterAll, expect } from "vitest";
// @ts-expect-error: the scripts are plain JavaScript
import { chromiumPath } from "../../scripts/browser.mjs";
import { toolsArePromised } from "../fixtures/promised-tools.fixture.ts";

const executable: string | undefined = chromiumPath();

/** Where every tool is promised, a missing browser is a failure. */
export const hasBrowser = toolsArePromised || executable !== undefined;

/** One browser for all test files of a worker; it ends with the worker's process. */
let launched: Promise<Browser> | undefined;
const browser = (): Promise<Browser> => {
  launched ??= chromium.launch({
    executablePath: executable ?? "chromium",
    args: ["--no-sandbox", "--disable-gpu"],
    // Playwright would end the worker when the test of another file sends itself a Ctrl-C.
    handleSIGINT: false,
  });
  return launched;
};

/** Opens pages for the tests of one file, each in its own context. An error in any of them fails the file. */
export function useBrowser(): (options?: BrowserContextOptions) => Promise<Page> {
  const contexts: BrowserContext[] = [];
  const complaints: string[] = [];
  afterAll(async () => {
    for (const context of contexts) await context.close();
    expect(complaints).toEqual([]);
  });
  return async (options) => {
    const context = await (await browser()).newContext({ viewport: { width: 1280, height: 800 }, ...options });
    contexts.push(context);
    const page = await context.newPage();
    // A little less than a test may take: this error names what did not appear.
    page.setDefaultTimeout(280_000);
    page.on("pageerror", (error) => complaints.push(error.message));
    page.on("console", (message) => {
      if (message.type() === "error") complaints.push(message.text());
    });
    return page;
  };
}
