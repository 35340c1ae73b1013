// Installs Bubblewrap as root on Debian, for the test that starts the image's file system in namespaces. Elsewhere it
// prints the command; in CI on Linux a missing Bubblewrap is a failure.
import { spawnSync } from "node:child_process";
import { aptInstall } from "./apt.mjs";
import { missingTool } from "./missing-tool.mjs";

export async function bubblewrapReady() {
  const isThere = () => spawnSync("bwrap", ["--version"]).status === 0;
  if (isThere() || ((await aptInstall("bubblewrap", "bubblewrap")) && isThere())) return;
  missingTool(
    "There is no bubblewrap. Install it (Debian, Ubuntu: apt install bubblewrap).",
    "The test that starts the image is skipped.",
  );
}
