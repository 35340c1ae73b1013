// A tool that npm does not install, and that this machine does not have.

/** The CI workflow has every tool on Linux. On macOS and Windows, tests say what they leave out. */
const isPromised = process.env.CI === "true" && process.platform === "linux";

/** Prints what is missing and what is left out. Where the tool must be there, it ends the process. */
export function missingTool(reason, leftOut, isRequired = isPromised) {
  process.stderr.write(`${isRequired ? "✗" : "–"} ${reason}\n`);
  if (isRequired) process.exit(1);
  process.stderr.write(`  ${leftOut}\n`);
}
