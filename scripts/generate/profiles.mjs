// Measures the clients of sdks/clients/clients.yaml, and writes their profiles to packages/suite/profiles.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { root, run, runTool } from "../steps.mjs";

const folder = "packages/suite/profiles";

/** Writes the profiles of these clients, or of all. A client that cannot be set up keeps the profile it has. */
export async function generateProfiles(ids) {
  const clients = parse(readFileSync(join(root, "sdks/clients/clients.yaml"), "utf8"));
  const unknown = ids.filter((id) => !clients.some((client) => client.id === id));
  if (unknown.length > 0) throw new Error(`Unknown clients: ${unknown.join(", ")}. clients.yaml lists them.`);
  for (const client of clients.filter(({ id }) => ids.length === 0 || ids.includes(id))) {
    let isSetUp = true;
    for (const [command, ...args] of client.setup ?? [])
      isSetUp &&= await run(`setting up ${client.id}`, command, args, { quiet: true, mayFail: true });
    if (isSetUp) await measure(client);
    else process.stderr.write(`✗ ${client.id} could not be set up, so its profile stays as it is\n`);
  }
  await runTool("formatting", "biome", ["format", "--write", folder], { quiet: true });
}

async function measure({ id, name, version, command }) {
  const words = ["client", "--no-record", "--stdin", "--timeout", "30", "--json", "--as", `${name}@${version}`];
  const args = ["packages/cli/bin/assay.js", ...words, "--write-profile", `${folder}/${id}.json`, "--", ...command];
  process.stderr.write(`▸ measuring ${name} ${version} …\n`);
  const child = spawn(process.execPath, args, { cwd: root, stdio: ["ignore", "ignore", "inherit"] });
  // Most clients break a rule or two, which is not the question here.
  await new Promise((resolve) => child.once("close", resolve));
}
