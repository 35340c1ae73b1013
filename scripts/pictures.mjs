// Takes pictures of pages for the docs: light theme, WebP, small enough to be committed.
import { chromium } from "playwright-core";
import { chromiumPath } from "./browser.mjs";

/** Opens a browser with one page, and closes it afterwards. */
export async function withBrowser(use, { width = 1280, height = 780 } = {}) {
  const browser = await chromium.launch({ executablePath: chromiumPath() ?? "chromium", args: ["--no-sandbox"] });
  try {
    const context = await browser.newContext({ viewport: { width, height }, colorScheme: "light" });
    await use(await context.newPage());
  } finally {
    await browser.close();
  }
}

/** Intended maximum size of a picture in the repository. */
export const mostBytes = 60_000;

/** Returns a picture of the page as WebP. Playwright only writes PNG and JPEG, so ask the browser directly. */
export async function pictureOf(page) {
  await page.waitForTimeout(300);
  const session = await page.context().newCDPSession(page);
  for (let quality = 45; ; quality -= 10) {
    const { data } = await session.send("Page.captureScreenshot", { format: "webp", quality });
    const picture = Buffer.from(data, "base64");
    if (picture.length <= mostBytes || quality <= 15) return picture;
  }
}
