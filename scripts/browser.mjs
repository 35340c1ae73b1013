// A browser for the tests of the page: Debian's Chromium, installed where that is possible. With CI=true a missing one is a failure.
import { spawnSync } from "node:child_process";
import { aptInstall } from "./apt.mjs";

const isThere = () => spawnSync("chromium", ["--version"], { stdio: "ignore" }).status === 0;

/** Installs it unless it is there. If it is required and cannot be installed, the process ends. */
export async function browserReady() {
  if (isThere()) return;
  await aptInstall("Chromium", "chromium");
  if (isThere()) return;
  process.stderr.write("There is no chromium, so the page is not tested in a browser: apt-get install chromium\n");
  if (process.env.CI === "true") process.exit(1);
}
