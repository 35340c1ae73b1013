import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Task } from "@assay/protocol";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { asked, message, streamed } from "./asking.fixture.ts";
import { hasPostgres, type PostgresServer, startPostgres } from "./postgres.fixture.ts";
import { type Served, serveOn } from "./served.fixture.ts";

/** The server accepts immediate replies to INPUT_REQUIRED, also from many clients at once. */
const conversations = 90;
const followUps = 4;
const patience = { timeout: 600_000 };

const folder = mkdtempSync(join(tmpdir(), "assay-follow-ups-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Turn = (agent: string, text: string, taskId?: string) => Promise<Pick<Task, "id" | "status">>;

const wires: readonly (readonly [string, Turn])[] = [
  [
    "SendMessage",
    async (agent, text, taskId) =>
      (await asked(agent, "SendMessage", message(text, taskId === undefined ? {} : { taskId }))).task!,
  ],
  [
    "SendStreamingMessage",
    async (agent, text, taskId) => {
      const request = message(text, taskId === undefined ? {} : { taskId });
      let last: Pick<Task, "id" | "status"> | undefined;
      for await (const { task, statusUpdate } of streamed(agent, "SendStreamingMessage", request)) {
        if (task) last = task;
        if (statusUpdate) last = { id: statusUpdate.taskId, status: statusUpdate.status };
        // Reply while the stream may still be open.
        if (last?.status.state === "TASK_STATE_INPUT_REQUIRED" && statusUpdate) break;
      }
      return last!;
    },
  ],
];

async function converse(agent: string, turn: Turn): Promise<string[]> {
  const refusals: string[] = [];
  const { id } = await turn(agent, "multi-turn start");
  for (let said = 1; said <= followUps; said++) {
    const text = said === followUps ? "done" : "and";
    try {
      const { status } = await turn(agent, text, id);
      expect(status.state).toBe(said === followUps ? "TASK_STATE_COMPLETED" : "TASK_STATE_INPUT_REQUIRED");
    } catch (error) {
      refusals.push((error as Error).message);
    }
  }
  return refusals;
}

async function refusalsOf(agent: string, atOnce: number, turn: Turn): Promise<string[]> {
  let left = conversations;
  const client = async (): Promise<string[]> => {
    const refusals: string[] = [];
    while (left-- > 0) refusals.push(...(await converse(agent, turn)));
    return refusals;
  };
  return (await Promise.all(Array.from({ length: atOnce }, client))).flat();
}

const cases = wires.flatMap(([wire, turn]) => [1, 2, 8].map((atOnce) => ({ wire, turn, atOnce })));

describe("in SQLite", () => tryAll(async () => `sqlite:${join(folder, "tasks.db")}`));

describe.runIf(hasPostgres)("in PostgreSQL", () => {
  let postgres: PostgresServer | undefined;
  afterAll(() => postgres?.close(), patience.timeout);
  tryAll(async () => {
    postgres = await startPostgres("durable");
    return postgres.newDatabase();
  });
});

function tryAll(newStore: () => Promise<string>): void {
  let served: Served | undefined;
  beforeAll(async () => {
    served = await serveOn(await newStore(), "--time-scale", "0");
  }, patience.timeout);
  afterAll(() => served?.kill());

  test.each(cases)("$wire with $atOnce clients at once", patience, async ({ turn, atOnce }) => {
    expect(await refusalsOf(`${served!.url}/full`, atOnce, turn)).toEqual([]);
  });
}
