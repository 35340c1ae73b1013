import { type LoggedRequest, startTestbed, type Testbed } from "@assay/agents";
import type { Rehearsal } from "@assay/suite";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { provesAll } from "../../../../e2e/fixtures/proves-all.fixture.ts";
import { run } from "../main.ts";
import { paperScreen } from "../screen.fixture.ts";

/** Older versions as well take seconds more. */
const versions = provesAll ? [] : ["--dialect", "1.0"];

let bed: Testbed;
const served: LoggedRequest[] = [];
beforeAll(async () => {
  const onServed = (request: LoggedRequest) => void served.push(request);
  bed = await startTestbed({ host: "127.0.0.1", port: 0, version: "test", timeScale: 0, onServed });
});
afterAll(() => bed.close(0));
beforeEach(() => void served.splice(0));

async function dryRun(path: string, ...args: string[]) {
  const screen = paperScreen({ isTerminal: false });
  vi.stubEnv("TOKEN", "s3same-open");
  const code = await run(["test", `${bed.url}${path}`, "--no-config", "--dry-run", ...args], screen);
  vi.unstubAllEnvs();
  return { code, out: screen.out(), err: screen.err() };
}

test("only the card is fetched; texts, messages at each depth and requests are shown", async () => {
  const { code, out } = await dryRun("/echo", "--depth", "quick", ...versions, "--bearer", "env:TOKEN");
  expect(code).toBe(0);
  expect(new Set(served.map(({ method, path }) => `${method} ${path.replace(/.*\//, "")}`))).toEqual(
    new Set(provesAll ? ["GET agent-card.json", "GET agent.json"] : ["GET agent-card.json"]),
  );
  expect(out).toMatch(/^Messages, at most: card 0, free 0, quick 8, full \d\d+\. This run: 8$/m);
  expect(out).toContain('"Reply with the word OK."   sent for task, stream (plain)');
  expect(out).toContain("  Authorization: Bearer «secret:bearer»\n");
  expect(out).toMatch(/{"jsonrpc":"2.0","id":1,"method":"SendMessage","params":{"message":{.*Reply with the word OK/);
  // gRPC is shown as the JSON that it stands for.
  expect(out).toMatch(/A2AService\/SendMessage\n {6}{"tenant":"echo","message":{.*Reply with the word OK/);
  expect(out).not.toContain("s3same");
});

test("as JSON it is whole", async () => {
  const { out } = await dryRun("/spec", "--depth", "full", "--dialect", "1.0", "--json", "--bearer", "env:TOKEN");
  const rehearsal = JSON.parse(out) as Rehearsal;
  expect(rehearsal).toMatchObject({ depth: "full", messages: { card: 0, free: 0, quick: 8 } });
  expect(rehearsal.texts.find(({ kinds }) => kinds.includes("slow"))).toMatchObject({ parts: [{ text: "slow 2" }] });
  const bindings = new Set(rehearsal.unsent.map(({ interface: on }) => on?.binding));
  expect(bindings).toEqual(new Set(["JSONRPC", "HTTP+JSON", "GRPC"]));
  expect(rehearsal.later).toContain("a task at rest");
  expect(out).not.toContain("s3same");
});

test("the messages of --faults count at depth quick and full", async () => {
  const asked = ["/full", "--depth", "quick", "--binding", "JSONRPC", "--dialect", "1.0", "--json"] as const;
  const [without, withFaults] = await Promise.all([dryRun(...asked), dryRun(...asked, "--faults")]);
  const { messages: before } = JSON.parse(without.out) as Rehearsal;
  const { messages: after } = JSON.parse(withFaults.out) as Rehearsal;
  expect(after).toEqual({ ...before, quick: before.quick + 14, full: before.full + 14 });
});

test("every skill that is to be tried counts as a message, at depth quick and full", async () => {
  const { out } = await dryRun(
    "/spec",
    "--depth",
    "quick",
    "--binding",
    "JSONRPC",
    "--dialect",
    "1.0",
    "--skill",
    "message-only",
    "--skill",
    "multi-turn",
    "--json",
  );
  const { messages, unsent } = JSON.parse(out) as Rehearsal;
  expect(messages).toMatchObject({ card: 0, free: 0, quick: 10 });
  expect(unsent.flatMap(({ during }) => (during?.startsWith("the skill") ? [during] : []))).toEqual([
    "the skill message-only",
    "the skill multi-turn",
  ]);
});

test("at depth card there is nothing to be sent, and at free no text", async () => {
  const atCard = JSON.parse((await dryRun("/echo", "--depth", "card", ...versions, "--json")).out) as Rehearsal;
  expect(atCard.unsent).toEqual([]);
  const atFree = JSON.parse(
    (await dryRun("/echo", "--depth", "free", "--binding", "JSONRPC", ...versions, "--json")).out,
  ) as Rehearsal;
  expect(atFree.texts).toEqual([]);
  expect(atFree.unsent.map(({ during }) => during)).not.toContain("a message and its task");
});

test("where there is no agent, or something to report is asked for, it is wrong usage", async () => {
  expect(await dryRun("/nowhere-at-all/x?")).toMatchObject({ code: 2, out: "" });
  expect(await dryRun("/echo", "--report", "junit")).toMatchObject({
    code: 2,
    err: expect.stringContaining("--dry-run cannot be combined"),
  });
});
