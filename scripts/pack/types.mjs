import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { root } from "../steps.mjs";

const entries = ["library/index.d.ts", "suite/report/index.d.ts"];

/**
 * Matches `import type { A, B as C } from "…"` and `export { A } from "…"`: the words before the braces, the names, the
 * module.
 */
const statement = /^((?:import|export)(?: type)?) \{([^}]*)\} from ["']([^"']+)["'];/gm;

/**
 * Copies the declarations that the exports reach to types/<workspace>/…. An import from a workspace becomes an import
 * from the file that declares the name. Throws if a declaration needs another package, because it would not compile for
 * users.
 */
export function copyTypes(folder) {
  const seen = new Set();
  const waiting = [...entries];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (seen.has(file)) continue;
    seen.add(file);
    const text = read(file).replace(statement, (whole, words, names, specifier) => {
      if (specifier.startsWith("node:")) return whole;
      const lines = byOrigin(file, names, specifier).map(([origin, own]) => {
        waiting.push(origin);
        return `${words} { ${own.join(", ")} } from "${pathBetween(file, origin)}";`;
      });
      return lines.join("\n");
    });
    const stray = /^(?:import|export)\b[^;]*\bfrom ["'](?!\.|node:)([^"']+)/m.exec(text)?.[1];
    if (stray !== undefined) throw new Error(`${file} needs the types of ${stray}, which is not installed with us`);
    const target = join(folder, "types", file);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, text.replace(/^\/\/# sourceMappingURL=.*$/m, ""));
  }
}

/** Groups the imported names by the file that declares them. */
function byOrigin(file, names, specifier) {
  const place = placeOf(file, specifier);
  const groups = new Map();
  for (const name of namesIn(names)) {
    const origin = specifier.startsWith(".") ? place : originOf(place, name.replace(/^type /, "").split(" as ")[0]);
    groups.set(origin, [...(groups.get(origin) ?? []), name]);
  }
  return [...groups];
}

/** Returns the file that declares a name which this file may only re-export, by name or with `export *`. */
function originOf(file, name) {
  return findIn(file, name) ?? file;
}

function findIn(file, name) {
  const text = read(file);
  for (const [, , names, specifier] of text.matchAll(statement)) {
    const passed = namesIn(names).find(
      (each) =>
        each
          .replace(/^type /, "")
          .split(" as ")
          .at(-1) === name,
    );
    if (passed !== undefined) return originOf(placeOf(file, specifier), passed.replace(/^type /, "").split(" as ")[0]);
  }
  if (new RegExp(`^export (?:declare )?(?:abstract )?[a-z]+ ${name}\\b`, "m").test(text)) return file;
  for (const [, specifier] of text.matchAll(/^export \* from ["']([^"']+)["'];/gm)) {
    const found = findIn(placeOf(file, specifier), name);
    if (found !== undefined) return found;
  }
  return undefined;
}

const namesIn = (names) =>
  names
    .split(",")
    .map((name) => name.trim())
    .filter(Boolean);

/** Reads a declaration: suite/report/index.d.ts is packages/suite/dist/report/index.d.ts. */
function read(file) {
  const [workspace, ...path] = file.split("/");
  return readFileSync(join(root, "packages", workspace, "dist", ...path), "utf8");
}

/** Returns the declaration file of an import. */
function placeOf(from, specifier) {
  if (specifier.startsWith(".")) return join(dirname(from), specifier).replace(/\.(ts|js)$/, ".d.ts");
  const [, workspace, , path] = /^@assay\/([^/]+)(\/(.+))?$/.exec(specifier) ?? [];
  if (workspace === undefined)
    throw new Error(`${from} needs the types of ${specifier}, which is not installed with us`);
  const { exports } = JSON.parse(readFileSync(join(root, "packages", workspace, "package.json"), "utf8"));
  return exports[path === undefined ? "." : `./${path}`].types.replace("./dist", workspace);
}

function pathBetween(from, to) {
  const path = relative(dirname(from), to).replace(/\.d\.ts$/, ".js");
  return path.startsWith(".") ? path : `./${path}`;
}
