import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";

/**
 * What `assay serve` loads before its first answer: the modules that are reached from here without a dynamic import.
 * Each costs a moment, and what is not needed for that answer is loaded when it is (docs/performance.md).
 */
const start = "packages/cli/src/actions/serve.ts";

/** Modules that are loaded with their first use. */
const late = [
  ["protobuf", /@bufbuild\/protobuf/],
  ["a library for signatures", /^jose$/],
  ["a client of HTTP", /^undici$/],
  ["HTTP/2", /^node:http2$/],
  ["TLS", /^node:tls$/],
  ["the versions before 1.0", /protocol\/src\/dialects\/v0\./],
  ["the lint of cards", /protocol\/src\/card\//],
  ["mutants and variants", /agents\/src\/(mutants|variants)\//],
  ["the suite", /packages\/suite\//],
  ["databases", /packages\/storage\//],
] as const;

test.each(late)("a server starts without %s", (_what, pattern) => {
  expect([...reached()].filter((module) => pattern.test(module))).toEqual([]);
});

/** Our own modules by their file, others by their name. */
function reached(): Set<string> {
  const seen = new Set([start]);
  for (const module of seen) {
    if (!module.startsWith("packages/")) continue;
    for (const name of staticImports(module)) seen.add(fileOf(name, module));
  }
  return seen;
}

/** Imports and re-exports of values: types are gone when the code runs. */
function staticImports(file: string): string[] {
  const source = readFileSync(file, "utf8");
  const statements = source.matchAll(/^(?:import|export)\s+(?!type\b)([^;]*?)\s*from "([^"]+)"/gm);
  return [...statements].filter(([, what]) => !isTypesOnly(what!)).map(([, , name]) => name!);
}

const isTypesOnly = (what: string): boolean => {
  const [, named = "value"] = /^\{([^}]*)\}$/s.exec(what) ?? [];
  return named.split(",").every((each) => /^\s*(type |$)/.test(each));
};

function fileOf(name: string, from: string): string {
  if (name.startsWith(".")) return join(dirname(from), name);
  const [, folder, entry = ""] = /^@assay\/([^/]+)(.*)$/.exec(name) ?? [];
  if (folder === undefined) return name;
  const manifest = JSON.parse(readFileSync(`packages/${folder}/package.json`, "utf8"));
  return join("packages", folder, manifest.exports[`.${entry}`].source);
}

test.each([
  ["20.18.3", 2, "Assay needs Node 20.19 or newer; this is v20.18.3.\n"],
  ["18.20.0", 2, "Assay needs Node 20.19 or newer; this is v18.20.0.\n"],
  ["20.19.0", 0, ""],
  ["24.0.0", 0, ""],
])("Node %s", (node, code, said) => {
  const set = `for (const [name, value] of [["versions", { ...process.versions, node: "${node}" }], ["version", "v${node}"]])
    Object.defineProperty(process, name, { value });`;
  const other = `data:text/javascript,${encodeURIComponent(set)}`;
  const args = ["--import", other, "packages/cli/bin/assay.js", "--version"];
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
  expect([status, stderr]).toEqual([code, said]);
});
