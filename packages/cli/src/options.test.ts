import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type AgentTestOptions, checkCard, testAgent } from "@assay/library";
import { adviceOn, flagOf, type Kind, type OptionRow, optionNames, optionOf, testOptions } from "@assay/suite/options";
import { afterAll, describe, expect, test } from "vitest";
import { UsageError } from "./exit.ts";
import { run } from "./main.ts";
import { paperScreen } from "./screen.fixture.ts";

/** A value that an option of this kind cannot have, as a program or a file would give it. */
function wrongFor({ choices, item, schema }: Kind<unknown>): unknown {
  if (choices) return "deep";
  if (item) return 7;
  return { boolean: "maybe", integer: -3, number: -3 }[schema["type"] as string] ?? 7;
}

const folder = mkdtempSync(join(tmpdir(), "assay-options-"));
afterAll(() => rmSync(folder, { recursive: true }));

const rows = optionNames.map((name): [string, OptionRow] => [name, optionOf(name)]);

describe("a wrong value of an option is an error with its name and the next step", () => {
  test.each(rows.filter(([, { library }]) => library))("library: %s", async (name, { is }) => {
    const given = { [name]: wrongFor(is) } as AgentTestOptions;
    const failed = await testAgent("http://127.0.0.1:9", given).catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(UsageError);
    expect((failed as UsageError).message).toContain(`Option "${name}": `);
    expect((failed as UsageError).message).toContain(adviceOn(is));
  });

  test.each(rows.filter(([, { key }]) => key))("assay.yaml: %s", async (_, { is, key = "" }) => {
    const [own, above] = key.split(".").toReversed();
    const text = `${own}: ${JSON.stringify(wrongFor(is))}`;
    const file = join(folder, "assay.yaml");
    writeFileSync(file, above === undefined ? text : `${above}:\n  ${text}`);
    const screen = paperScreen();
    expect(await run(["test", "http://127.0.0.1:9", "--config", file], screen)).toBe(2);
    const expected = is.item && is.schema["type"] === "array" ? "a list" : is.wants;
    expect(screen.err()).toContain(`${key}: expected ${expected}, found `);
  });

  const withWrongText = rows.flatMap(([name, row]): [string, string, string][] => {
    const { choices, schema } = row.is.item ?? row.is;
    const isNumber = schema["type"] === "number" || schema["type"] === "integer";
    return choices ? [[name, "deep", adviceOn(row.is)]] : isNumber ? [[name, "-3", adviceOn(row.is)]] : [];
  });
  test.each(withWrongText)("flag: %s", async (name, text, advice) => {
    const screen = paperScreen();
    expect(await run(["test", "http://127.0.0.1:9", flagOf(name), text], screen)).toBe(2);
    expect(screen.err()).toContain(`error: option '${flagOf(name)} `);
    expect(screen.err()).toContain(`argument '${text}' is invalid. ${advice}`);
  });
});

test("flag and library say the same of the same mistake", async () => {
  await expect(testAgent("http://127.0.0.1:9", { depth: "deep" } as unknown as AgentTestOptions)).rejects.toThrow(
    'Option "depth": "deep" is invalid. Allowed choices are card, free, quick, full.',
  );
  await expect(testAgent("http://127.0.0.1:9", { budget: -3 })).rejects.toThrow(
    'Option "budget": -3 is invalid. Expected a whole number from 0.',
  );
});

test("an unknown option is an error that names the likely one and shows no secret", async () => {
  const misspelt = { dept: "quick" } as AgentTestOptions;
  await expect(testAgent("http://127.0.0.1:9", misspelt)).rejects.toThrow('Unknown option "dept". Did you mean depth?');
  const failed = checkCard("http://127.0.0.1:9", { bearer: { token: "hush" } as unknown as string });
  await expect(failed).rejects.toThrow('Option "bearer": this value is invalid.');
});

test("options that belong together are called by the names of the library", async () => {
  const agent = "http://127.0.0.1:9";
  await expect(testAgent(agent, { cert: "package.json" })).rejects.toThrow("cert requires key");
  await expect(testAgent(agent, { tokenUrl: "https://a.test" })).rejects.toThrow("tokenUrl requires oauthClient");
  await expect(testAgent(agent, { ca: "nowhere.pem" })).rejects.toThrow("ca: cannot read the file nowhere.pem");
  await expect(testAgent(agent, { basic: "me" })).rejects.toThrow("basic: expected user:secret");
});

test("no two options have a flag or a key in common", () => {
  const keys = rows.flatMap(([, { key }]) => key ?? []);
  expect(new Set(keys).size).toBe(keys.length);
  expect(new Set(rows.map(([name]) => flagOf(name))).size).toBe(Object.keys(testOptions).length);
});
