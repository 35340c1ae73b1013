import { Task as SdkTask, SendMessageRequest, StreamResponse } from "@a2a-js/sdk";
import { ClientFactory, ClientFactoryOptions } from "@a2a-js/sdk/client";
import { read, type Task, validate } from "@assay/protocol";
import { createEgressGuard, createPeer, createPeerClients } from "@assay/wire";
import { afterAll, describe, expect, test } from "vitest";
import { provesAll } from "../../fixtures/proves-all.fixture.ts";
import { Subject } from "../../fixtures/subject.fixture.ts";
import { bindings, collect, plain, say, sending, useTestbed } from "../../fixtures/testbed.fixture.ts";
import { variantRows } from "../../surroundings/rows.fixture.ts";
import { authRows } from "./auth.fixture.ts";
import { cardRows } from "./card.fixture.ts";
import { errorRows } from "./errors.fixture.ts";
import { generationRows } from "./generation.fixture.ts";
import { httpRows } from "./http.fixture.ts";
import { jsonRows } from "./json.fixture.ts";
import { lateStoreRows } from "./late-stores.fixture.ts";
import { memoryRows } from "./memory.fixture.ts";
import { olderHybridRows } from "./older-hybrid.fixture.ts";
import { permissionRows } from "./permissions.fixture.ts";
import { pushRows } from "./push.fixture.ts";
import type { Row } from "./row.fixture.ts";
import { sseRows } from "./sse.fixture.ts";
import { taskRows } from "./tasks.fixture.ts";
import { versionRows } from "./version.fixture.ts";

// Every variant is seen to be odd, and to be understood all the same: its answers fit the schema, and three clients,
// that of @a2a-js/sdk 1.3.0, our own and @grpc/grpc-js, get their work done with it. The rows are in files with the
// names of those in packages/agents/src/variants.

const bed = useTestbed({ timeScale: 0.02 });

const rows: readonly Row[] = [
  ...jsonRows,
  ...sseRows,
  ...httpRows,
  ...errorRows,
  ...taskRows,
  ...permissionRows,
  ...memoryRows,
  ...lateStoreRows,
  ...pushRows,
  ...authRows,
  ...cardRows,
  ...versionRows,
  ...generationRows,
  ...olderHybridRows,
];

const listing = async () => JSON.parse((await plain(`${bed.url}/variants`)).text) as { id: string; base: string }[];
const baseOf = async (id: string) => (await listing()).find((entry) => entry.id === id)!.base.slice(1);

test("GET /variants lists every variant, and each has its row here", async () => {
  // Those that speak nothing newer than 0.3 are older/variants.test.ts's; bad surroundings have a folder of their own.
  const isSurrounding = (id: string) => variantRows.some((each) => each.id === id);
  const newer = (await listing()).filter(({ id, base }) => !/^\/spec0\d$/.test(base) && !isSurrounding(id));
  // Those that do one thing, whatever is said to them, are natures.test.ts's and moody.test.ts's.
  const ofOneKind = ["short-tasks", "long-tasks", "asks-back", "streams-tasks", "notifies", "moody"];
  expect(newer.map(({ id }) => id).sort()).toEqual([...rows.map(({ id }) => id), ...ofOneKind].sort());
});

const credentials = (base: string) => (base === "secure" ? { Authorization: "Bearer alice-token" } : {});

// What the work is: a task with its result, and a stream of four chunks.

const result = "[task-lifecycle] Processed: task-lifecycle hi";
const chunks = [1, 2, 3, 4].map((chunk) => `[streaming] Chunk ${chunk}: streaming hi\n`);

/** The texts that a stream brings: in its updates, or in the Task that closes it. */
function textsIn(events: readonly ReturnType<typeof JSON.parse>[]): string[] {
  const updated = events.flatMap(({ artifactUpdate }) => artifactUpdate?.artifact.parts[0].text ?? []);
  const closing: Task | undefined = events.at(-1).task;
  return updated.length ? updated : (closing?.artifacts ?? []).flatMap(({ parts }) => parts.map(({ text }) => text!));
}

const clients = createPeerClients({
  guard: createEgressGuard({ allowLoopback: true, allowPrivate: false, allowHosts: [] }),
  userAgent: "assay-e2e",
});
afterAll(() => clients.close());

/** `npm test` tries one binding for each variant, in turn. */
const oneOf = <Binding>(bindings: readonly Binding[], place: number): readonly Binding[] =>
  provesAll ? bindings : [bindings[place % bindings.length]!];
/** And one of the two clients. */
const ifTurn = <Binding>(client: 0 | 1, turn: number, bindings: readonly Binding[]): readonly Binding[] =>
  provesAll || turn % 2 === client ? oneOf(bindings, turn >> 1) : [];
