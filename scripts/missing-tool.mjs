// Reports a tool that npm does not install and that is missing on this machine.

/** The CI workflow installs every tool on Linux. On macOS and Windows, tests print what they skip. */
const isPromised = process.env.CI === "true" && process.platform === "linux";

/** Prints the missing tool and the skipped tests. Ends the process if the tool is required. */
export function missingTool(reason, leftOut, isRequired = isPromised) {
  process.stderr.write(`${isRequired ? "✗" : "–"} ${reason}\n`);
  if (isRequired) process.exit(1);
  process.stderr.write(`  ${leftOut}\n`);
}
