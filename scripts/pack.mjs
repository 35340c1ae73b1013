// `npm run pack [-- <folder>]`: makes the published package, dist/a2a-assay-<version>.tgz, from all workspaces. Its
// content is in dist/package: the bundle, its types, the schemas, the man page, the licences of bundled packages, and a
// list of materials.
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { generatedPages } from "./docs/generated-pages.mjs";
import { bundle } from "./pack/bundle.mjs";
import { linkPages } from "./pack/links.mjs";
import { manifestOf } from "./pack/manifest.mjs";
import { materialsOf } from "./pack/materials.mjs";
import { noticeOf } from "./pack/notice.mjs";
import { schemaFolders } from "./pack/schemas.mjs";
import { bundledPackages } from "./pack/third-party.mjs";
import { copyTypes } from "./pack/types.mjs";
import { build, install, root } from "./steps.mjs";

/** Maximum size of the packed package, to notice a bundle that grows by accident. */
const mostBytes = 2_400_000;

/** The generated pages for readers of the package. The rules are in `assay explain`. */
const shippedReference = ["reference/config.md", "reference/report.md"];

/** Maximum bytes to load before any command begins: the flags of all commands, but not their code. */
const mostAtStart = 300_000;

await install();
await build();
const own = JSON.parse(readFileSync(join(root, "packages/cli/package.json"), "utf8"));
const { GITHUB_REPOSITORY, GITHUB_SERVER_URL = "https://github.com" } = process.env;
const repository = GITHUB_REPOSITORY && `${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}`;
const [destination = join(root, "dist")] = process.argv.slice(2).map((path) => resolve(path));
const folder = join(destination, "package");
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });

const { inputs, startBytes } = await bundle(folder);
// The viewer is bundled as text, so its packages are read from the manifest of its workspace.
const viewer = JSON.parse(readFileSync(join(root, "packages/viewer/package.json"), "utf8"));
const inViewer = Object.keys(viewer.dependencies).filter((name) => !name.startsWith("@assay/"));
const parts = bundledPackages([...inputs, ...inViewer.map((name) => `node_modules/${name}/package.json`)]);
copyTypes(folder);
for (const schemas of schemaFolders) cpSync(join(root, schemas), join(folder, "schemas"), { recursive: true });
for (const file of ["LICENSE", "CHANGELOG.md", "SECURITY.md"]) cpIfThere(file);
cpSync(join(root, "skills"), join(folder, "skills"), { recursive: true });
// Pages in docs/ refer to both files.
for (const file of ["acceptance.yaml", "sdks/skills.json"]) cpSync(join(root, file), join(folder, file));
// Help texts and errors refer to pages in docs/.
cpSync(join(root, "docs"), join(folder, "docs"), { recursive: true, filter: isShippedPage });
mkdirSync(join(folder, "docs/reference"));
for (const [page, text] of Object.entries(generatedPages()))
  if (shippedReference.includes(page)) writeFileSync(join(folder, "docs", page), text);
cpSync(join(root, "packages/cli/PACKAGE.md"), join(folder, "README.md"));
linkPages(folder, repository && `${repository}/blob/v${own.version}`);
writeFileSync(join(folder, "NOTICE"), noticeOf(parts));
writeFileSync(join(folder, "package.json"), `${JSON.stringify(manifestOf(own, repository), null, 2)}\n`);
mkdirSync(join(folder, "man"));
const page = execFileSync(process.execPath, [join(folder, "bin/assay.js"), "completion", "man"]);
writeFileSync(join(folder, "man/assay.1"), page);
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
const { size } = statSync(join(destination, filename));
process.stdout.write(
  `${join(relative(root, destination), filename)}: ${kilobytes(size)} packed, ${kilobytes(unpackedSize)} unpacked, ${entryCount} files, ` +
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

/**
 * Returns true for pages at the top of docs/, tutorials, signed cards, and the pages about the specification that
 * messages cite. Pictures, decisions and findings stay in the repository.
 */
function isShippedPage(path) {
  const page = relative(join(root, "docs"), path);
  return (
    page === "" ||
    /^([\w-]+\.md|(signed-cards|tutorials)(\W[\w.-]+)?|spec(\W(ambiguities|1\.1-draft)\.md)?)$/.test(page)
  );
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
