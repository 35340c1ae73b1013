// Collects the libraries that the image installs next to assay for its optional features. Their names are in the
// packages that load them, and the versions of their dependencies in package-lock.json. Writes the files in
// deploy/image.
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Not needed, because the image's Node includes SQLite. */
const leftOut = ["libsql"];

/** Returns `package.json` and `package-lock.json` of the image as texts. */
export function imageLockOf(root) {
  const readJson = (path) => JSON.parse(readFileSync(join(root, path), "utf8"));
  const { packages } = readJson("package-lock.json");
  const optional = ["agents", "fleet", "storage"].map(
    (name) => readJson(`packages/${name}/package.json`).optionalDependencies,
  );
  const dependencies = inOrder(
    Object.entries(Object.assign({}, ...optional)).filter(([name]) => !leftOut.includes(name)),
  );
  const head = { name: "assay-image", version: "0.0.0", private: true, license: "Apache-2.0", dependencies };
  const { private: _private, ...locked } = head;
  const lock = {
    name: head.name,
    version: head.version,
    lockfileVersion: 3,
    requires: true,
    packages: { "": locked, ...closureOf(dependencies, packages) },
  };
  return { manifest: text(head), lock: text(lock) };
}

const text = (json) => `${JSON.stringify(json, null, 2)}\n`;
const inOrder = (entries) => Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));

/** Returns all direct and indirect dependencies with their places in the lockfile. Optional ones are marked. */
function closureOf(dependencies, packages) {
  const needed = new Map();
  const visit = (from, names, isOptional) => {
    for (const name of names) {
      const place = placeOf(name, from, packages);
      if (place === undefined) {
        if (isOptional) continue;
        throw new Error(`${name}, which ${from || "the image"} needs, is not in package-lock.json.`);
      }
      const known = needed.get(place);
      // Visit a package again if it was optional before and is required now.
      if (known !== undefined && (known === isOptional || !known)) continue;
      needed.set(place, isOptional);
      const {
        dependencies: must = {},
        optionalDependencies: may = {},
        peerDependencies = {},
        peerDependenciesMeta = {},
      } = packages[place];
      const peers = Object.keys(peerDependencies).filter((peer) => !peerDependenciesMeta[peer]?.optional);
      visit(place, [...Object.keys(must), ...peers], isOptional);
      visit(place, Object.keys(may), true);
    }
  };
  visit("", Object.keys(dependencies), false);
  return inOrder(
    [...needed].map(([place, isOptional]) => {
      const { dev, optional, devOptional, peer, resolved, optionalDependencies = {}, ...entry } = packages[place];
      // The lockfile lacks binaries of other platforms. Listing them would make npm report them as missing.
      const had = Object.entries(optionalDependencies).filter(([name]) => placeOf(name, place, packages));
      return [
        place,
        {
          ...entry,
          ...(had.length > 0 && { optionalDependencies: Object.fromEntries(had) }),
          ...(isOptional && { optional: true }),
        },
      ];
    }),
  );
}

/** Returns the place where Node would find a package that a package at `from` imports. */
function placeOf(name, from, packages) {
  const inside = from === "" ? undefined : `${from}/node_modules/${name}`;
  if (inside !== undefined && packages[inside]) return inside;
  if (from === "") return packages[`node_modules/${name}`] ? `node_modules/${name}` : undefined;
  const above = from.lastIndexOf("/node_modules/");
  return placeOf(name, above < 0 ? "" : from.slice(0, above), packages);
}
