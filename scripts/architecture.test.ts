import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sourcesOf } from "./sources.fixture.ts";

/** Which package may import which of ours. */
const arrows: Record<string, readonly string[]> = {
  "@assay/protocol": [],
  "@assay/wire": ["@assay/protocol"],
  "@assay/storage": ["@assay/protocol"],
  "@assay/agents": ["@assay/protocol", "@assay/storage", "@assay/wire"],
  "@assay/suite": ["@assay/protocol", "@assay/wire"],
  "@assay/viewer": ["@assay/protocol", "@assay/wire", "@assay/suite", "@assay/proxy"],
  "@assay/reporters": ["@assay/suite", "@assay/viewer"],
  "@assay/history": ["@assay/storage", "@assay/suite"],
  "@assay/fleet": [
    "@assay/protocol",
    "@assay/wire",
    "@assay/storage",
    "@assay/suite",
    "@assay/viewer",
    "@assay/reporters",
    "@assay/history",
  ],
  "@assay/scenarios": ["@assay/protocol", "@assay/wire", "@assay/suite"],
  "@assay/proxy": ["@assay/protocol", "@assay/wire", "@assay/suite"],
  "@assay/clients": ["@assay/protocol", "@assay/wire", "@assay/agents", "@assay/suite", "@assay/proxy"],
  "@assay/gateway": ["@assay/protocol", "@assay/wire", "@assay/agents", "@assay/suite"],
  "@assay/upgrade": ["@assay/protocol", "@assay/wire", "@assay/suite", "@assay/viewer", "@assay/matrix"],
  "@assay/matrix": [
    "@assay/protocol",
    "@assay/wire",
    "@assay/agents",
    "@assay/suite",
    "@assay/viewer",
    "@assay/scenarios",
    "@assay/proxy",
  ],
  "@assay/web": [
    "@assay/protocol",
    "@assay/wire",
    "@assay/agents",
    "@assay/suite",
    "@assay/viewer",
    "@assay/reporters",
    "@assay/proxy",
    "@assay/clients",
    "@assay/matrix",
    "@assay/fleet",
  ],
  "@assay/library": [
    "@assay/protocol",
    "@assay/wire",
    "@assay/agents",
    "@assay/suite",
    "@assay/reporters",
    "@assay/proxy",
    "@assay/clients",
  ],
  "@assay/mcp": ["@assay/protocol", "@assay/wire", "@assay/suite", "@assay/library"],
  "a2a-assay": [
    "@assay/library",
    "@assay/mcp",
    "@assay/protocol",
    "@assay/wire",
    "@assay/agents",
    "@assay/suite",
    "@assay/reporters",
    "@assay/scenarios",
    "@assay/proxy",
    "@assay/clients",
    "@assay/gateway",
    "@assay/upgrade",
    "@assay/history",
    "@assay/fleet",
    "@assay/matrix",
    "@assay/web",
  ],
};

/** What a package may use besides our own; anything new is a decision, made here. */
const outside: Record<string, readonly string[]> = {
  "@assay/protocol": ["@bufbuild/protobuf", "canonicalize", "jose"],
  "@assay/wire": ["eventsource-parser", "undici"],
  "@assay/storage": ["libsql", "pg"],
  "@assay/agents": [
    "@opentelemetry/api",
    "@opentelemetry/core",
    "@opentelemetry/exporter-trace-otlp-http",
    "@opentelemetry/resources",
    "@opentelemetry/sdk-trace-node",
    "jose",
    "oidc-provider",
  ],
  "@assay/suite": [],
  "@assay/viewer": ["preact"],
  "@assay/reporters": [],
  "@assay/history": [],
  "@assay/fleet": ["bullmq", "ioredis", "jose", "pg", "yaml"],
  "@assay/scenarios": ["yaml"],
  "@assay/proxy": [],
  "@assay/clients": [],
  "@assay/gateway": [],
  "@assay/upgrade": [],
  "@assay/matrix": ["yaml"],
  "@assay/web": [],
  "@assay/library": ["yaml", "zod"],
  "@assay/mcp": ["@modelcontextprotocol/sdk", "zod"],
  "a2a-assay": ["commander", "yaml", "zod"],
};

const packages = readdirSync("packages").map((folder) => {
  const manifest = JSON.parse(readFileSync(join("packages", folder, "package.json"), "utf8"));
  const declared = Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies });
  return { folder, manifest, declared, inBuild: Object.keys(manifest.devDependencies ?? {}) };
});

test("every package has its place in the picture", () => {
  expect(packages.map(({ manifest }) => manifest.name).sort()).toEqual(Object.keys(arrows).sort());
});

test.each(packages)("$manifest.name depends on nothing the picture does not allow", ({ manifest, declared }) => {
  const allowed = [...arrows[manifest.name]!, ...outside[manifest.name]!].sort();
  expect(declared.toSorted()).toEqual(allowed);
});

