import { execFile } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { startTestbed, type Testbed } from "@assay/agents";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { provesAll } from "../fixtures/proves-all.fixture.ts";
import { testIf } from "../fixtures/test-if.fixture.ts";
import { Installation, packInto } from "./installed.fixture.ts";

// The package as people get it: made, installed into an empty folder, and used there. `npm test` installs it once and
// tests an agent; `npm run prove -- package` runs every command, on every version of Node.

const execute = promisify(execFile);
const packed = mkdtempSync(join(tmpdir(), "assay-packed-"));
let installed: Installation;
let bed: Testbed;
beforeAll(async () => {
  const tarball = await packInto(packed);
  [installed, bed] = await Promise.all([
    Installation.make(tarball, { globally: provesAll }),
    startTestbed({ host: "127.0.0.1", port: 0, version: "test", timeScale: 0.05 }),
  ]);
});
afterAll(async () => {
  installed?.remove();
  rmSync(packed, { recursive: true, force: true });
  await bed?.close(0);
});

const inPackage = (...path: string[]): string => join(installed.folder, "node_modules/a2a-assay", ...path);
const readJson = (...path: string[]) => JSON.parse(readFileSync(inPackage(...path), "utf8"));
const ofTheClone = async (...args: string[]): Promise<string> =>
  (await execute(process.execPath, ["packages/cli/bin/assay.js", ...args], { env: { ...process.env, NO_COLOR: "1" } }))
    .stdout;

