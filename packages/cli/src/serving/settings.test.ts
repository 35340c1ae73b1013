import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { Command } from "commander";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { UsageError } from "../exit.ts";
import { paperScreen } from "../screen.fixture.ts";
import { addSettingFlags } from "./flags.ts";
import { printSettings } from "./print-settings.ts";
import { flagOf, settingNames, settingOf, variableOf } from "./settings.ts";
import { settingsSchema, settingsTable } from "./settings-page.fixture.ts";
import { type Settled, settle } from "./settle.ts";

const folder = mkdtempSync(join(tmpdir(), "assay-serve-"));
const file = join(folder, "serve.yaml");

interface Given {
  readonly flags?: readonly string[];
  readonly env?: Record<string, string>;
  readonly yaml?: string;
}

async function settled({ flags = [], env = {}, yaml }: Given): Promise<Settled> {
  if (yaml !== undefined) writeFileSync(file, yaml);
  const command = addSettingFlags(new Command("serve"))
    .exitOverride()
    .configureOutput({ writeErr: () => {} });
  command.parse([...flags, ...(yaml === undefined ? [] : ["--config", file])], { from: "user" });
  return settle(command, env);
}

async function complaint(given: Given): Promise<string> {
  try {
    await settled(given);
  } catch (error) {
    if (error instanceof UsageError) return error.message.replaceAll(file, "serve.yaml");
    throw error;
  }
  return "nothing is wrong";
}

test("a flag wins over the environment, that over the file, and all over what goes unless given", async () => {
  const { settings, placeOf } = await settled({
    flags: ["--port", "1"],
    env: { ASSAY_SERVE_PORT: "2", ASSAY_SERVE_HOST: "::1" },
    yaml: "port: 3\nhost: 0.0.0.0\nroot: echo\n",
  });
  expect(settings).toMatchObject({ port: 1, host: "::1", root: "echo", maxMemory: 192 });
  expect([placeOf("port"), placeOf("host"), placeOf("root"), placeOf("maxMemory")]).toEqual([
    { is: "flag", name: "--port" },
    { is: "environment", name: "ASSAY_SERVE_HOST" },
    { is: "file", name: `${file}: root` },
    undefined,
  ]);
});

test("the environment may name the file", async () => {
  writeFileSync(file, "port: 8080\n");
  const { settings } = await settled({ env: { ASSAY_SERVE_CONFIG: file } });
  expect(settings.port).toBe(8080);
});

test.each<[string, Given]>([
  ["by flags", { flags: ["--cors", "http://a.test", "--cors", "http://b.test"] }],
  ["by the environment", { env: { ASSAY_SERVE_CORS: "http://a.test, http://b.test" } }],
  ["by a file", { yaml: "cors: [http://a.test, http://b.test]" }],
])("several values are given %s", async (_, given) => {
  expect((await settled(given)).settings.cors).toEqual(["http://a.test", "http://b.test"]);
});

test.each<[string, Given, boolean | undefined]>([
  ["the flag", { flags: ["--log"] }, true],
  ["the environment", { env: { ASSAY_SERVE_LOG: "true" } }, true],
  ["the environment, off", { env: { ASSAY_SERVE_LOG: "0" } }, false],
  ["the file, and taken back by a flag", { yaml: "log: true", flags: ["--no-log"] }, false],
  ["an empty variable, which says nothing", { env: { ASSAY_SERVE_LOG: "" } }, undefined],
])("a switch is set by %s", async (_, given, on) => {
  expect((await settled(given)).settings.log).toBe(on);
});

test.each<[Given, string]>([
  [
    { env: { ASSAY_SERVE_MAX_MEM: "5" } },
    "ASSAY_SERVE_MAX_MEM in the environment is not a setting of assay serve. Did you mean ASSAY_SERVE_MAX_MEMORY?",
  ],
  [
    { env: { ASSAY_SERVE_PORT: "tcp://10.0.0.1:80" } },
    'ASSAY_SERVE_PORT: expected a port from 0 (any free port) to 65535, found "tcp://10.0.0.1:80"',
  ],
  [{ env: { ASSAY_SERVE_LOG: "perhaps" } }, 'ASSAY_SERVE_LOG: expected true or false, found "perhaps"'],
  [{ env: { ASSAY_SERVE_MAX_WAIT: " " } }, 'ASSAY_SERVE_MAX_WAIT: expected a number of minutes above 0, found " "'],
  [{ yaml: "prot: 80" }, 'serve.yaml:1:1 "prot" is unknown. Did you mean port?'],
  [{ yaml: "port: web" }, 'serve.yaml:1:7 port: expected a port from 0 (any free port) to 65535, found "web"'],
  [{ yaml: "keepTasks: 1.5" }, "serve.yaml:1:12 keepTasks: expected a whole number from 1, found 1.5"],
  [{ yaml: "cors: http://a.test" }, 'serve.yaml:1:7 cors: expected a list, found "http://a.test"'],
  [{ yaml: "publicUrl: a.test" }, 'serve.yaml:1:12 publicUrl: expected an http or https URL, found "a.test"'],
  [{ yaml: "config: other.yaml" }, 'serve.yaml:1:1 "config" is unknown.'],
])("the invalid setting %j is reported with its place: %s", async (given, says) => {
  expect(await complaint(given)).toBe(says);
});

test("an empty file says nothing", async () => {
  expect((await settled({ yaml: "# nothing yet\n" })).settings.port).toBe(4040);
});

test("settings that may contain a secret are not printed", async () => {
  const screen = paperScreen();
  printSettings(await settled({ env: { ASSAY_SERVE_STORE: "postgres://u:hush@h/db" } }), screen);
  expect(screen.out()).toMatch(/^store +\*\*\* +ASSAY_SERVE_STORE$/m);
  expect(screen.out()).not.toContain("hush");
});

test("every setting has a name in each of three places that no other has, and what goes unless given is one of its values", () => {
  expect(new Set(settingNames.map(flagOf)).size).toBe(settingNames.length);
  expect(new Set(settingNames.map(variableOf)).size).toBe(settingNames.length);
  for (const name of settingNames) {
    const { is, default: fallback } = settingOf(name);
    if (fallback !== undefined) expect([name, is.read(String(fallback))]).toEqual([name, fallback]);
  }
});

test("docs/operations.md has the table; after a change: npx vitest run packages/cli/src/serving/settings.test.ts -u", async () => {
  const page = resolve(import.meta.dirname, "../../../../docs/operations.md");
  const written = readFileSync(page, "utf8");
  const table = /(?<=<!-- settings -->\n).*(?=<!-- end of settings -->)/s;
  expect(written).toMatch(table);
  await expect(written.replace(table, () => `\n${settingsTable()}\n`)).toMatchFileSnapshot(page);
});

test("the published schema is that of the table", async () => {
  const schema = `${JSON.stringify(settingsSchema(), null, 2)}\n`;
  await expect(schema).toMatchFileSnapshot("../../schemas/assay-serve.json");
});

const isSettings = new Ajv2020({ strict: false }).compile(settingsSchema());

test.each([
  ["port: 80\nlog: true\ncors: [http://a.test]\ntimeScale: 0.1\nprofile: tck", true],
  ["prot: 80", false],
  ["port: 70000", false],
  ["maxWait: 0", false],
  ["profile: tkc", false],
  ["log: maybe", false],
])("an editor and the reader agree on %j", async (yaml, isRight) => {
  expect(isSettings(parse(yaml))).toBe(isRight);
  expect((await complaint({ yaml })) === "nothing is wrong").toBe(isRight);
});
