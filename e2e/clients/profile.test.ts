import { testClient } from "@assay/clients";
import { type ClientProfile, profileOf } from "@assay/suite/forecast";
import type { RunEvent } from "@assay/suite/report";
import { expect, test } from "vitest";
import { runClient } from "./client.js";

/** Our good client; `change` is what its program does with its output. */
async function profiled(change: (output: string) => string, situations: readonly string[]): Promise<ClientProfile> {
  const events: RunEvent[] = [];
  const run = testClient({
    command: ["good-client"],
    env: {},
    run: "profile",
    version: "0.0.0",
    bindings: ["JSONRPC"],
    dialects: ["1.0"],
    situations,
    timeout: 60_000,
    async drive(env, signal) {
      const [output, errors]: [string[], string[]] = [[], []];
      const exit: number = await runClient({
        env,
        signal,
        misbehaviour: "",
        print: (text: string) => void output.push(text),
        complain: (text: string) => void errors.push(text),
      });
      return { exit, output: change(output.join("\n")), errors: errors.join("\n") };
    },
  });
  for await (const event of run) events.push(event);
  return profileOf(events, { name: "good-client", version: "0.0.0" });
}

test("our own client has every ability that its situations show, except that it never polls", async () => {
  const { speaks, sends, abilities } = await profiled(
    (output) => output,
    ["task", "appended", "large", "refused", "both-versions", "with-other-http", "early-task", "asks-back"],
  );
  expect(speaks).toEqual(["1.0 JSONRPC"]);
  expect(sends).toEqual({ "1.0 JSONRPC": ["SendMessage"] });
  expect(Object.fromEntries(Object.entries(abilities).map(([id, rows]) => [id, rows.map(({ is }) => is)]))).toEqual({
    message: ["yes"],
    task: ["yes"],
    "early-task": ["lost"],
    streaming: ["yes"],
    chunks: ["yes"],
    "input-required": ["yes"],
    large: ["yes"],
    errors: ["yes"],
    "both-versions": ["yes"],
    "with-other-http": ["yes"],
  });
});

test("a program that drops the text of artifacts loses them, and what builds on them is unknown", async () => {
  const { abilities } = await profiled((output) => (output.includes("K2V9") ? "done" : output), ["parts", "task"]);
  expect(abilities).toMatchObject({
    message: [{ is: "yes" }],
    task: [{ is: "lost", on: ["1.0 JSONRPC"], saw: "last line printed: done" }],
  });
  expect(abilities.files).not.toMatchObject([{ is: "no" }]);
});