describe("the installed package", () => {
  test("has no install scripts and no required dependencies", () => {
    const { scripts, dependencies, optionalDependencies, bin, engines, license } = readJson("package.json");
    expect({ scripts, dependencies }).toEqual({ scripts: undefined, dependencies: undefined });
    expect(Object.keys(optionalDependencies)).toEqual(["libsql"]);
    expect({ bin, engines, license }).toEqual({
      bin: { "a2a-assay": "bin/assay.js", assay: "bin/assay.js" },
      engines: { node: ">=20.19" },
      license: "Apache-2.0",
    });
    expect(readdirSync(join(installed.folder, "node_modules")).filter((name) => !name.startsWith("."))).toEqual([
      "a2a-assay",
    ]);
  });

  test("names the repository that it was made in, as npm demands for provenance", () => {
    expect(readJson("package.json").repository.url).toBe("git+https://github.com/owner/assay.git");
  });

  test("has the files that its pages link to", () => {
    const pages = readdirSync(inPackage(), { recursive: true, encoding: "utf8" }).filter((name) =>
      name.endsWith(".md"),
    );
    const links = pages.flatMap((page) =>
      [...readFileSync(inPackage(page), "utf8").matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => ({
        page,
        link: link!.split("#")[0]!,
      })),
    );
    const own = links.filter(({ link }) => link !== "" && !/^[a-z]+:/.test(link));
    expect(own.map(({ link }) => link)).toEqual(
      expect.arrayContaining(["../acceptance.yaml", "../schemas/assay-yaml.json", "tutorials/put-it-into-ci.md"]),
    );
    expect(own.filter(({ page, link }) => !existsSync(inPackage(page, "..", link)))).toEqual([]);
    // Other files are in the repository, at the version of the package.
    const { version } = readJson("package.json");
    const there = `https://github.com/owner/assay/blob/v${version}/`;
    const elsewhere = links.filter(({ link }) => link.startsWith(there));
    expect(elsewhere.length).toBeGreaterThan(30);
    expect(elsewhere.filter(({ link }) => !existsSync(link.slice(there.length)))).toEqual([]);
  });

  test("has the pages that its messages cite", () => {
    const modules = readdirSync(inPackage("dist"), { recursive: true, encoding: "utf8" }).filter((name) =>
      name.endsWith(".js"),
    );
    const cited = modules.flatMap((name) => [
      // Behind a slash it is the page of another project, at its address.
      ...readFileSync(inPackage("dist", name), "utf8").matchAll(/(?<!\/)\bdocs\/[\w./-]+?\.md\b/g),
    ]);
    const pages = [...new Set(cited.map(([page]) => page))];
    expect(pages).toEqual(expect.arrayContaining(["docs/spec/ambiguities.md", "docs/mcp.md"]));
    expect(pages.filter((page) => !existsSync(inPackage(page)))).toEqual([]);
  });

  test("lists the bundled packages and their licences", () => {
    const { bomFormat, specVersion, components } = readJson("sbom.cdx.json");
    expect({ bomFormat, specVersion }).toEqual({ bomFormat: "CycloneDX", specVersion: "1.6" });
    const notice = readFileSync(inPackage("NOTICE"), "utf8");
    expect(components.length).toBeGreaterThan(5);
    for (const { name, version, purl, licenses } of components) {
      expect(notice).toContain(`${name} ${version} (`);
      expect(purl).toMatch(/^pkg:npm\/.+@\d/);
      expect(licenses).toHaveLength(1);
    }
  });

  test("has the man page that its package.json names", () => {
    const { man } = readJson("package.json") as { man: string[] };
    expect(man.map((file) => readFileSync(inPackage(file), "utf8").slice(0, 11))).toEqual([".TH ASSAY 1"]);
  });

  test("has the schemas of what it reads and writes", () => {
    expect(readdirSync(inPackage("schemas"))).toEqual(
      expect.arrayContaining(["assay-yaml.json", "event.json", "fleet-report.json", "report.json"]),
    );
  });

  test("has a report that a browser can load", () => {
    const text = readFileSync(inPackage("dist/report.js"), "utf8");
    expect(text).not.toMatch(/\bfrom\s*"|\brequire\(|node:/);
  });

  test("has no path of the machine that made it", () => {
    const files = readdirSync(inPackage("dist"), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
    expect(files.filter((file) => readFileSync(file, "utf8").includes(process.cwd()))).toEqual([]);
  });
});

describe("the command line", () => {
  testIf(provesAll)("says the same of every command, by npx, installed globally, and in the clone", async () => {
    const names = [...(await ofTheClone("--help")).matchAll(/^ {2}([a-z]+)\b/gm)].map(([, name]) => name!);
    expect(names).toEqual(expect.arrayContaining(["test", "diff", "send", "push"]));
    for (const command of names) {
      const args = [command, "--help"];
      const { code, stdout } = await installed.global(...args);
      expect({ command, code, stdout }).toEqual({ command, code: 0, stdout: await ofTheClone(...args) });
    }
    expect(await installed.npx("--help")).toMatchObject({ code: 0, stdout: await ofTheClone("--help") });
  });

  testIf(provesAll)("serves the page, whole and from itself", async () => {
    const page = await installed.started("ui", "--port", "0", "--json");
    try {
      const html = await (await fetch(page.url)).text();
      const [, script = ""] = /<script>([\s\S]+?)<\/script>/.exec(html) ?? [];
      expect(script.length).toBeGreaterThan(100_000);
      expect(html).not.toMatch(/<script[^>]+src=|<link[^>]+rel="stylesheet"/);
      expect((await fetch(`${page.url}/api/runs`)).status).toBe(401);
    } finally {
      await page.end();
    }
  });

  test("tests an agent, and makes its reports again", async () => {
    const { code, stdout } = await installed.npx("test", `${bed.url}/echo`, "--report", "junit=out.xml");
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining("conformant") });
    expect(existsSync(join(installed.folder, "out.xml"))).toBe(true);
    const again = await installed.npx("report", "last", "--report", "markdown");
    expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining("Echo") });
  });

  testIf(provesAll)("fails where the agent does", async () => {
    const { code, stdout } = await installed.npx(
      "test",
      `${bed.url}/mutants/STREAM-003.status-first`,
      "--only",
      "STREAM-003",
    );
    expect({ code, stdout }).toMatchObject({ code: 1, stdout: expect.stringContaining("STREAM-003") });
  });

  testIf(provesAll)("does what the others are for", async () => {
    expect(await installed.npx("card", `${bed.url}/full`)).toMatchObject({ code: 0 });
    expect(await installed.npx("send", `${bed.url}/echo`, "hello")).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("hello"),
    });
    expect(await installed.npx("explain", "LIST-003")).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("nextPageToken"),
    });
    expect(await installed.npx("coverage")).toMatchObject({ code: 0 });
    expect(await installed.npx("runs")).toMatchObject({ code: 0 });
    expect(await installed.npx("test", `${bed.url}/echo`, "--only", "GET-002", "--binding", "JSONRPC")).toMatchObject({
      code: 0,
    });
    expect(await installed.npx("diff", "last", "last")).toMatchObject({ code: 0 });
    expect(await installed.npx("replay", "last")).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("0 different"),
    });
    expect(await installed.npx("test", `${bed.url}/echo`, "--dry-run")).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("Only the card was fetched"),
    });
    const [, program] = /```js\n([\s\S]*?)```/.exec(readFileSync("docs/clients.md", "utf8"))!;
    writeFileSync(join(installed.folder, "client.mjs"), program!);
    const client = ["client", "--situation", "send", "--binding", "JSONRPC", "--", process.execPath, "client.mjs"];
    expect(await installed.npx(...client)).toMatchObject({ code: 0, stdout: expect.stringContaining("conformant") });
    writeFileSync(join(installed.folder, "acceptance.yaml"), readFileSync("acceptance.yaml", "utf8"));
    expect(await installed.npx("acts", "acceptance.yaml", "--list")).toMatchObject({ code: 0 });
  });
});

