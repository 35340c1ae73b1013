// The libraries that the image installs beside assay, for its optional parts: what they are stands in the packages that load
// them, and which versions of what they need stands in package-lock.json. deploy/image is made of both.
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The Node of the image has SQLite of its own. */
const leftOut = ["libsql"];

/** `package.json` and `package-lock.json` of the image, as texts. */
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

/** All that these need, at the places where the lockfile has it. What is only needed if it can be had says so. */
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
      // What is needed anyway is seen again where it was only an option before.
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
      // Those of other platforms are in no lockfile that was made on one: named, they would be missed.
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

/** Where Node would find a package that one at `from` asks for. */
function placeOf(name, from, packages) {
  const inside = from === "" ? undefined : `${from}/node_modules/${name}`;
  if (inside !== undefined && packages[inside]) return inside;
  if (from === "") return packages[`node_modules/${name}`] ? `node_modules/${name}` : undefined;
  const above = from.lastIndexOf("/node_modules/");
  return placeOf(name, above < 0 ? "" : from.slice(0, above), packages);
}
