import { setTimeout as pause } from "node:timers/promises";
import type { StreamResponse, Task } from "@assay/protocol";
import { randomFrom } from "@assay/protocol";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startReceiver } from "../fixtures/receiver.fixture.ts";
import { asked, message, streamed } from "./asking.fixture.ts";
import { type Balancer, balance } from "./balancer.fixture.ts";
import { allListed, complaintsOf } from "./finding.fixture.ts";
import { loadOn } from "./load.fixture.ts";
import { hasPostgres, type PostgresServer, startPostgres } from "./postgres.fixture.ts";
import { type Served, serveOn } from "./served.fixture.ts";
import { Witness } from "./witness.fixture.ts";

const flags = ["--time-scale", "0.2"];
/** Streams a chunk every 100 ms, for longer than a test takes. */
const endless = "chunks 1000 10 500";

/** Two servers on one PostgreSQL: a client can read, follow, continue and cancel a task on either of them. */
describe.runIf(hasPostgres)("replicas", () => {
  let postgres: PostgresServer;
  let store: string;
  let [one, other]: Served[] = [];
  let balancer: Balancer;
  let [here, there]: string[] = [];
  beforeAll(async () => {
    postgres = await startPostgres("durable");
    store = await postgres.newDatabase();
    // Start both at once: only one of them creates the tables.
    [one, other] = await Promise.all([serveOn(store, ...flags), serveOn(store, ...flags)]);
    [here, there] = [`${one.url}/full`, `${other.url}/full`];
    balancer = await balance([one.url, other.url]);
  });
  afterAll(async () => {
    await balancer?.close();
    await Promise.all([one?.kill(), other?.kill()]);
    await postgres?.close();
  });

  const begin = async (agent: string, text: string): Promise<Task> => {
    const { task } = await asked(agent, "SendMessage", {
      ...message(text),
      configuration: { returnImmediately: true },
    });
    return task!;
  };

  test("a conversation continues on either server, and its subscriber gets the events on either", async () => {
    const { task } = await asked(here!, "SendMessage", message("multi-turn start"));
    const { id } = task!;
    expect((await asked(there!, "GetTask", { id })).status.state).toBe("TASK_STATE_INPUT_REQUIRED");
    const follower = await followed(here!, id);
    const answer = await asked(there!, "SendMessage", message("done", { taskId: id }));
    expect(answer.task?.artifacts?.[0]?.parts[0]?.text).toBe("[multi-turn] Finished after 2 messages.");
    expect(brief(await follower.all)).toEqual(["task INPUT_REQUIRED", "WORKING", "artifact", "COMPLETED"]);
    expect((await asked(here!, "GetTask", { id })).status.state).toBe("TASK_STATE_COMPLETED");
  });

  test("subscribers of both servers see the same events in the same order, none lost and none twice", async () => {
    const { id } = await begin(here!, endless);
    const followers = await Promise.all([here!, there!, there!].map((agent) => followed(agent, id)));
    await Promise.all(followers.map(({ hasChunk }) => hasChunk));
    await asked(there!, "CancelTask", { id });
    const { artifacts } = await asked(there!, "GetTask", { id });
    const whole = artifacts![0]!.parts.map(({ text }) => text!);
    expect(whole.map((text) => Number.parseInt(text, 10))).toEqual(whole.map((_, index) => index + 1));
    for (const { all } of followers) {
      const events = await all;
      const before = events[0]!.task!.artifacts?.[0]?.parts ?? [];
      const after = events.flatMap(({ artifactUpdate }) => artifactUpdate?.artifact.parts ?? []);
      expect([...before, ...after].map(({ text }) => text)).toEqual(whole);
      expect(brief(events).at(-1)).toBe("CANCELED");
    }
  });

  test("a page token of one server is valid on the other", async () => {
    for (let n = 0; n < 3; n++) await asked(here!, "SendMessage", message("task-lifecycle"));
    const first = await asked(here!, "ListTasks", { pageSize: 2 });
    const second = await asked(there!, "ListTasks", { pageSize: 2, pageToken: first.nextPageToken! });
    const shown = [...first.tasks!, ...second.tasks!].map(({ id }) => id);
    expect(new Set(shown).size).toBe(shown.length);
    expect(second.totalSize).toBe(first.totalSize);
  });

  test("a task can be canceled on a server that does not run it", async () => {
    const { id } = await begin(here!, endless);
    const follower = await followed(here!, id);
    const canceled = await asked(there!, "CancelTask", { id });
    expect(canceled.status.state).toBe("TASK_STATE_CANCELED");
    expect(brief(await follower.all).at(-1)).toBe("CANCELED");
    expect((await asked(here!, "GetTask", { id })).status.state).toBe("TASK_STATE_CANCELED");
  });

  test("the server that runs a task notifies webhooks that another server registered", async () => {
    const receiver = await startReceiver();
    const { id } = await begin(here!, endless);
    await asked(there!, "CreateTaskPushNotificationConfig", { taskId: id, id: "w", url: receiver.url });
    const { configs } = await asked(here!, "ListTaskPushNotificationConfigs", { taskId: id });
    expect(configs).toEqual([{ taskId: id, id: "w", url: receiver.url }]);
    await asked(there!, "CancelTask", { id });
    const { event } = await until(() => receiver.notifications.find((each) => each.event.statusUpdate));
    expect(event.statusUpdate?.status.state).toBe("TASK_STATE_CANCELED");
  });

  test("one key verifies the signed cards of both", async () => {
    const keys = await Promise.all(
      [one, other].map(async (each) => (await fetch(`${each!.url}/.well-known/jwks.json`)).text()),
    );
    expect(keys[0]).toBe(keys[1]);
  });

  test("behind a load balancer no event is lost, repeated or out of order on any server", async () => {
    const witness = new Witness();
    const agent = `${balancer.url}/full`;
    const trouble = await loadOn(agent, 4, randomFrom(7), witness, AbortSignal.timeout(1_500));
    expect(trouble).toEqual([]);
    expect(await complaintsOf(here!, witness)).toEqual([]);
    expect(await complaintsOf(there!, witness)).toEqual([]);
    const [listedHere, listedThere] = [await allListed(here!), await allListed(there!)];
    expect([listedThere, new Set(listedHere).size]).toEqual([listedHere, listedHere.length]);
    expect(witness.tasks.filter((id) => !listedHere.includes(id))).toEqual([]);
  });

  test("a killed server loses only its running tasks, and the survivor reports them as failed", async () => {
    // Only the killed server has a short lease, because a live one may renew its lease late on a busy machine.
    const dying = await serveOn(store, ...flags, "--lease", "1");
    const [lost, kept] = [await begin(`${dying.url}/full`, endless), await begin(here!, "streaming on")];
    const { task: waiting } = await asked(`${dying.url}/full`, "SendMessage", message("multi-turn start"));
    const follower = await followed(there!, lost.id);
    await dying.kill();
    const events = await follower.all;
    expect(brief(events).at(-1)).toBe("FAILED");
    expect(events.at(-1)?.statusUpdate?.status.message?.parts[0]?.text).toBe(
      "The server stopped before this task was done. Send the message again.",
    );
    expect(await until(async () => done(await asked(there!, "GetTask", { id: kept.id })))).toBe("TASK_STATE_COMPLETED");
    const { task } = await asked(there!, "SendMessage", message("done", { taskId: waiting!.id }));
    expect(task?.status.state).toBe("TASK_STATE_COMPLETED");
  });

  test("a server that stops under load leaves no task running and loses no acknowledged data", async () => {
    const leaving = await serveOn(store, ...flags);
    const [witness, others] = [new Witness(), new Witness()];
    const enough = new AbortController();
    const here = loadOn(`${leaving.url}/full`, 4, randomFrom(17), witness, enough.signal);
    const elsewhere = loadOn(there!, 2, randomFrom(19), others, enough.signal);
    await until(() => (witness.tasks.length > 8 ? true : undefined));
    await leaving.stop();
    await here;
    expect(await complaintsOf(there!, witness)).toEqual([]);
    enough.abort();
    expect(await elsewhere).toEqual([]);
    expect(await complaintsOf(there!, others)).toEqual([]);
    expect(leaving.errors()).toBe("");
  });

  test("a server without a free port reports it and exits", async () => {
    const { port } = new URL(one!.url);
    const refused = await serveOn(store, "--port", port).catch((error: Error) => error.message);
    expect(refused).toContain("EADDRINUSE");
  });

  test("neither server printed an error or a password", () => {
    expect([one!.errors(), other!.errors()]).toEqual(["", ""]);
  });
});

