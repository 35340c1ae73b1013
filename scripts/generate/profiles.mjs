// Measures the clients of sdks/clients/clients.yaml, and writes their profiles to packages/suite/profiles.
import { spawn } from "node:child_process";
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse } from "yaml";
import { root, run, runTool } from "../steps.mjs";

const folder = "packages/suite/profiles";

/** Writes the profiles of these clients, or of all. A client that cannot be set up keeps its profile. */
export async function generateProfiles(ids) {
  const clients = parse(readFileSync(join(root, "sdks/clients/clients.yaml"), "utf8"));
  const unknown = ids.filter((id) => !clients.some((client) => client.id === id));
  if (unknown.length > 0) throw new Error(`Unknown clients: ${unknown.join(", ")}. clients.yaml lists them.`);
  for (const client of clients.filter(({ id }) => ids.length === 0 || ids.includes(id))) {
    let isSetUp = true;
    for (const [command, ...args] of client.setup ?? [])
      isSetUp &&= await run(`setting up ${client.id}`, command, args, { quiet: true, mayFail: true });
    if (!isSetUp) process.stderr.write(`✗ ${client.id} could not be set up, so its profile stays as it is\n`);
    if (!isSetUp || !(await measure(client))) process.exitCode = 1;
  }
  await runTool("formatting", "biome", ["format", "--write", folder], { quiet: true });
}

/** Measures one client. Assay writes no profile if the client could not start, sent nothing or was interrupted. */
async function measure({ id, name, version, command }) {
  const made = mkdtempSync(join(tmpdir(), "assay-profile-"));
  const file = join(made, `${id}.json`);
  const words = ["client", "--no-record", "--stdin", "--timeout", "30", "--json", "--as", `${name}@${version}`];
  const args = ["packages/cli/bin/assay.js", ...words, "--write-profile", file, "--", ...command];
  process.stderr.write(`▸ measuring ${name} ${version} …\n`);
  const child = spawn(process.execPath, args, { cwd: root, stdio: ["ignore", "ignore", "inherit"] });
  // The exit code only says if the client breaks a rule, so ignore it.
  await new Promise((resolve) => child.once("close", resolve));
  const isMade = existsSync(file);
  if (isMade) copyFileSync(file, join(root, folder, `${id}.json`));
  else process.stderr.write(`✗ ${id} could not be measured, so its profile stays as it is\n`);
  rmSync(made, { recursive: true });
  return isMade;
}
