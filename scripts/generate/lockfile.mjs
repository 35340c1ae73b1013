// Completes package-lock.json with the native packages of other platforms. npm leaves out those that its registry does
// not have, and `npm ci` then rejects the lockfile.
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../made-from.mjs";

const systems = ["android", "darwin", "freebsd", "linux", "netbsd", "openbsd", "openharmony", "sunos", "win32"];
const processors = ["arm", "arm64", "ia32", "loong64", "mips64el", "ppc64", "riscv64", "s390x", "wasm32", "x64"];

export function generateLockfile() {
  const path = join(root, "package-lock.json");
  const lock = completed(JSON.parse(readFileSync(path, "utf8")), registered);
  writeFileSync(path, `${JSON.stringify(lock, null, 2)}\n`);
}

/** Asks the registry for the digest of a package. */
function registered(spec) {
  const shell = process.platform === "win32";
  const { stdout } = spawnSync("npm", ["view", spec, "dist.integrity"], { encoding: "utf8", shell });
  return /^sha512-\S+/.exec(stdout)?.[0];
}

/** Returns the optional packages that the lockfile needs and does not list, each with properties of the package that needs it. */
export function missingOptional({ packages }) {
  const listed = new Set(Object.keys(packages).map((path) => path.replace(/^.*node_modules\//, "")));
  return Object.values(packages).flatMap(({ optionalDependencies = {}, dev, license }) =>
    Object.entries(optionalDependencies)
      .filter(([name]) => !listed.has(name))
      .map(([name, version]) => ({ name, version, dev, license })),
  );
}

/**
 * Returns the lockfile with an entry for each missing package. Without a digest, npm adds it where it installs the package.
 */
export function completed(lock, digestOf = () => undefined) {
  const added = missingOptional(lock).map(({ name, version, dev, license }) => {
    const integrity = digestOf(`${name}@${version}`);
    const entry = {
      version,
      ...(integrity && { integrity }),
      ...platformOf(name),
      optional: true,
      ...(dev && { dev }),
      ...(license && { license }),
    };
    return [`node_modules/${name}`, Object.fromEntries(Object.entries(entry).toSorted(byMember))];
  });
  const packages = [...Object.entries(lock.packages), ...added].toSorted(([a], [b]) => a.localeCompare(b, "en"));
  return { ...lock, packages: Object.fromEntries(packages) };
}

/** npm writes the version and the digest first. */
const first = ["version", "integrity"];
const placeOf = (name) => (first.includes(name) ? first.indexOf(name) : first.length);
const byMember = ([a], [b]) => placeOf(a) - placeOf(b) || (a < b ? -1 : 1);

/** Reads the platform from the name of a package. */
function platformOf(name) {
  const words = name.split(/[-/]/);
  const [os, cpu] = [systems, processors].map((known) => known.find((word) => words.includes(word)));
  if (!os || !cpu)
    throw new Error(`The name of ${name} says no platform. Install it with npm, then commit the lockfile.`);
  const libc = words.some((word) => word.startsWith("musl"))
    ? "musl"
    : words.some((word) => word.startsWith("gnu")) && "glibc";
  return { os: [os], cpu: [cpu], ...(os === "linux" && libc && { libc: [libc] }) };
}