test("a store that cannot be reached is named without its password", async () => {
  const address = "postgres://assay:s3cret@127.0.0.1:9/bed?sslpassword=s3cret";
  const refused = await serveOn(address).catch((error: Error) => error.message);
  expect(refused).toContain("--store: Cannot reach postgres://assay@127.0.0.1:9/bed");
  expect(refused).not.toContain("s3cret");
});

const done = ({ status: { state } }: Task): Task["status"]["state"] | undefined =>
  state === "TASK_STATE_WORKING" || state === "TASK_STATE_SUBMITTED" ? undefined : state;

interface Follower {
  readonly all: Promise<readonly StreamResponse[]>;
  /** Resolves with the first chunk that arrived as a separate event. */
  readonly hasChunk: Promise<void>;
}

/** Subscribes to a task. Resolves when the subscription has started. */
async function followed(agent: string, id: string): Promise<Follower> {
  const events = streamed(agent, "SubscribeToTask", { id });
  const seen = [(await events.next()).value as StreamResponse];
  let arrived = (): void => {};
  const hasChunk = new Promise<void>((resolve) => {
    arrived = resolve;
  });
  const rest = async (): Promise<readonly StreamResponse[]> => {
    for await (const event of events) {
      seen.push(event);
      if (event.artifactUpdate) arrived();
    }
    return seen;
  };
  return { all: rest(), hasChunk };
}

const short = (state: string): string => state.replace("TASK_STATE_", "");

const brief = (events: readonly StreamResponse[]): string[] =>
  events.map(({ task, statusUpdate }) => {
    if (task) return `task ${short(task.status.state)}`;
    return statusUpdate ? short(statusUpdate.status.state) : "artifact";
  });

/** Repeats a call until it returns a value. The time limit of the test ends it. */
async function until<T>(look: () => T | undefined | Promise<T | undefined>): Promise<T> {
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    await pause(50);
  }
}
