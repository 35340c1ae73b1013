// Installs Debian packages, but only as root on Debian and its derivatives. Elsewhere the step that needs them prints
// the command.
import { existsSync, readFileSync } from "node:fs";
import { run } from "./steps.mjs";

const canInstall = () =>
  process.getuid?.() === 0 &&
  existsSync("/etc/os-release") &&
  /^ID(_LIKE)?=.*debian/m.test(readFileSync("/etc/os-release", "utf8"));

/** Only one apt-get can run at a time. */
let earlier = Promise.resolve();
let areListsRead = false;

/** Installs these packages where possible. Returns true if they were installed. */
export function aptInstall(title, ...packages) {
  if (!canInstall()) return Promise.resolve(false);
  const installed = earlier.then(async () => {
    const quietly = { quiet: true, mayFail: true, env: { DEBIAN_FRONTEND: "noninteractive" } };
    if (!areListsRead) areListsRead = await run("reading the package lists", "apt-get", ["update", "-q"], quietly);
    return run(`installing ${title}`, "apt-get", ["install", "-qy", "--no-install-recommends", ...packages], quietly);
  });
  earlier = installed;
  return installed;
}
