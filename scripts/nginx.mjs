// nginx for the tests of `assay gateway`: installed as root on Debian; elsewhere the command is printed, and in CI on Linux that is a failure.
import { spawnSync } from "node:child_process";
import { aptInstall } from "./apt.mjs";
import { missingTool } from "./missing-tool.mjs";

const isThere = () => spawnSync("nginx", ["-v"]).status === 0;

/** Installs nginx if that is possible. If it is missing and required, the process ends. */
export async function nginxReady() {
  if (isThere() || ((await aptInstall("nginx", "nginx")) && isThere())) return true;
  missingTool(
    "There is no nginx. Install it (Debian, Ubuntu: apt install nginx).",
    "Its tests as a gateway are skipped.",
  );
  return false;
}
