import type { TaskState } from "@assay/protocol";
import type { Database, Query } from "@assay/storage";
import { expect, test } from "vitest";
import type { TaskEvent } from "../store.ts";
import { Followers, SqlFollower } from "./follower.ts";
import { endedPhase } from "./phases.ts";

const forever = (): AbortSignal => new AbortController().signal;
const said = (state: TaskState): TaskEvent => ({ is: "status", status: { state } });
const working = said("TASK_STATE_WORKING");

/** The tables of one task, which count their queries. */
class Tables implements Pick<Database, "all"> {
  readonly events: TaskEvent[] = [];
  asked = 0;
  phase = 0;

  async all<Row>({ strings, values }: Query): Promise<Row[]> {
    this.asked++;
    // Contains what was written before the query, not what is written before the result is read.
    const events = [...this.events];
    const { phase } = this;
    if (!strings.join("").includes("from assay_events")) return [{ key: "k", seq: events.length, phase } as Row];
    const from = values[1] as number;
    return events.slice(from).map((event) => ({ event: JSON.stringify(event) }) as Row);
  }
}

function followed(seq = 0) {
  const tables = new Tables();
  const followers = new Followers();
  const follower = new SqlFollower(tables, followers, "k", seq, forever());
  const append = (...events: TaskEvent[]): void => {
    const at = tables.events.length;
    tables.events.push(...events);
    if (events.some((event) => event.is === "status" && event.status.state === "TASK_STATE_COMPLETED"))
      tables.phase = endedPhase;
    followers.hand("k", at, events);
  };
  return { tables, followers, follower, append };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

test("events that the server itself appends need no query", async () => {
  const { tables, follower, append } = followed();
  append(working);
  expect(await follower.next()).toEqual({ done: false, value: [working] });
  let next = follower.next();
  await turn();
  const before = tables.asked;
  for (let number = 0; number < 10; number++) {
    append(working);
    expect(await next).toEqual({ done: false, value: [working] });
    next = follower.next();
    await turn();
  }
  expect(tables.asked).toBe(before);
  append(said("TASK_STATE_COMPLETED"));
  expect((await next).value).toEqual([said("TASK_STATE_COMPLETED")]);
  expect(await follower.next()).toEqual({ done: true, value: undefined });
});

test("what another server wrote is read when there is word of it", async () => {
  const { tables, followers, follower } = followed();
  const next = follower.next();
  await turn();
  tables.events.push(working);
  followers.wake("k");
  expect((await next).value).toEqual([working]);
});

test("what another server wrote is found where the word of it was lost, and one question is enough for all", async () => {
  const { tables, followers, follower } = followed();
  const others = Array.from({ length: 5 }, () => new SqlFollower(tables, followers, "k", 0, forever()));
  const waiting = [follower, ...others].map((each) => each.next());
  await turn();
  const before = tables.asked;
  await followers.look(tables);
  await turn();
  expect(tables.asked).toBe(before + 1);
  tables.events.push(working);
  await followers.look(tables);
  for (const { value } of await Promise.all(waiting)) expect(value).toEqual([working]);
});

test("what is handed over behind something that was not is read with it", async () => {
  const { tables, follower, append } = followed();
  const next = follower.next();
  await turn();
  tables.events.push(said("TASK_STATE_SUBMITTED"));
  append(working);
  expect((await next).value).toEqual([said("TASK_STATE_SUBMITTED"), working]);
});

test("an event that arrives during a read is reported once", async () => {
  const { follower, append } = followed();
  append(working);
  const first = follower.next();
  append(said("TASK_STATE_INPUT_REQUIRED"));
  const told = [...(await first).value!, ...(await follower.next()).value!];
  expect(told).toEqual([working, said("TASK_STATE_INPUT_REQUIRED")]);
});

test("a task that was removed ends its followers", async () => {
  const { tables, followers, follower } = followed();
  const next = follower.next();
  await turn();
  tables.all = async () => [];
  await followers.look(tables);
  expect(await next).toEqual({ done: true, value: undefined });
});