describe.each(provesAll ? ["a database"] : [])("a store in %s", () => {
  /** The packages that bring SQLite where Node has none. */
  const libsql = ["libsql", "@libsql", "@neon-rs", "detect-libc"];
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  const nodeHasSqlite = major > 22 || (major === 22 && minor >= 13);

  test("says what to install beside the package", async () => {
    const pg = await installed.npx("serve", "--store", "postgres://127.0.0.1:9/bed");
    expect(pg).toMatchObject({ code: 2, stderr: expect.stringContaining("npm install pg") });
    const sqlite = nodeHasSqlite ? undefined : await installed.npx("serve", "--store", "sqlite:tasks.db");
    if (sqlite) expect(sqlite).toMatchObject({ code: 2, stderr: expect.stringContaining("npm install libsql") });
  });

  test("is opened by Node's own SQLite, or by the binary that was installed", async () => {
    const modules = join(installed.folder, "node_modules");
    const brought = nodeHasSqlite ? [] : libsql.filter((name) => existsSync(join("node_modules", name)));
    for (const name of brought) cpSync(join("node_modules", name), join(modules, name), { recursive: true });
    const served = await installed.started("serve", "--port", "0", "--json", "--store", "sqlite:tasks.db");
    expect(await installed.npx("send", `${served.url}/spec`, "task-lifecycle hi")).toMatchObject({ code: 0 });
    await served.end();
    expect(await installed.npx("runs", "--history", "sqlite:history.db")).toMatchObject({ code: 0 });
    for (const name of brought) rmSync(join(modules, name), { recursive: true });
  });
});

describe.each(provesAll ? ["the package"] : [])("from %s alone", () => {
  let served: Awaited<ReturnType<Installation["started"]>>;
  beforeAll(async () => {
    served = await installed.started("serve", "--port", "0", "--json", "--time-scale", "0.5");
  });
  afterAll(() => served?.end());

  const json = async (...args: string[]) => {
    const { code, stdout, stderr } = await installed.global(...args, "--json");
    expect({ args, code, stderr }).toMatchObject({ code: 0 });
    return stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
  };

  test("OAuth is not declared where its library is not there, and what to install is said", async () => {
    const card = await (await fetch(`${served.url}/secure/.well-known/agent-card.json`)).json();
    expect(Object.keys((card as { securitySchemes: object }).securitySchemes)).toEqual(["apiKey", "basic", "bearer"]);
    const refused = await fetch(`${served.url}/oidc/token`, { method: "POST" });
    expect([refused.status, await refused.text()]).toEqual([501, expect.stringContaining("npm install oidc-provider")]);
  });

  test("a task is followed, listed and canceled, and its webhooks are kept", async () => {
    const agent = `${served.url}/full`;
    const [{ task }] = await json("send", agent, "slow 600", "--return-immediately");
    const { id } = task;
    expect(await json("get", agent, id)).toMatchObject([{ id }]);
    expect(JSON.stringify(await json("list", agent))).toContain(id);
    await json("push", "create", agent, id, "--to", `${served.url}/hook`);
    expect(JSON.stringify(await json("push", "list", agent, id))).toContain("/hook");
    expect(await json("cancel", agent, id)).toMatchObject([{ status: { state: "TASK_STATE_CANCELED" } }]);
    const [{ task: other }] = await json("send", agent, "slow 600", "--return-immediately");
    const subscribed = json("subscribe", agent, other.id);
    const metrics = async () => (await fetch(`${served.url}/metrics`)).text();
    await expect.poll(metrics).toMatch(/^assay_streams 1$/m);
    await json("cancel", agent, other.id);
    expect(JSON.stringify(await subscribed)).toContain("TASK_STATE_CANCELED");
  });

  test("init, demo and interop do their work", async () => {
    expect(await installed.global("init", `${served.url}/echo`, "--config", "learned.yaml")).toMatchObject({ code: 0 });
    expect(existsSync(join(installed.folder, "learned.yaml"))).toBe(true);
    expect(await installed.global("demo")).toMatchObject({ code: 0, stdout: expect.stringContaining("conformant") });
    const pair = await installed.global("interop", `${served.url}/spec`, `${served.url}/echo`);
    expect(pair).toMatchObject({ code: 0, stdout: expect.stringContaining("A client of A understands B") });
  });

  test("the proxy passes a message on", async () => {
    const proxy = await installed.started("proxy", `${served.url}/echo`, "--port", "0", "--json");
    const sent = await installed.global("send", proxy.url, "hello");
    expect(sent).toMatchObject({ code: 0, stdout: expect.stringContaining("hello") });
    await proxy.end();
  });
});

const examples = [...readFileSync("docs/library.md", "utf8").matchAll(/```js\n([\s\S]*?)```/g)].map(
  ([, code]) => code!,
);

