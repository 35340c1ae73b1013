// `npm run pack`: makes the one package that is published, dist/a2a-assay-<version>.tgz, out of all workspaces.
// Its parts lie in dist/package: the bundle, its types, the schemas, the licences of what is bundled, a list of materials.
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { bundle } from "./pack/bundle.mjs";
import { manifestOf } from "./pack/manifest.mjs";
import { materialsOf } from "./pack/materials.mjs";
import { noticeOf } from "./pack/notice.mjs";
import { bundledPackages } from "./pack/third-party.mjs";
import { copyTypes } from "./pack/types.mjs";
import { build, install, root } from "./steps.mjs";

/** What the package may weigh, packed: a bundle that grows by accident is noticed here. */
const mostBytes = 2_250_000;

/** What may be loaded before any command begins: the flags of all of them, and nothing that one of them does. */
const mostAtStart = 300_000;

await install();
await build();
const own = JSON.parse(readFileSync(join(root, "packages/cli/package.json"), "utf8"));
const folder = join(root, "dist/package");
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });

const { inputs, startBytes } = await bundle(folder);
// The viewer is bundled as text; the packages it consists of are in the manifest of its workspace.
const viewer = JSON.parse(readFileSync(join(root, "packages/viewer/package.json"), "utf8"));
const inViewer = Object.keys(viewer.dependencies).filter((name) => !name.startsWith("@assay/"));
const parts = bundledPackages([...inputs, ...inViewer.map((name) => `node_modules/${name}/package.json`)]);
copyTypes(folder);
cpSync(join(root, "packages/suite/schemas"), join(folder, "schemas"), { recursive: true });
cpSync(join(root, "packages/cli/schemas"), join(folder, "schemas"), { recursive: true });
cpSync(join(root, "packages/scenarios/schemas"), join(folder, "schemas"), { recursive: true });
cpSync(join(root, "packages/fleet/schemas"), join(folder, "schemas"), { recursive: true });
for (const file of ["LICENSE", "CHANGELOG.md", "SECURITY.md"]) cpIfThere(file);
cpSync(join(root, "skills"), join(folder, "skills"), { recursive: true });
// The pages of docs/ tell their readers to run the one and to read the other.
for (const file of ["acceptance.yaml", "sdks/skills.json"]) cpSync(join(root, file), join(folder, file));
// Help texts and errors name pages of docs/.
cpSync(join(root, "docs"), join(folder, "docs"), { recursive: true, filter: isShippedPage });
cpSync(join(root, "packages/cli/PACKAGE.md"), join(folder, "README.md"));
writeFileSync(join(folder, "NOTICE"), noticeOf(parts));
writeFileSync(join(folder, "package.json"), `${JSON.stringify(manifestOf(own), null, 2)}\n`);
writeFileSync(join(folder, "sbom.cdx.json"), `${JSON.stringify(materialsOf(own, parts), null, 2)}\n`);

const packed = spawnSync("npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", ".."], {
  cwd: folder,
  encoding: "utf8",
  shell: process.platform === "win32",
});
if (packed.status !== 0) {
  process.stderr.write(packed.stderr);
  process.exit(packed.status ?? 1);
}
const told = JSON.parse(packed.stdout);
const { filename, unpackedSize, entryCount } = Array.isArray(told) ? told[0] : Object.values(told)[0];
const tarball = join(root, "dist", filename);
const { size } = statSync(tarball);
process.stdout.write(
  `dist/${filename}: ${kilobytes(size)} packed, ${kilobytes(unpackedSize)} unpacked, ${entryCount} files, ` +
    `no required dependencies, ${parts.length} packages bundled (NOTICE, sbom.cdx.json); ${kilobytes(startBytes)} loaded at start\n`,
);
if (startBytes > mostAtStart) {
  process.stderr.write(`More than ${kilobytes(mostAtStart)} are loaded at start: some command imports what it does.\n`);
  process.exit(1);
}
if (size > mostBytes) {
  process.stderr.write(`The package is larger than ${kilobytes(mostBytes)}: look at what was bundled.\n`);
  process.exit(1);
}

/** Pages at the top of docs/; pictures, decisions and findings stay in the repository. */
function isShippedPage(path) {
  const page = relative(join(root, "docs"), path);
  return page === "" || /^[\w-]+\.md$/.test(page);
}

function cpIfThere(file) {
  try {
    cpSync(join(root, file), join(folder, file));
  } catch (error) {
    if (error.code !== "ENOENT") throw error;
  }
}

function kilobytes(bytes) {
  return `${Math.round(bytes / 1000)} kB`;
}
