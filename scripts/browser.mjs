// A browser for the tests of the page: Debian's Chromium, installed where that is possible. In CI on Linux a missing one is a failure.
import { spawnSync } from "node:child_process";
import { aptInstall } from "./apt.mjs";
import { missingTool } from "./missing-tool.mjs";

const isThere = () => spawnSync("chromium", ["--version"], { stdio: "ignore" }).status === 0;

/** Installs it unless it is there. If it is required and cannot be installed, the process ends. */
export async function browserReady() {
  if (isThere()) return;
  await aptInstall("Chromium", "chromium");
  if (isThere()) return;
  missingTool("There is no Chromium. Debian: apt install chromium.", "The page is not tested in a browser.");
}
