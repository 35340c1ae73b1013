// Python for the tests and drivers of the official Python SDK. Creates a virtual environment once for each state of a
// requirements.txt. `node scripts/python.mjs [<requirements folder> <environment folder> [--required]]` prints the path
// of the interpreter (default: that of sdks/a2a-python). It prints nothing if there is no Python to create it with.
// With --required, and in CI on Linux, that is a failure.
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { missingTool } from "./missing-tool.mjs";
import { root, run } from "./steps.mjs";

const self = fileURLToPath(import.meta.url);

/** The environments that tests need, each with the folder of its requirements and its own. The first is the default. */
const environments = ["a2a-python", "a2a-python-0.3"].map((sdk) => [`sdks/${sdk}`, `sdks/${sdk}/.venv`]);

/** Creates these environments in parallel with other tools. Ends the process if a required one cannot be created. */
export async function pythonsReady(wanted = environments) {
  const codes = wanted.map((folders) => {
    const child = spawn(process.execPath, [self, ...folders], { stdio: ["ignore", "ignore", "inherit"] });
    return new Promise((resolve) => child.once("close", resolve));
  });
  if ((await Promise.all(codes)).some((code) => code !== 0)) process.exit(1);
}

const onWindows = process.platform === "win32";

/**
 * Creates the environment if it is missing. Returns the interpreter's path, or `undefined` after printing the reason.
 * Both folders are relative to the repository's root.
 */
async function python(...folders) {
  const [requirementsFolder, venvFolder] = folders.length ? folders : environments[0];
  const folder = join(root, venvFolder);
  const requirements = join(root, requirementsFolder, "requirements.txt");
  const stamp = join(folder, "assay-installed");
  const interpreter = join(folder, onWindows ? "Scripts/python.exe" : "bin/python");
  const wanted = createHash("sha256").update(readFileSync(requirements)).digest("hex");
  // After an update of the system's interpreter, the link is dangling and does not "exist".
  if (existsSync(interpreter) && existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return interpreter;
  const base = findPython();
  if (typeof base !== "string") return withoutPython(base.missing);
  rmSync(folder, { recursive: true, force: true });
  const isMade =
    (await run(`making ${venvFolder}`, base, ["-m", "venv", folder], { quiet: true, mayFail: true })) &&
    (await run(`installing into ${venvFolder}`, interpreter, [...pipInstall, requirements], {
      quiet: true,
      mayFail: true,
    }));
  if (!isMade) return withoutPython("The Python environment could not be made; the reason stands above.");
  writeFileSync(stamp, wanted);
  return interpreter;
}

const pipInstall = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--requirement"];

/** Returns the name of a suitable Python, or a description of what is missing and how to install it. */
function findPython() {
  const probe = "import sys; assert sys.version_info >= (3, 10); import venv, ensurepip";
  let missing;
  for (const name of onWindows ? ["python", "py"] : ["python3", "python"]) {
    const { status, stderr, error } = spawnSync(name, ["-c", probe], { encoding: "utf8" });
    if (status === 0) return name;
    if (error) continue;
    missing ??= stderr.includes("AssertionError")
      ? `${name} is older than 3.10. Install Python 3.10 or newer.`
      : `${name} cannot make virtual environments. Install its venv module (Debian, Ubuntu: apt install python3-venv).`;
  }
  missing ??= "There is no python3. Install Python 3.10 or newer (Debian, Ubuntu: apt install python3 python3-venv).";
  return { missing };
}

function withoutPython(reason) {
  missingTool(
    reason,
    "The tests that need this environment are skipped.",
    process.argv.includes("--required") || undefined,
  );
  return undefined;
}

if (process.argv[1] === self) {
  const path = await python(...process.argv.slice(2).filter((word) => word !== "--required"));
  if (path) process.stdout.write(`${path}\n`);
}
