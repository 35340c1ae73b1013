import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../steps.mjs";

/** Every file below these belongs to the proof of the checks. */
const folders = ["e2e/proof/", "e2e/surroundings/", "e2e/gallery/"];
/** Content that marks a file which tries more in a proof than in `npm test`. Property tests try more values. */
const signs = ["proves-all.fixture", 'from "fast-check"'];

/**
 * Returns the test files of the proof of the checks: those folders, and every file with one of the marks. Files of
 * another proof and of fuzzing are left out.
 */
export function filesOfChecks(others) {
  const elsewhere = [...others, "e2e/fuzz/"];
  const triesMore = (file) => file.endsWith(".long.test.ts") || signs.some((sign) => text(file).includes(sign));
  return ["e2e", "packages", "scripts"]
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((file) => `${folder}/${file}`),
    )
    .map((file) => file.replaceAll("\\", "/"))
    .filter((file) => file.endsWith(".test.ts") && !file.includes("/node_modules/") && !file.includes("/dist/"))
    .filter((file) => !elsewhere.some((name) => file.startsWith(name)))
    .filter((file) => folders.some((folder) => file.startsWith(folder)) || triesMore(file));
}

const text = (file) => readFileSync(join(root, file), "utf8");
