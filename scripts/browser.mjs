// A browser for the tests of the page: Debian's Chromium, installed where that can be done. With CI=true a missing one is a failure.
import { spawnSync } from "node:child_process";
import { aptInstall } from "./apt.mjs";

const isThere = () => spawnSync("chromium", ["--version"], { stdio: "ignore" }).status === 0;

/** Installs it unless it is there; where it must be had and cannot, the process ends. */
export function browserReady() {
  if (isThere()) return;
  aptInstall("chromium", "chromium");
  if (isThere()) return;
  process.stderr.write("There is no chromium, so the page is not tested in a browser: apt-get install chromium\n");
  if (process.env.CI === "true") process.exit(1);
}
