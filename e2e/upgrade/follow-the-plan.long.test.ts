import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { JsonObject } from "@assay/protocol";
import { exitCodeOf } from "@assay/suite/report";
import { knownClients, planOf } from "@assay/upgrade";
import { afterAll, expect, test } from "vitest";
import { pythonOf } from "../sdks/server.fixture.ts";
import { check, conformance, record, subjects, unexpectedIn } from "./two-versions.fixture.ts";

const folder = mkdtempSync(join(tmpdir(), "assay-upgrade-"));
const running = new Set<ChildProcess>();
afterAll(() => {
  for (const child of running) child.kill();
  rmSync(folder, { recursive: true });
});

/** Starts a program that prints its address once it listens. */
async function start(python: string, program: string, ...args: string[]): Promise<string> {
  const path = join(import.meta.dirname, "python-agent", program);
  const child = spawn(python, [path, ...args], { stdio: ["ignore", "pipe", "ignore"] });
  running.add(child);
  for await (const line of createInterface(child.stdout)) return (JSON.parse(line) as { url: string }).url;
  throw new Error(`${program} ended before it listened`);
}

const saved = (name: string, card: JsonObject): string => {
  const file = join(folder, name);
  writeFileSync(file, JSON.stringify(card));
  return file;
};

const [before, after] = [pythonOf("a2a-python-0.3"), pythonOf("a2a-python")];

test.runIf(before && after)(
  "an agent on the Python SDK that follows the plan conforms to 1.0, first next to 0.3, then alone",
  async () => {
    const url = await start(before!, "before.py");
    const plan = planOf(await record(url), knownClients);
    if (!("format" in plan)) throw new Error(plan.message);
    expect(plan).toMatchObject({
      from: "0.3",
      sdk: { migration: { title: "A2A Python SDK" } },
      cards: { next: { toDo: [] }, both: { toDo: [] } },
    });

    const both = await start(after!, "after.py", saved("both.json", plan.cards.both.card), url, "--compat");
    const found = await check(both);
    expect({ outcome: found.outcome, differs: subjects(found, "differs") }).toEqual({
      outcome: "equivalent",
      differs: [],
    });

    const alone = await start(after!, "after.py", saved("next.json", plan.cards.next.card), url);
    const report = await conformance(alone, { name: "a2a-python", version: "1.3.0" });
    expect({ code: exitCodeOf(report), unexpected: unexpectedIn(report) }).toEqual({ code: 0, unexpected: [] });
  },
);
