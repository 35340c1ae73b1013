// `npm run binary`: makes dist/assay-<platform>-<arch>, one file that runs without an installed Node. It contains this
// Node and the bundle, so it only works on the platform that builds it.
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { inject } from "postject";
import { bundleForBinary } from "./pack/binary-bundle.mjs";
import { build, install, root } from "./steps.mjs";

await install();
await build();
const folder = join(root, "dist/binary");
mkdirSync(folder, { recursive: true });
const [main, blob, config] = ["main.cjs", "assay.blob", "config.json"].map((name) => join(folder, name));
await bundleForBinary(main);
// With the code cache, V8 does not compile the start again.
const settings = { main, output: blob, disableExperimentalSEAWarning: true, useCodeCache: true };
writeFileSync(config, JSON.stringify(settings));
execFileSync(process.execPath, ["--experimental-sea-config", config], { stdio: ["ignore", "ignore", "inherit"] });

const isMac = process.platform === "darwin";
const name = `assay-${process.platform}-${process.arch}${process.platform === "win32" ? ".exe" : ""}`;
const file = join(root, "dist", name);
copyFileSync(process.execPath, file);
// The changed program needs a new signature on macOS. "-" is an ad-hoc signature, valid on machines that allow it.
if (isMac) execFileSync("codesign", ["--remove-signature", file]);
await inject(file, "NODE_SEA_BLOB", readFileSync(blob), {
  sentinelFuse: "NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2",
  ...(isMac && { machoSegmentName: "NODE_SEA" }),
});
if (isMac) execFileSync("codesign", ["--sign", "-", file]);
const megabytes = (path) => `${(statSync(path).size / 1e6).toFixed(0)} MB`;
process.stdout.write(
  `dist/${name}: ${megabytes(file)}, of which Node ${process.version} ${megabytes(process.execPath)}\n`,
);
