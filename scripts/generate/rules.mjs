import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../made-from.mjs";
import { readRules } from "../rules.mjs";
import { digestModule } from "./digests.mjs";
import { requirementsOf } from "./requirements.mjs";
import { sdkCallsIn, sdkCallsOf, sdkFaultsIn, sdkFaultsOf, sdkFaultsPage, sdkMarksOf } from "./sdk-faults.mjs";
import { header } from "./typescript.mjs";

const suite = join(root, "packages/suite/src");

/** Writes the digests of the rule sets and the known faults of SDKs, as modules and as a page of the docs. */
export function generateRules() {
  const { requirements, catalogues, digests } = readRules();
  const write = (name, source, text) =>
    writeFileSync(join(suite, `generated/${name}.ts`), `${header(`${source}.yaml`)}${text}`);
  write("requires", "rules/requires", requirementsOf(requirements));
  write("digests", "rules/*", digestModule(digests));
  const sdkFile = (name) => readFileSync(join(suite, `sdk-faults/${name}.yaml`), "utf8");
  const sdkFaults = sdkFaultsIn(sdkFile("sdk-faults"), catalogues);
  write("sdk-faults", "sdk-faults/sdk-faults", sdkFaultsOf(sdkFaults));
  write("sdk-marks", "sdk-faults/sdk-faults", sdkMarksOf(sdkFaults));
  write("sdk-calls", "sdk-faults/sdk-calls", sdkCallsOf(sdkCallsIn(sdkFile("sdk-calls"), catalogues)));
  writeFileSync(join(root, "docs/known-sdk-faults.md"), sdkFaultsPage(sdkFaults));
}