test.each(packages)(
  "$manifest.name imports only what it declares, and only through exports",
  ({ folder, declared, inBuild }) => {
    const isOffered = (name: string): boolean =>
      [...declared, ...inBuild].some((known) => {
        if (!name.startsWith("@assay/") && name.startsWith(`${known}/`)) return true;
        const offered = packages.find((candidate) => candidate.manifest.name === known)?.manifest.exports ?? {
          ".": {},
        };
        return Object.keys(offered).some((entry) => name === known + entry.slice(1));
      });
    const strangers = sourcesOf(join("packages", folder, "src")).flatMap((file) =>
      importsOf(file)
        .filter((name) => !/^(\.|#|node:)/.test(name) && !isOffered(name))
        .map((name) => `${file} imports ${name}`),
    );
    expect(strangers).toEqual([]);
  },
);

test("the reporters know of the suite only the run document, its words and the forecast, which work in a browser", () => {
  const imported = sourcesOf(join("packages", "reporters", "src")).flatMap(importsOf);
  const known = ["@assay/suite/forecast", "@assay/suite/report", "@assay/suite/text", "@assay/viewer"];
  expect([...new Set(imported.filter((name) => name.startsWith("@assay/")))].sort()).toEqual(known);
});

test("what runs in the browser knows the run document, the views of matrices and fleets, the look, the API's documents, and nothing else", () => {
  const files = ["app", "pages"].flatMap((folder) => sourcesOf(join("packages", "viewer", "src", folder)));
  const known = /^(\.|@assay\/(suite\/(report|text)|(matrix|fleet)\/view)$|preact(\/hooks)?$)/;
  const strangers = files.flatMap((file) =>
    importsOf(file)
      .filter((name) => !known.test(name))
      .map((name) => `${file} imports ${name}`),
  );
  expect(strangers).toEqual([]);
});

test("the history knows of the suite only the run document, too", () => {
  const imported = sourcesOf(join("packages", "history", "src")).flatMap(importsOf);
  expect([...new Set(imported.filter((name) => name.startsWith("@assay/suite")))]).toEqual(["@assay/suite/report"]);
});

test("what pages need to know of a matrix is computed by what works in a browser", () => {
  const inBrowser = /\/(?:matrix-cause|shared-causes)\.ts$/;
  const sources = [
    ...sourcesOf(join("packages", "matrix", "src", "view")),
    ...sourcesOf(join("packages", "matrix", "src", "causes")).filter((file) => inBrowser.test(file)),
  ];
  const outside = sources
    .flatMap(importsOf)
    .filter((name) => !/^\.{1,2}\/(?:(?:document|view)\/)?[a-z-]+\.ts$/.test(name) && !inBrowser.test(name));
  expect([...new Set(outside)].sort()).toEqual(["@assay/suite/report", "@assay/suite/text"]);
});

test.each(packages)("the README of $manifest.name says what it may import", ({ folder, manifest }) => {
  const readme = readFileSync(join("packages", folder, "README.md"), "utf8");
  const [said = ""] = /^- May import: .*$/m.exec(readme) ?? [];
  const named = [...said.matchAll(/`([^`.][^`]*)`/g)].map(([, name]) => name!);
  expect(named.sort()).toEqual([...arrows[manifest.name]!, ...outside[manifest.name]!].sort());
});

test("only the command line speaks to the terminal and ends the process; only it and the library read the environment", () => {
  const terminal = /\bprocess\.(exit|stdout|stderr|argv)\b|\bconsole\./;
  const forbidden = (folder: string, text: string): boolean =>
    terminal.test(text) || (folder !== "library" && /\bprocess\.env\b/.test(text));
  const offenders = packages
    .filter(({ folder }) => folder !== "cli")
    .flatMap(({ folder }) =>
      sourcesOf(join("packages", folder, "src")).filter((file) => forbidden(folder, readFileSync(file, "utf8"))),
    );
  expect(offenders).toEqual([]);
});

test("the library says the version of the package that is published", () => {
  const versionIn = (name: string) => packages.find(({ manifest }) => manifest.name === name)?.manifest.version;
  expect(versionIn("@assay/library")).toBe(versionIn("a2a-assay"));
});

test("which hosts are this machine is said once", () => {
  const sayers = packages
    .flatMap(({ folder }) => sourcesOf(join("packages", folder, "src")))
    .filter((file) => !file.includes("generated") && /\^[^/\n]*\b127\b/.test(readFileSync(file, "utf8")));
  expect(sayers).toEqual([join("packages", "protocol", "src", "loopback.ts")]);
});

const importsOf = (file: string): string[] =>
  [
    ...readFileSync(file, "utf8").matchAll(/(?:^|\n)\s*(?:import|export)\b[^;]*?from "([^"]+)"|import\("([^"]+)"\)/g),
  ].map((match) => (match[1] ?? match[2])!);
