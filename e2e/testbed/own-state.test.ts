import { startTestbed, type Testbed } from "@assay/agents";
import type { JsonObject } from "@assay/protocol";
import { afterAll, expect, test } from "vitest";
import { provesAll } from "../fixtures/proves-all.fixture.ts";
import { plain } from "../fixtures/testbed.fixture.ts";

// Mutants and variants keep their state for one test bed. In two test beds of one process, each gives the same responses
// to its first client. An agent that shares state would respond differently in the second.

// Some deliberate faults are reported as internal errors of the server. This test ignores them.
const start = () => startTestbed({ host: "127.0.0.1", port: 0, version: "test", timeScale: 0.01 });
const beds = [await start(), await start()];
afterAll(() => Promise.all(beds.map((bed) => bed.close(0))));
const { mutants, variants } = await beds[0]!.families();

/** Some agents never respond. The test repeats them in new test beds with more time. */
const patience = { first: 5_000, again: 30_000 };
/** `npm test` tests one in three, `npm run prove` all of them. */
const everyone = Object.entries({ mutants, variants })
  .flatMap(([family, members]) => members.map(({ id, base }) => ({ path: `${family}/${id}`, base })))
  .filter((_, place) => provesAll || place % 3 === 0);

const user = { Authorization: "Bearer alice-token", "A2A-Extensions": "urn:assay:extension:acknowledgement:v1" };

type Call = readonly [method: string, params: JsonObject];

/** The same messages for all agents of a version. The client sets the ids, so both test beds get the same ones. */
function callsIn(version: string): readonly Call[] {
  const parts = [{ kind: "text", type: "text", text: "task-lifecycle hi" }];
  const message = { kind: "message", messageId: "m-1", parts };
  const newer = { messageId: "m-1", parts: [{ text: "task-lifecycle hi" }] };
  const unknown = { id: "11111111-2222-4333-8444-555555555555" };
  switch (version) {
    case "1.0":
      return [
        ["SendMessage", { message: { ...newer, role: "ROLE_USER" } }],
        ["SendMessage", { message: newer }],
        ["CancelTask", unknown],
        ["ListTasks", {}],
      ];
    case "0.1":
      return [
        ["tasks/send", { id: "t-1", message: { role: "user", parts } }],
        ["tasks/cancel", unknown],
      ];
    default:
      return [
        ["message/send", { message: { ...message, role: "user" } }],
        ["tasks/cancel", unknown],
      ];
  }
}

const versionOf = (base: string): string => ({ spec03: "0.3", spec02: "0.2", spec01: "0.1" })[base] ?? "1.0";

/** Values that always differ: ids, times, addresses, signatures and tokens. */
const alike = (text: string): string =>
  text
    .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "<id>")
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+|\b\d{13}\b/g, "<time>")
    .replace(/"elapsedMs":\s*\d+/g, "<elapsed>")
    .replace(/127\.0\.0\.1:\d+/g, "<host>")
    .replace(/"(signature|protected|nextPageToken)":\s*"[^"]*"/g, "<sealed>");

/** Agents whose lists depend on the time since a task was created or ended, so two lists may differ. */
const timed = ["late-tasks-60", "late-tasks-300", "late-and-purging", "purges-ended-later", "replica-lag"].map(
  (id) => `variants/${id}`,
);

/** Returns all responses of an agent to its first client. */
async function said(url: string, base: string, patienceMs: number): Promise<string[]> {
  const version = versionOf(base);
  const heard = async (path: string, request: Parameters<typeof plain>[1]): Promise<string> => {
    // Some agents disconnect, and some never respond.
    const answer = await plain(`${url}${path}`, { ...request, signal: AbortSignal.timeout(patienceMs) }).catch(
      () => undefined,
    );
    return answer ? alike(`${answer.status} ${answer.text}`) : "no answer";
  };
  const lines = [await heard("/.well-known/agent-card.json", {}), await heard("/.well-known/agent.json", {})];
  for (const [method, params] of callsIn(version)) {
    const headers = { "Content-Type": "application/json", ...(version === "1.0" && { "A2A-Version": "1.0" }), ...user };
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
    lines.push(`${method}: ${await heard("", { method: "POST", headers, body })}`);
  }
  return lines;
}

/** Returns the responses that differ in the second of two test beds. */
async function strays(
  { path, base }: (typeof everyone)[number],
  [first, second]: readonly Testbed[],
  patienceMs: number,
): Promise<string[]> {
  const before = await said(`${first!.url}/${path}`, base, patienceMs);
  const after = await said(`${second!.url}/${path}`, base, patienceMs);
  const isTimed = (line: string): boolean => line.startsWith("ListTasks") && timed.includes(path);
  return after.flatMap((line, index) =>
    line === before[index] || isTimed(line) ? [] : [`${path}: ${line}\n  before: ${before[index]}`],
  );
}

test("no mutant and no variant keeps state from one test bed to another", {
  timeout: 600_000,
}, async () => {
  const found: string[] = [];
  let next = 0;
  const walk = async (): Promise<void> => {
    for (let one = everyone[next++]; one; one = everyone[next++]) {
      const quick = await strays(one, beds, patience.first);
      if (quick.length === 0) continue;
      const fresh = [await start(), await start()];
      found.push(...(await strays(one, fresh, patience.again)));
      await Promise.all(fresh.map((bed) => bed.close(0)));
    }
  };
  await Promise.all(Array.from({ length: 8 }, walk));
  expect(found).toEqual([]);
});
