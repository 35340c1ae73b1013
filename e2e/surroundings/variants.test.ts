import type { JsonObject, ListTasksResponse, Part, SendMessageResponse, Task } from "@assay/protocol";
import { describe, expect, test } from "vitest";
import { Subject } from "../fixtures/subject.fixture.ts";
import { say, sending, until, useTestbed } from "../fixtures/testbed.fixture.ts";
import { variantRows } from "./rows.fixture.ts";

// Variants with faulty responses: each differs from its base exactly as its description says.

const bed = useTestbed({ timeScale: 0.02 });

interface Row {
  readonly base?: string;
  readonly see: (agent: Subject) => Promise<unknown>;
  readonly usual: unknown;
  readonly odd: unknown;
}

const hour = 3_600_000;
const text = "task-lifecycle hi";
const listed = async (agent: Subject, request: object = {}) => agent.ask<ListTasksResponse>("ListTasks", request);
/** Returns the difference of the clocks in hours, in timestamps and in filters. */
const clock = async (agent: Subject) => {
  const { contextId, status } = await agent.task(text);
  const off = `${Math.round((Date.parse(status.timestamp!) - Date.now()) / hour)} h`;
  const halfAnHourAgo = new Date(Date.parse(status.timestamp!) - hour / 2).toISOString();
  const { tasks } = await listed(agent, { contextId, statusTimestampAfter: halfAnHourAgo });
  return [off, tasks.length];
};
const partsIn = (task: Task): readonly Part[] => task.artifacts!.flatMap(({ parts }) => parts);

const rows: Readonly<Record<string, Row>> = {
  "replica-lag": {
    see: async (agent) => {
      const { id } = await agent.task(text);
      const reads = [await agent.ask("GetTask", { id }), await agent.ask("GetTask", { id })];
      // After half a second both replicas have the task.
      for (let turn = 0; turn < 2; turn++)
        await until(
          () => agent.ask("GetTask", { id }),
          (task) => task["id"] === id,
        );
      return reads.map((read) => read["code"] ?? "found");
    },
    usual: ["found", "found"],
    odd: [-32001, "found"],
  },
  "sparse-pages": {
    see: async (agent) => {
      const { contextId } = await agent.task(text);
      const first = await listed(agent, { contextId });
      const second = await listed(agent, { contextId, pageToken: first.nextPageToken });
      return [first, second].map(({ tasks, nextPageToken }) => [tasks.length, nextPageToken !== ""]);
    },
    usual: [
      [1, false],
      [1, false],
    ],
    odd: [
      [0, true],
      [1, false],
    ],
  },
  "data-only": {
    see: async (agent) => {
      const parts = [{ data: { text } }];
      const refused = await agent.ask("SendMessage", sending(text));
      const taken = await agent.ask<SendMessageResponse>("SendMessage", { message: say("", { parts }) });
      return [(await agent.card())["defaultInputModes"], refused["code"], taken.task?.status.state];
    },
    usual: [expect.arrayContaining(["text/plain"]), undefined, undefined],
    odd: [["application/json"], -32005, "TASK_STATE_COMPLETED"],
  },
  "tenant-only": {
    base: "full",
    see: async (agent) =>
      ((await agent.card())["supportedInterfaces"] as JsonObject[])
        .filter(({ protocolBinding }) => protocolBinding !== "GRPC")
        .map(({ tenant }) => tenant),
    usual: [undefined, undefined, "north", "north", "south", "south"],
    odd: ["north", "north", "south", "south"],
  },
  "tenant-router": {
    base: "full",
    see: async (agent) => {
      const { url } = ((await agent.card())["supportedInterfaces"] as { url: string; protocolBinding: string }[]).find(
        ({ protocolBinding }) => protocolBinding === "HTTP+JSON",
      )!;
      const headers = { "A2A-Version": "1.0" };
      const ask = async (tenant: string) => (await fetch(`${url}${tenant}/tasks`, { headers })).status;
      return Promise.all(["/north", "", "/nowhere"].map(ask));
    },
    usual: [200, 200, 400],
    odd: [200, 404, 404],
  },
  "clock-ahead": { see: clock, usual: ["0 h", 1], odd: ["1 h", 1] },
  "clock-behind": { see: clock, usual: ["0 h", 1], odd: ["-1 h", 1] },
  "typed-text": {
    see: async (agent) => partsIn(await agent.task(text)).map((part) => Object.keys(part)),
    usual: [["text"]],
    odd: [["text", "mimeType"]],
  },
};

test("every variant has a row", () => {
  expect(Object.keys(rows)).toEqual(variantRows.map(({ id }) => id));
});

describe.each(Object.entries(rows))("%s", (id, { base = "spec", see, usual, odd }) => {
  test("differs from its base as its description says", async () => {
    expect(await see(new Subject(bed.url, base, base))).toEqual(usual);
    expect(await see(new Subject(bed.url, `variants/${id}`, base))).toEqual(odd);
  });
});
