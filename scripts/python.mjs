// Python for the tests and drivers of the official Python SDK: virtual environments, each made once for each
// state of a requirements.txt. `node scripts/python.mjs [<requirements folder> <environment folder> [--required]]` prints
// the path of the interpreter, that of sdks/a2a-python unless told, or nothing where there is no Python to make it with; with
// --required, and in CI on Linux, that is a failure.
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { missingTool } from "./missing-tool.mjs";
import { root, run } from "./steps.mjs";

const self = fileURLToPath(import.meta.url);

/** Every environment that tests need: the folder of its requirements, and its own; the first is the default. */
const environments = ["a2a-python", "a2a-python-0.3"].map((sdk) => [`sdks/${sdk}`, `sdks/${sdk}/.venv`]);

/** Makes them all, side by side and beside whatever else is set up; where one must be had and cannot, the process ends. */
export async function pythonsReady(wanted = environments) {
  const codes = wanted.map((folders) => {
    const child = spawn(process.execPath, [self, ...folders], { stdio: ["ignore", "ignore", "inherit"] });
    return new Promise((resolve) => child.once("close", resolve));
  });
  if ((await Promise.all(codes)).some((code) => code !== 0)) process.exit(1);
}

const onWindows = process.platform === "win32";

/**
 * Makes the environment unless it is there; returns the interpreter's path, or `undefined` after saying why not.
 * Both folders are seen from the repository's root.
 */
async function python(...folders) {
  const [requirementsFolder, venvFolder] = folders.length ? folders : environments[0];
  const folder = join(root, venvFolder);
  const requirements = join(root, requirementsFolder, "requirements.txt");
  const stamp = join(folder, "assay-installed");
  const interpreter = join(folder, onWindows ? "Scripts/python.exe" : "bin/python");
  const wanted = createHash("sha256").update(readFileSync(requirements)).digest("hex");
  // An interpreter that was updated away leaves a dangling link, which does not "exist".
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

/** The name of a Python that will do, or what is missing and how to get it. */
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
