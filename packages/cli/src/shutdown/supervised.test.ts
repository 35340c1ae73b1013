import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "commander";
import { expect, test } from "vitest";
import { createProgram } from "../main.ts";
import { paperScreen } from "../screen.fixture.ts";

const source = "packages/cli/src";
const commands = createProgram(paperScreen(), () => {}).commands;

const endsInOrder = (command: Command): boolean =>
  command.options.some(({ long }) => long === "--shutdown-timeout") || command.commands.some(endsInOrder);

/** The files of this package that a module loads when it runs. */
function importsOf(file: string): string[] {
  const text = readFileSync(file, "utf8");
  const found = text.matchAll(/(?:^(?:import|export) (?!type )[^;]*?from |\bimport\()"(\.[^"]+)"/gm);
  return [...found].map(([, path]) => join(file, "..", path!));
}

/** Tells if the module, or one that it loads, catches signals. */
function catchesSignals(file: string, seen = new Set<string>()): boolean {
  if (seen.has(file)) return false;
  seen.add(file);
  return (
    file === join(source, "shutdown/interruption.ts") || importsOf(file).some((each) => catchesSignals(each, seen))
  );
}

/** The commands that a file of `commands/` declares. */
const declaredIn = (file: string): string[] =>
  [...readFileSync(file, "utf8").matchAll(/(?:\bdeclare|\.command)\("([\w-]+)"/g)].map(([, name]) => name!);

test("every command that catches signals has a launcher and --shutdown-timeout, and no other has", () => {
  const entry = readFileSync("packages/cli/bin/launcher.js", "utf8");
  const [, listed = ""] = /new Set\(\[(.*?)\]\);/s.exec(entry) ?? [];
  const launched = [...listed.matchAll(/"(\w+)"/g)].map(([, name]) => name);
  const catching = readdirSync(`${source}/commands`)
    .map((name) => join(source, "commands", name))
    .filter((file) => catchesSignals(file))
    .flatMap(declaredIn)
    // The fleet starts this one, and kills it. It catches no signals, but shares a file with `fleet`.
    .filter((name) => name !== "examine-agents");
  expect(launched.toSorted()).toEqual(catching.toSorted());
  expect(commands.filter(endsInOrder).map((each) => each.name())).toEqual(
    commands.map((each) => each.name()).filter((name) => catching.includes(name)),
  );
});