const placed = rows.map((each, place) => ({ ...each, place }));

// Some are odd only to the first who asks, so that test comes first.
for (const { id, place: turn, see, usual, odd, tolerance, forgets, refuses, sdkFails } of placed)
  describe(id, { shuffle: false }, () => {
    test("is odd", async () => {
      const base = await baseOf(id);
      expect(await see(new Subject(bed.url, base, base))).toEqual(usual);
      expect(await see(new Subject(bed.url, `variants/${id}`, base))).toEqual(odd);
    });

    if (refuses) return;

    test("fits the schema", async () => {
      const agent = new Subject(bed.url, `variants/${id}`, await baseOf(id));
      const fits = (message: Parameters<typeof validate>[0], json: unknown) =>
        tolerance === undefined ? validate(message, json) : (read(message, json).violations ?? []);
      // As clients of 1.0 ask for it.
      const { text: card } = await agent.get("/.well-known/agent-card.json");
      expect(fits("AgentCard", JSON.parse(card))).toEqual([]);
      for (const binding of oneOf(bindings, turn)) {
        const sent = await agent.ask<{ task: Task }>("SendMessage", sending("task-lifecycle hi"), { binding });
        expect(fits("SendMessageResponse", sent)).toEqual([]);
        const { id: taskId, contextId } = sent.task;
        if (!forgets) expect(fits("Task", await agent.ask("GetTask", { id: taskId }, { binding }))).toEqual([]);
        // In others stands what clients said, which some take although it does not fit.
        const list = await agent.ask("ListTasks", contextId === undefined ? {} : { contextId }, { binding });
        expect(fits("ListTasksResponse", list)).toEqual([]);
        const { events } = await agent.events("SendStreamingMessage", sending("streaming hi"), { binding });
        expect(events.flatMap((event) => fits("StreamResponse", event))).toEqual([]);
      }
    });

    const sdkTest = sdkFails === undefined ? test : test.fails;

    sdkTest.each(ifTurn(0, turn, bindings))(
      `@a2a-js/sdk 1.3.0 gets its work done over %s${sdkFails ? `: no, ${sdkFails}` : ""}`,
      async (binding) => {
        const base = await baseOf(id);
        const options = ClientFactoryOptions.createFrom(ClientFactoryOptions.default, {
          preferredTransports: [binding],
        });
        const client = await new ClientFactory(options).createFromUrl(`${bed.url}/variants/${id}/`);
        const request = (text: string) => SendMessageRequest.fromJSON({ message: say(text) });
        const calling = { serviceParameters: credentials(base) };
        const task = SdkTask.toJSON(
          (await client.sendMessage(request("task-lifecycle hi"), calling)) as SdkTask,
        ) as Task;
        expect([task.status.state, task.artifacts?.[0]?.parts[0]?.text]).toEqual(["TASK_STATE_COMPLETED", result]);
        const events = (await collect(client.sendMessageStream(request("streaming hi"), calling))).map(
          (event) => StreamResponse.toJSON(event) as ReturnType<typeof JSON.parse>,
        );
        expect(textsIn(events)).toEqual(chunks);
        const last = events.at(-1);
        expect((last.statusUpdate ?? last.task).status.state).toBe("TASK_STATE_COMPLETED");
      },
    );

    const every = ["JSONRPC", "HTTP+JSON", "GRPC"] as const;
    test.each(ifTurn(1, turn, every))("our own client gets its work done over %s", async (binding) => {
      const base = await baseOf(id);
      const name = `variants/${id}`;
      const place =
        binding === "GRPC"
          ? { url: new URL(bed.url).host, binding, dialect: "1.0" as const, tenant: name }
          : { url: `${bed.url}/${name}`, binding, dialect: "1.0" as const };
      const peer = createPeer(clients, place, Object.entries(credentials(base)));
      const { exchange: _exchange, ...answer } = await peer.call("SendMessage", sending("task-lifecycle hi"));
      expect(answer).toMatchObject({
        is: "value",
        value: { task: { status: { state: "TASK_STATE_COMPLETED" }, artifacts: [{ parts: [{ text: result }] }] } },
      });
      const { events } = await peer.stream("SendStreamingMessage", sending("streaming hi"));
      const heard = (await collect(events)).map((event) => (event.is === "value" ? event.value : event)) as ReturnType<
        typeof JSON.parse
      >[];
      expect(textsIn(heard)).toEqual(chunks);
      const last = heard.at(-1);
      expect((last.statusUpdate ?? last.task).status.state).toBe("TASK_STATE_COMPLETED");
    });
  });
