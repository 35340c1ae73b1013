// Installs Debian's Chromium for the tests of the page, where possible. In CI on Linux a missing browser is a failure.
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { aptInstall } from "./apt.mjs";
import { missingTool } from "./missing-tool.mjs";

/** Returns the path of Chromium, or undefined if no folder of PATH has it. */
export const chromiumPath = () =>
  (process.env.PATH ?? "")
    .split(delimiter)
    .map((folder) => join(folder, "chromium"))
    .find((file) => existsSync(file));

/** Installs Chromium if it is missing. Ends the process if it is required and cannot be installed. */
export async function browserReady() {
  if (chromiumPath()) return;
  await aptInstall("Chromium", "chromium");
  if (chromiumPath()) return;
  missingTool("There is no Chromium. Debian: apt install chromium.", "The page is not tested in a browser.");
}