describe("the library", () => {
  test("has examples", () => expect(examples.length).toBeGreaterThanOrEqual(4));

  test.each(
    examples
      .slice(0, provesAll ? undefined : 1)
      .map((code, index) => ({ code, title: code.match(/^const .*|^test\(.*/m)?.[0] ?? `${index}`, index })),
  )("$title", async ({ code, index }) => {
    writeFileSync(join(installed.folder, `example-${index}.js`), code);
    const { code: exit, stderr, stdout } = await installed.run(process.execPath, [`example-${index}.js`]);
    expect({ exit, stderr, stdout }).toMatchObject({ exit: 0, stderr: "" });
  });

  test("has types that compile where nothing else is installed", async () => {
    writeFileSync(join(installed.folder, "typed.ts"), typed);
    const tsc = join(process.cwd(), "node_modules/.bin/tsc");
    const flags = ["--noEmit", "--strict", "--module", "nodenext", "--target", "es2022", "--types", "", "typed.ts"];
    const { code, stdout } = await installed.run(tsc, flags);
    expect({ code, stdout }).toEqual({ code: 0, stdout: "" });
  });
});

/** A test file of jest, with its global functions or with those of a module. */
const jestTests = {
  "@types/jest": "",
  "@jest/globals": 'import { expect, test } from "@jest/globals";',
};

// Last: the packages stay in the folder.
describe.each(provesAll ? Object.entries(jestTests) : [])("with %s", (name, first) => {
  test("the matcher has a type, also where libraries are checked", async () => {
    await installed.add(`${name}@30`);
    const lines = [
      first,
      'import "a2a-assay/jest";',
      'import { testAgent } from "a2a-assay";',
      'test("conforms", async () => {',
      '  expect(await testAgent("http://127.0.0.1:9999")).toBeConformant({ minExamined: 60 });',
      "  // @ts-expect-error a share is a number",
      '  expect({}).toBeConformant({ minExamined: "60" });',
      "});",
    ];
    writeFileSync(join(installed.folder, "jest.test.ts"), lines.join("\n"));
    const tsc = join(process.cwd(), "node_modules/.bin/tsc");
    const types = name === "@types/jest" ? "jest" : "node";
    const flags = ["--noEmit", "--strict", "--module", "nodenext", "--target", "es2022", "--types", types];
    const { code, stdout } = await installed.run(tsc, [...flags, "jest.test.ts"]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: "" });
  });
});

const typed = `
import { type AgentTestOptions, assertConformant, checkCard, conformanceMatchers, type RunEvent, runEvents, serveTestbed, testAgent } from "a2a-assay";
import { type ConformanceReport, foldRun } from "a2a-assay/report";

const options: AgentTestOptions = { depth: "quick", bindings: ["JSONRPC"], budget: 4 };
export async function all(url: string): Promise<ConformanceReport> {
  const events: RunEvent[] = [];
  for await (const event of runEvents(url, options)) events.push(event);
  const report: ConformanceReport = await testAgent(url);
  assertConformant(report, { requireLevel: "partial" });
  const { pass } = conformanceMatchers.toBeConformant(report);
  const bed = await serveTestbed({ port: 0 });
  await bed.close();
  const { valid } = await checkCard(bed.url);
  return valid && pass ? report : foldRun(events);
}
// @ts-expect-error a depth that there is not
export const wrong: AgentTestOptions = { depth: "deep" };
`;

testIf(provesAll)("a plain install brings SQLite for this Node, so a fleet is tested", async () => {
  const folder = await installed.complete();
  const assay = [join(folder, "node_modules/a2a-assay/bin/assay.js")];
  writeFileSync(join(installed.folder, "agents.yaml"), `agents:\n  - ${bed.url}/echo\n`);
  const fleet = ["fleet", "run", "agents.yaml", "--depth", "card", "--allow-private"];
  const { stdout, stderr } = await installed.run(process.execPath, [...assay, ...fleet]);
  // At depth card no message is sent, so there is no verdict; the sweep is kept in SQLite all the same.
  expect({ stdout, stderr }).toEqual({ stdout: expect.stringContaining("1 agent: not-examined 1"), stderr: "" });
});

// The versions that people have; this one runs everything above.
test.each(provesAll ? [22, 24] : [])("Node %i", async (major) => {
  const node = await installed.node(major);
  const said = await installed.run(node, ["--version"]);
  expect(said.stdout).toMatch(new RegExp(`^v${major}\\.`));
  const { code, stdout } = await installed.run(node, [inPackage("bin/assay.js"), "test", `${bed.url}/echo`]);
  expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining("conformant") });
  writeFileSync(join(installed.folder, "example.js"), examples[0]!);
  expect(await installed.run(node, ["example.js"])).toMatchObject({ code: 0 });
});
