// Pictures of pages for the docs: light theme, WebP, small enough to be committed.
import { chromium } from "playwright-core";

/** Opens a browser with one page, and closes it afterwards. */
export async function withBrowser(use, { width = 1280, height = 780 } = {}) {
  const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] });
  try {
    const context = await browser.newContext({ viewport: { width, height }, colorScheme: "light" });
    await use(await context.newPage());
  } finally {
    await browser.close();
  }
}

/** No picture in the repository is larger. */
const mostBytes = 60_000;

/** What a page shows, as WebP. Playwright writes PNG and JPEG alone, so the browser is asked itself. */
export async function pictureOf(page) {
  await page.waitForTimeout(300);
  const session = await page.context().newCDPSession(page);
  for (let quality = 45; ; quality -= 10) {
    const { data } = await session.send("Page.captureScreenshot", { format: "webp", quality });
    const picture = Buffer.from(data, "base64");
    if (picture.length <= mostBytes || quality <= 15) return picture;
  }
}
