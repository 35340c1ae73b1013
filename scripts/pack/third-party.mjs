import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../steps.mjs";

/**
 * Returns the third-party packages that these files belong to, sorted by name, with version, licence and licence text.
 */
export function bundledPackages(inputs) {
  const folders = new Set(inputs.flatMap((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []));
  return [...folders].map(readPackage).toSorted((a, b) => a.name.localeCompare(b.name));
}

function readPackage(folder) {
  const place = join(root, folder);
  const { name, version, license, homepage, repository } = JSON.parse(
    readFileSync(join(place, "package.json"), "utf8"),
  );
  if (typeof license !== "string") throw new Error(`${name} does not say its licence in the form that SPDX has for it`);
  return { name, version, license, homepage: homepage ?? repository?.url, text: licenceIn(place) };
}

/** Returns the licence text. Some packages name their licence but do not contain its text. */
function licenceIn(place) {
  const file = readdirSync(place).find((each) => /^(licen[cs]e|copying)(\.(md|txt))?$/i.test(each));
  return file !== undefined && existsSync(join(place, file))
    ? readFileSync(join(place, file), "utf8").trim()
    : undefined;
}
