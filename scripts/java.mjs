// Builds the client of the Java driver for `npm run prove`: jars by Maven, then javac. It builds once for each state of
// the sources. Without Java the client is skipped; in CI on Linux that is a failure.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { aptInstall } from "./apt.mjs";
import { missingTool } from "./missing-tool.mjs";
import { root, run } from "./steps.mjs";

const folder = join(root, "sdks/a2a-java-0.3");

/** Builds the client while other tools are set up. Ends the process if it is required and cannot be built. */
export async function javaReady() {
  const sources = [
    join(folder, "driver.yaml"),
    join(folder, "client/pom.xml"),
    ...filesBelow(join(folder, "client/src")),
  ];
  const hash = createHash("sha256");
  for (const file of sources) hash.update(readFileSync(file));
  const wanted = hash.digest("hex");
  const stamp = join(folder, "client/build/assay-made");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return;
  const missing = () => ["java", "javac", "mvn"].find((tool) => spawnSync(tool, ["--version"]).status !== 0);
  if (missing() !== undefined) await aptInstall("Java", "default-jdk-headless", "maven");
  if (missing() !== undefined)
    return without(`There is no ${missing()}. Debian, Ubuntu: apt install default-jdk-headless maven.`);
  // Import it here, because a fresh clone has no packages when this module is loaded.
  const { parse } = await import("yaml");
  const { setup } = parse(readFileSync(join(folder, "driver.yaml"), "utf8"));
  // The server is not needed, and its build takes minutes.
  for (const [program, ...words] of setup.filter((words) => !words.includes("server/pom.xml"))) {
    const isDone = await run("making the Java client", program, words, { cwd: folder, quiet: true, mayFail: true });
    if (!isDone) return without("The Java client could not be made; the reason is above.");
  }
  mkdirSync(join(stamp, ".."), { recursive: true });
  writeFileSync(stamp, wanted);
}

const filesBelow = (place) =>
  readdirSync(place, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .sort();

const without = (reason) => missingTool(reason, "The tests that drive the Java SDK are skipped.");
