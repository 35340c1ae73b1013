import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../made-from.mjs";
import { tablesOf } from "./fields.mjs";
import { schemaOf } from "./json-schema.mjs";
import { fieldTableOf, header, modelOf } from "./typescript.mjs";
import { olderValidatorsFor, validatorsFor } from "./validators.mjs";

const protocol = join(root, "packages/protocol");
const run = (tool, ...args) =>
  execFileSync(join(root, "node_modules/.bin", tool), args, {
    cwd: protocol,
    env: { ...process.env, PATH: `${join(root, "node_modules/.bin")}:${process.env.PATH}` },
    maxBuffer: 64 * 1024 * 1024,
  });
const readJson = (path) => JSON.parse(readFileSync(join(protocol, path), "utf8"));
const write = (path, text) => writeFileSync(join(protocol, path), text);

/**
 * Derives from the .proto files and JSON Schemas of packages/protocol: the protobuf classes (for gRPC, and as a second oracle in
 * tests), the types of the model, the field tables for tolerant reading and signing, JSON Schemas, and validators.
 */
export function generateProto() {
  run("buf", "generate");
  const image = JSON.parse(run("buf", "build", "-o", "-#format=json").toString());
  const current = derive(image, {
    folder: "lf/a2a/v1",
    suffix: "",
    schema: { id: "a2a-1.0", title: "A2A 1.0, generated from the protocol buffer definition" },
  });
  for (const [kind, thorough] of Object.entries({ quick: false, thorough: true })) {
    write(`src/generated/validators-${kind}.ts`, header("proto/lf/a2a/v1") + validatorsFor(current, { thorough }));
  }
  const proto03 = derive(image, {
    folder: "a2a/v1",
    suffix: "-0.3-proto",
    schema: {
      id: "a2a-0.3-proto",
      title: "A2A 0.3 over gRPC and HTTP+JSON, generated from the protocol buffer definition",
    },
  });
  const validators03 = olderValidatorsFor([proto03], ["base64", "utc-timestamp"]);
  write("src/generated/validators-0.3-proto.ts", header("proto/a2a/v1") + validators03);
  const handWritten = ["a2a-0.3", "a2a-0.2", "a2a-0.1"].map((id) => readJson(`schemas/${id}.json`));
  const validators = olderValidatorsFor(handWritten, ["base64", "timestamp"]);
  write("src/generated/validators-0.x.ts", header("schemas") + validators);
  run("biome", "format", "--write", "schemas");
}

/** Writes the types and the field table of a package, and writes and returns its JSON Schema. */
function derive(image, { folder, suffix, schema }) {
  const file = image.file.find((entry) => entry.package === folder.replaceAll("/", "."));
  const drafts = existsSync(join(protocol, `proto/${folder}/drafts.json`))
    ? readJson(`proto/${folder}/drafts.json`)
    : {};
  const tables = tablesOf(file, readJson(`proto/${folder}/required.json`), drafts);
  write(`src/generated/model${suffix}.ts`, modelOf(header(`proto/${folder}`), tables));
  write(`src/generated/fields${suffix}.ts`, fieldTableOf(header(`proto/${folder}`), tables, `model${suffix}.ts`));
  const json = schemaOf(schema.id, schema.title, tables);
  write(`schemas/${schema.id}.json`, `${JSON.stringify(json, null, 2)}\n`);
  return json;
}
