import { readFileSync } from "node:fs";
import type { Command } from "commander";
import { expect, test } from "vitest";
import { createProgram } from "../main.ts";
import { paperScreen } from "../screen.fixture.ts";

const endsInOrder = (command: Command): boolean =>
  command.options.some(({ long }) => long === "--shutdown-timeout") || command.commands.some(endsInOrder);

test("every command that ends in order after a signal has a launcher", () => {
  const entry = readFileSync("packages/cli/bin/assay.js", "utf8");
  const [, listed = ""] = /new Set\(\[(.*?)\]\);/s.exec(entry) ?? [];
  const supervised = [...listed.matchAll(/"(\w+)"/g)].map(([, name]) => name);
  const inOrder = createProgram(paperScreen(), () => {}).commands.filter(endsInOrder);
  // The demo has no options: it is a test of the built-in agent.
  expect(supervised.toSorted()).toEqual(["demo", ...inOrder.map((command) => command.name())].toSorted());
});
