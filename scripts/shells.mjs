// Shells for the tests of completion scripts, and mandoc for the test of the man page. As root on Debian it installs
// them. Elsewhere it prints the command; in CI on Linux that is a failure. `npm run check` only prints it.
import { spawnSync } from "node:child_process";
import { aptInstall } from "./apt.mjs";
import { missingTool } from "./missing-tool.mjs";

const programs = ["bash", "zsh", "fish", "mandoc"];

const missing = () => programs.filter((name) => spawnSync(name, ["-c", "exit"]).error !== undefined);

/** Installs the missing programs where possible. */
export async function shellsReady() {
  if (missing().length) await aptInstall("shells", ...missing());
  tellMissingShells();
}

/** Prints the programs that are missing, and which tests are skipped. If `isRequired`, it ends the process. */
export function tellMissingShells(isRequired) {
  if (missing().length === 0) return;
  const names = missing().join(" ");
  missingTool(
    `Missing programs: ${names}. Install them (Debian, Ubuntu: apt install ${names}).`,
    "Their tests of completion and man page are skipped.",
    isRequired,
  );
}
