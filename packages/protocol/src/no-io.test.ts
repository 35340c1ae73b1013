import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";

/** The protocol is pure: what it needs from outside is handed in, so that the same input always gives the same output. */
const packages = ["ajv", "ajv-formats", "@bufbuild/protobuf", "jose", "canonicalize"];

const forbidden: [name: string, use: RegExp][] = [
  ["process", /\bprocess\b/],
  ["fetch", /\bfetch\b/],
  ["Date.now", /\bDate\s*\.\s*now\b/],
  ["new Date()", /\bnew\s+Date\s*(?:\(\s*\)|(?!\s*\())/],
  ["Date()", /(?<!\bnew\s+)\bDate\s*\(/],
  ["setTimeout", /\bset(?:Timeout|Interval|Immediate)\b/],
  ["performance", /\bperformance\b/],
  ["Math.random", /\bMath\s*\.\s*random\b/],
  ["console", /\bconsole\b/],
  ["globalThis", /\bglobalThis\b/],
  ["require", /\brequire\s*\(/],
];

const comments = /\/\*[\s\S]*?\*\/|\/\/.*/;
const quoted = /"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'/;
const commentsOrQuoted = new RegExp(`${quoted.source}|${comments.source}`, "g");

/** The source without its comments. Quoted text is stepped over, because "https://…" is no comment. */
const withoutComments = (source: string): string =>
  source.replace(commentsOrQuoted, (match) => (match.startsWith("/") ? "" : match));

const withoutText = (source: string): string => source.replace(new RegExp(quoted.source, "g"), '""');

const importsOf = (code: string): string[] =>
  [...code.matchAll(/\b(?:from|import)\s*\(?\s*["'`]([^"'`]+)["'`]/g)].map(([, specifier]) => specifier!);

const isAllowed = (specifier: string): boolean =>
  /^\.{1,2}\//.test(specifier) || packages.some((name) => specifier === name || specifier.startsWith(`${name}/`));

function offences(source: string): string[] {
  const code = withoutComments(source);
  const imports = importsOf(code).filter((specifier) => !isAllowed(specifier));
  const uses = forbidden.filter(([, use]) => use.test(withoutText(code))).map(([name]) => name);
  return [...imports.map((specifier) => `imports ${specifier}`), ...uses.map((name) => `names ${name}`)];
}

const folder = new URL("./", import.meta.url);
const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
  .map((file) => file.replaceAll("\\", "/"))
  .filter((file) => file.endsWith(".ts") && !/\.(?:test|fixture)\.ts$/.test(file))
  .sort();

test("the walk finds the package", () => {
  const some = ["bindings/rest.ts", "generated/fields.ts", "json.ts", "schemas/validate.ts"];
  expect(files.filter((file) => some.includes(file))).toEqual(some);
});

test.each(files)("%s does no I/O and reads no clock", (file) => {
  expect(offences(readFileSync(new URL(file, folder), "utf8"))).toEqual([]);
});

describe("the guard sees", () => {
  test.each([
    ['import { readFile } from "node:fs/promises";', ["imports node:fs/promises"]],
    ['import "undici";', ["imports undici"]],
    ['export { x } from "ajvx";', ["imports ajvx"]],
    ['const { get } = await import("node:http");', ["imports node:http"]],
    ["import {\n  a,\n  b,\n} from 'left-pad';", ["imports left-pad"]],
    ["const key = process.env.KEY;", ["names process"]],
    ["await fetch(url);", ["names fetch"]],
    ["const at = Date.now();", ["names Date.now"]],
    ["const at = new Date();", ["names new Date()"]],
    ["const at = new Date;", ["names new Date()"]],
    ["const at = Date();", ["names Date()"]],
    ["setTimeout(run, 5); setInterval(run, 5);", ["names setTimeout"]],
    ["const at = performance.now();", ["names performance"]],
    ["const id = `t-$" + "{Math.random()}`;", ["names Math.random"]],
    ['const url = "https://a.example"; console.log(url);', ["names console"]],
    ["globalThis['x']();", ["names globalThis"]],
    ['const fs = require("node:fs");', ["names require"]],
  ])("%j", (source, seen) => {
    expect(offences(source)).toEqual(seen);
  });
});

describe("the guard lets pass", () => {
  test.each([
    'import { Ajv2020 } from "ajv/dist/2020.js";',
    'import { create } from "@bufbuild/protobuf";',
    'import type { Empty } from "@bufbuild/protobuf/wkt";',
    'import { compactVerify } from "jose";',
    'import { isObject } from "../json.ts";',
    "const time = Date.parse(text); const text = new Date(time).toISOString();",
    "// the client has to fetch it again; see process and console",
    "/* setTimeout\n Math.random */ const url = 'http://fetch.example';",
    'const state = "process";',
    "const prefetched = reprocess(consoleless);",
  ])("%j", (source) => {
    expect(offences(source)).toEqual([]);
  });
});
