import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Command } from "commander";
import { expect, test } from "vitest";
import { sourcesOf } from "../../../scripts/sources.fixture.ts";
import { cliPage, endings, environment, nameOf } from "./cli-page.fixture.ts";
import { exitCodes } from "./exit.ts";
import { createProgram } from "./main.ts";
import { paperScreen } from "./screen.fixture.ts";

/** All commands that run something, at every depth. */
const commandsOf = (command: Command): Command[] =>
  command.commands.length ? command.commands.flatMap(commandsOf) : [command];

test("docs/cli.md says what the commands declare; after a change: npx vitest run packages/cli/src/cli-page.test.ts -u", async () => {
  await expect(cliPage()).toMatchFileSnapshot(resolve(import.meta.dirname, "../../../docs/cli.md"));
});

test("it has every option of every command", () => {
  const page = cliPage();
  const connection = page.slice(page.indexOf("## Connection flags"));
  const missing = commandsOf(createProgram(paperScreen(), () => {})).flatMap((command) => {
    const [, section = ""] = page.split(`\n## ${nameOf(command)}\n`);
    const text = `${section.split("\n## ")[0]}${connection}`;
    return command.options
      .filter((option) => !option.hidden && option.long !== "--help-all")
      .filter(({ flags }) => !text.includes(`| \`${flags.replaceAll("|", "\\|")}\` |`))
      .map(({ flags }) => `${nameOf(command)} ${flags}`);
  });
  expect(missing).toEqual([]);
});

test("it has every exit code", () => {
  expect(Object.keys(endings).map(Number)).toEqual(Object.values(exitCodes));
});

test("it has every variable of the environment that the command line reads by name", () => {
  const reading = /\benv\["([A-Z_]+)"\]|\bproxy\("([A-Z_]+)"\)|env:(ASSAY_[A-Z_]+)/g;
  const read = [import.meta.dirname, resolve(import.meta.dirname, "../../library/src")]
    .flatMap(sourcesOf)
    .flatMap((file) => [...readFileSync(file, "utf8").matchAll(reading)])
    .flatMap(([, ...names]) => names.filter((name) => name !== undefined));
  expect(new Set(read)).toEqual(new Set(Object.keys(environment)));
});
