import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test, vi } from "vitest";
import { run } from "../main.ts";
import { paperScreen } from "../screen.fixture.ts";

// The first command loads all of the suite, which takes a busy machine its time.
vi.setConfig({ testTimeout: 120_000 });

const folder = mkdtempSync(join(tmpdir(), "assay-cyclic-"));
const file = join(folder, "cyclic.yaml");
const nowhere = "http://127.0.0.1:1";
mkdirSync(join(folder, "driver"));
afterAll(() => rmSync(folder, { recursive: true }));

/** An alias within what it stands for, in every file of YAML that a command reads. */
test.each([
  ["assay.yaml", `url: ${nowhere}\nskip: &a [*a]\n`, ["test", "--config", file], "cyclic.yaml:2:11 skip[0]"],
  ["assay.yaml, in a map", "prompts: &a\n  task: *a\n", ["test", nowhere, "--config", file], "cyclic.yaml:2:9"],
  ["a baseline", "- &a { check: X, reason: *a }\n", ["test", nowhere, "--no-config", "--baseline", file], ":1:26 "],
  ["settings of a server", "port: &a [*a]\n", ["serve", "--config", file], "cyclic.yaml:1:11 port[0]"],
  [
    "secrets of a worker",
    "maps: &a { bearer: *a }\n",
    ["worker", "--queue", "redis://127.0.0.1:1", "--history", `sqlite:${join(folder, "h.db")}`, "--secrets", file],
    "cyclic.yaml:1:20 maps.bearer",
  ],
  ["a list", "agents:\n  - url: http://a.example\n    labels: &a [*a]\n", ["fleet", file], "cyclic.yaml:3"],
  [
    "a list, in its defaults",
    "defaults: &a { depth: *a }\nagents: [http://a.example]\n",
    ["fleet", file],
    "cyclic.yaml:1",
  ],
  [
    "scenarios",
    "acts_version: '1.0'\nspec_version: '1.0'\nvariables: { x: y }\nsuites: &a\n  - { id: s, name: s, tests: *a }\n",
    ["acts", file, "--url", nowhere],
    "cyclic.yaml:5:30",
  ],
  [
    "scenarios, in a message",
    "acts_version: '1.0'\nspec_version: '1.0'\nsuites:\n  - { id: s, name: s, tests: [{ id: t, name: t, steps: [{ params: &a { deep: *a } }] }] }\n",
    ["acts", file, "--url", nowhere],
    "cyclic.yaml:4:78",
  ],
])("a cyclic alias in %s is a usage error with its place and a fix", async (_what, text, args, place) => {
  writeFileSync(file, text);
  const screen = paperScreen({ isTerminal: false });
  expect(await run(args, screen), screen.err()).toBe(2);
  expect(screen.err()).toContain(place);
  expect(screen.err()).toMatch(
    /alias refers to a value that contains it[\s\S]*(?:[rR]eplace the alias with the value|write the value out)/,
  );
});
