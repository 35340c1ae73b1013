// Derives from our .proto files and JSON Schemas what the code needs of them: the protobuf classes (for gRPC, and
// as a second oracle in tests), the types of the model, the field tables that drive tolerant reading and signing,
// the JSON Schemas of the protobuf packages, the validators of all schemas; what pins the rule sets, and what is known of
// SDKs; and the lockfile of the image. Run by hand after a change of a .proto or a schema: `npm run generate`. The result is committed.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { digestModule } from "./generate/digests.mjs";
import { tablesOf } from "./generate/fields.mjs";
import { imageLockOf } from "./generate/image-lock.mjs";
import { schemaOf } from "./generate/json-schema.mjs";
import { requirementsOf } from "./generate/requirements.mjs";
import { sdkCallsIn, sdkCallsOf, sdkFaultsIn, sdkFaultsOf, sdkFaultsPage, sdkMarksOf } from "./generate/sdk-faults.mjs";
import { fieldTableOf, modelOf } from "./generate/typescript.mjs";
import { olderValidatorsFor, validatorsFor } from "./generate/validators.mjs";
import { readRules } from "./rules.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const { manifest, lock } = imageLockOf(root);
writeFileSync(join(root, "deploy/image/package.json"), manifest);
writeFileSync(join(root, "deploy/image/package-lock.json"), lock);
if (process.argv[2] === "image") process.exit(0);

const protocol = join(root, "packages/protocol");
const run = (tool, ...args) =>
  execFileSync(join(root, "node_modules/.bin", tool), args, {
    cwd: protocol,
    env: { ...process.env, PATH: `${join(root, "node_modules/.bin")}:${process.env.PATH}` },
    maxBuffer: 64 * 1024 * 1024,
  });
const readJson = (path) => JSON.parse(readFileSync(join(protocol, path), "utf8"));
const write = (path, text) => writeFileSync(join(protocol, path), text);
const header = (source) => `// Generated from ${source} by \`npm run generate\`. Do not edit.\n`;

const suite = join(root, "packages/suite/src");
const { requirements, catalogues, digests } = readRules();
const writeRules = (name, source, text) =>
  writeFileSync(join(suite, `generated/${name}.ts`), `${header(`rules/${source}.yaml`)}${text}`);
writeRules("requires", "requires", requirementsOf(requirements));
writeRules("digests", "*", digestModule(digests));
const sdkFile = (name) => readFileSync(join(suite, `sdk-faults/${name}.yaml`), "utf8");
const writeSdk = (name, source, text) =>
  writeFileSync(join(suite, `generated/${name}.ts`), `${header(`sdk-faults/${source}.yaml`)}${text}`);
const sdkFaults = sdkFaultsIn(sdkFile("sdk-faults"), catalogues);
writeSdk("sdk-faults", "sdk-faults", sdkFaultsOf(sdkFaults));
writeSdk("sdk-marks", "sdk-faults", sdkMarksOf(sdkFaults));
writeSdk("sdk-calls", "sdk-calls", sdkCallsOf(sdkCallsIn(sdkFile("sdk-calls"), catalogues)));
writeFileSync(join(root, "docs/known-sdk-faults.md"), sdkFaultsPage(sdkFaults));
// Catalogues change more often than schemas: `npm run generate -- rules` stops here.
if (process.argv[2] === "rules") process.exit(0);

run("buf", "generate");
const image = JSON.parse(run("buf", "build", "-o", "-#format=json").toString());

/** A package of ours: its types and field table written, its JSON Schema written and returned. */
function derive({ folder, suffix, schema }) {
  const file = image.file.find((entry) => entry.package === folder.replaceAll("/", "."));
  const tables = tablesOf(file, readJson(`proto/${folder}/required.json`));
  write(`src/generated/model${suffix}.ts`, modelOf(header(`proto/${folder}`), tables));
  write(`src/generated/fields${suffix}.ts`, fieldTableOf(header(`proto/${folder}`), tables, `model${suffix}.ts`));
  const json = schemaOf(schema.id, schema.title, tables);
  write(`schemas/${schema.id}.json`, `${JSON.stringify(json, null, 2)}\n`);
  return json;
}

const current = derive({
  folder: "lf/a2a/v1",
  suffix: "",
  schema: { id: "a2a-1.0", title: "A2A 1.0, generated from the protocol buffer definition" },
});
for (const [kind, thorough] of Object.entries({ quick: false, thorough: true })) {
  write(`src/generated/validators-${kind}.ts`, header("proto/lf/a2a/v1") + validatorsFor(current, { thorough }));
}

const proto03 = derive({
  folder: "a2a/v1",
  suffix: "-0.3-proto",
  schema: {
    id: "a2a-0.3-proto",
    title: "A2A 0.3 over gRPC and HTTP+JSON, generated from the protocol buffer definition",
  },
});
write(
  "src/generated/validators-0.3-proto.ts",
  header("proto/a2a/v1") + olderValidatorsFor([proto03], ["base64", "utc-timestamp"]),
);

const handWritten = ["a2a-0.3", "a2a-0.2", "a2a-0.1"].map((id) => readJson(`schemas/${id}.json`));
write("src/generated/validators-0.x.ts", header("schemas") + olderValidatorsFor(handWritten, ["base64", "timestamp"]));
run("biome", "format", "--write", "schemas");
