// Packages of Debian: installed by us only as root on Debian and what is made from it; elsewhere the step that needs them prints the command.
import { existsSync, readFileSync } from "node:fs";
import { run } from "./steps.mjs";

const canInstall = () =>
  process.getuid?.() === 0 &&
  existsSync("/etc/os-release") &&
  /^ID(_LIKE)?=.*debian/m.test(readFileSync("/etc/os-release", "utf8"));

let areListsRead = false;

/** Installs these packages where that can be done; whether it was. */
export function aptInstall(title, ...packages) {
  if (!canInstall()) return false;
  const quietly = { quiet: true, mayFail: true, env: { DEBIAN_FRONTEND: "noninteractive" } };
  if (!areListsRead) areListsRead = run("reading the lists of packages", "apt-get", ["update", "-q"], quietly);
  return run(`installing ${title}`, "apt-get", ["install", "-qy", "--no-install-recommends", ...packages], quietly);
}
