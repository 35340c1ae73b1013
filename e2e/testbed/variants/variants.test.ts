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

// Every variant differs from its base and still works: its responses fit the schema, and three clients complete a
// conversation with it (@a2a-js/sdk 1.3.0, ours and @grpc/grpc-js). The files of the rows have the names of those in
// packages/agents/src/variants.

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

test("GET /variants lists every variant, and each has a row here", async () => {
  // older/variants.test.ts tests variants of 0.3 and older. e2e/surroundings tests bad surroundings.
  const isSurrounding = (id: string) => variantRows.some((each) => each.id === id);
  const newer = (await listing()).filter(({ id, base }) => !/^\/spec0\d$/.test(base) && !isSurrounding(id));
  // natures.test.ts and moody.test.ts test agents with one behaviour for every message.
  const ofOneKind = ["short-tasks", "long-tasks", "asks-back", "streams-tasks", "notifies", "moody"];
  expect(newer.map(({ id }) => id).sort()).toEqual([...rows.map(({ id }) => id), ...ofOneKind].sort());
});

const credentials = (base: string) => (base === "secure" ? { Authorization: "Bearer alice-token" } : {});

// The conversation: a task with its result, and a stream of four chunks.

const result = "[task-lifecycle] Processed: task-lifecycle hi";
const chunks = [1, 2, 3, 4].map((chunk) => `[streaming] Chunk ${chunk}: streaming hi\n`);

/** Returns the texts of a stream, from its updates or from the Task at its end. */
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

/** Selects the bindings to test: `npm test` tries one for each variant, in turn. */
const oneOf = <Binding>(bindings: readonly Binding[], place: number): readonly Binding[] =>
  provesAll ? bindings : [bindings[place % bindings.length]!];
/** Selects the clients to test: `npm test` tries one of them. */
const ifTurn = <Binding>(client: 0 | 1, turn: number, bindings: readonly Binding[]): readonly Binding[] =>
  provesAll || turn % 2 === client ? oneOf(bindings, turn >> 1) : [];
const placed = rows.map((each, place) => ({ ...each, place }));

// Some differ only in their first response, so that test comes first.
for (const { id, place: turn, see, usual, odd, tolerance, forgets, refuses, sdkFails } of placed)
  describe(id, { shuffle: false }, () => {
    test("differs from its base", async () => {
      const base = await baseOf(id);
      expect(await see(new Subject(bed.url, base, base))).toEqual(usual);
      expect(await see(new Subject(bed.url, `variants/${id}`, base))).toEqual(odd);
    });

    if (refuses) return;

    test("fits the schema", async () => {
      const agent = new Subject(bed.url, `variants/${id}`, await baseOf(id));
      const fits = (message: Parameters<typeof validate>[0], json: unknown) =>
        tolerance === undefined ? validate(message, json) : (read(message, json).violations ?? []);
      // Name the version, as 1.0 clients do.
      const { text: card } = await agent.get("/.well-known/agent-card.json");
      expect(fits("AgentCard", JSON.parse(card))).toEqual([]);
      for (const binding of oneOf(bindings, turn)) {
        const sent = await agent.ask<{ task: Task }>("SendMessage", sending("task-lifecycle hi"), { binding });
        expect(fits("SendMessageResponse", sent)).toEqual([]);
        const { id: taskId, contextId } = sent.task;
        if (!forgets) expect(fits("Task", await agent.ask("GetTask", { id: taskId }, { binding }))).toEqual([]);
        // Other tasks contain client messages, which some variants accept although they are invalid.
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
