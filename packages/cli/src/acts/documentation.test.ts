import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { startTestbed, type Testbed } from "@assay/agents";
import { version } from "@assay/library/version";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { run } from "../main.ts";
import { paperScreen } from "../screen.fixture.ts";

// docs/scenarios.md, executed from top to bottom: files are written and grow, commands are run, and what they print
// is compared with the page; every piece of the reference is run as part of a scenario.

const root = resolve(import.meta.dirname, "../../../..");
const page = readFileSync(join(root, "docs/scenarios.md"), "utf8");
const address = "http://127.0.0.1:4040";

const home = process.cwd();
let folder: string;
let testbed: Testbed;
beforeAll(async () => {
  testbed = await startTestbed({ host: "127.0.0.1", port: 0, version, timeScale: 0.1 });
  folder = mkdtempSync(join(tmpdir(), "assay-scenarios-"));
  copyFileSync(join(root, "acceptance.yaml"), join(folder, "acceptance.yaml"));
  process.chdir(folder);
});
afterAll(async () => {
  process.chdir(home);
  rmSync(folder, { recursive: true });
  await testbed.close(0);
});

interface Block {
  readonly kind: string;
  readonly file?: string;
  readonly text: string;
  readonly line: number;
}

const blocks: readonly Block[] = [...page.matchAll(/^```(?:yaml )?(\w+)(?:=(\S+))?\n([\s\S]*?)^```$/gm)].map(
  ({ 1: kind = "", 2: file, 3: text = "", index }) => ({
    kind,
    text,
    line: page.slice(0, index).split("\n").length,
    ...(file !== undefined && { file }),
  }),
);

async function played(args: readonly string[]): Promise<string> {
  const screen = paperScreen({ isTerminal: false });
  await run(args, screen);
  return `${screen.out()}${screen.err()}`;
}

/** The lines of an output, whatever their order: scenarios run side by side, times and ids differ, and columns may grow. */
const essence = (text: string): string[] =>
  text
    .replaceAll(testbed.url, address)
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g, "«id»")
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, "«time»")
    .replaceAll(/ +\d+(\.\d+)? m?s$/gm, "")
    .replaceAll(/exchange x\d+/g, "exchange «n»")
    .replaceAll(/(acceptance\.yaml):\d+:\d+/g, "$1:«place»")
    .split("\n")
    .map((line) => line.trim().replaceAll(/ {2,}/g, " "))
    .filter((line) => line !== "")
    .toSorted();

/** A piece of a scenario made into a whole one. */
const whole = ({ kind, text, line }: Block): string => {
  const indented = (by: number): string => text.replaceAll(/^(?=.)/gm, " ".repeat(by));
  const scenario =
    kind === "test"
      ? indented(8).replace("        id:", "      - id:")
      : `      - id: LINE-${line}\n        name: "a piece of the reference"\n        level: must\n        steps:\n${indented(10)}`;
  return `acts_version: "1.0"\nspec_version: "1.0"\nsuites:\n  - id: page\n    name: "The page"\n    tests:\n${scenario}`;
};

const inOrder = blocks.filter(({ kind }) => ["file", "append", "console"].includes(kind));
const pieces = blocks.filter(({ kind }) => ["steps", "test"].includes(kind));

// The page is read from top to bottom: its commands use the files above them.
describe("docs/scenarios.md", { shuffle: false }, () => {
  test("is made of pieces that somebody runs", () => {
    const fences = [...page.matchAll(/^```yaml.*$/gm)].length;
    const yaml = blocks.filter(({ kind }) => kind !== "console");
    expect(yaml.map(({ kind }) => kind).filter((kind) => !/^(file|append|steps|test)$/.test(kind))).toEqual([]);
    expect([fences, inOrder.length, pieces.length].every((count) => count > 0)).toBe(true);
    expect(yaml).toHaveLength(fences);
  });

  test.each(inOrder)("line $line: $kind $file", async ({ kind, file, text }) => {
    if (kind === "console") {
      const [command = "", ...output] = text.split("\n");
      const args = command.replace("$ assay ", "").replaceAll(address, testbed.url).split(" ");
      const [shown, printed] = [essence(output.join("\n")), essence(await played(args))];
      const leftOut = shown.includes("…") ? printed.filter((line) => !shown.includes(line)) : [];
      expect([...shown.filter((line) => line !== "…"), ...leftOut].toSorted()).toEqual(printed);
      return;
    }
    writeFileSync(file!, text, { flag: kind === "append" ? "a" : "w" });
    // What is wrong on purpose is shown by the commands that follow.
    if (/^(wrong|fails)\./.test(file!)) return;
    expect(await played(["acts", file!, "--url", `${testbed.url}/spec`])).toMatch(/ 0 failed, 0 skipped,.* 0 errors/);
  });

  test.each(pieces)("line $line: $kind", async (piece) => {
    const file = `line-${piece.line}.acts.yaml`;
    writeFileSync(file, whole(piece));
    // Those about a named agent have the root of the test bed for their address.
    const url = piece.text.includes("agent: spec") ? testbed.url : `${testbed.url}/spec`;
    expect(await played(["acts", file, "--url", url])).toMatch(/ 0 failed, 0 skipped,.* 0 errors/);
  });
});
