// Makes packages/suite/dist/profiles.js from the client profiles in packages/suite/profiles, for programs without
// files. `npm run build` and every run of vitest (`globalSetup`) call it, so that no test uses an old one.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { isFresh, root, writeMade } from "./made-from.mjs";

const folder = "packages/suite/profiles";
const target = "packages/suite/dist/profiles.js";

// biome-ignore lint/style/noDefaultExport: vitest calls the default export before the tests
export default function buildProfiles() {
  const names = existsSync(join(root, folder)) ? readdirSync(join(root, folder)).sort() : [];
  const files = names.filter((name) => name.endsWith(".json")).map((name) => `${folder}/${name}`);
  const inputs = [...files, "scripts/profiles.mjs"];
  if (isFresh(target, inputs)) return;
  const texts = files.map((file) => JSON.stringify(JSON.parse(readFileSync(join(root, file), "utf8"))));
  writeMade(target, `export const profiles = [${texts.join(",")}];\n`, inputs);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) buildProfiles();
