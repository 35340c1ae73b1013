import { randomUUID } from "node:crypto";
import type { JsonObject, ListTasksResponse } from "@assay/protocol";
import { grpcV10 } from "@assay/protocol/grpc";
import { beforeAll, describe, expect, test } from "vitest";
import { type GrpcPeer, useGrpcPeers, version10 } from "./grpc.case.ts";
import {
  type Answer,
  about,
  alice,
  bob,
  type Credentials,
  carol,
  hookUrl,
  metaOf,
  secureWires,
  tasksAt,
  unknownTask,
} from "./secure-wires.case.ts";
import { ask, type Bed, collect, follow, say, sending } from "./testbed.case.ts";

/**
 * What one caller has is not there for another: every operation, over every binding and version. `bed` serves /secure on
 * whichever store.
 */
export function tryIsolation(bed: Pick<Bed, "url" | "port">): void {
  const secure = () => `${bed.url}/secure`;
  const dial = useGrpcPeers();
  let grpc: GrpcPeer;
  beforeAll(() => {
    grpc = dial(`127.0.0.1:${bed.port}`, grpcV10);
  });
  const wires = secureWires(secure, () => grpc);

  const taskOf = tasksAt(secure);

  describe.each(wires.map((wire) => ({ wire, name: wire.name })))("$name: bob and the tasks of alice", ({ wire }) => {
    /** All of an answer with the ids taken out that have to differ. */
    const withoutIds = ({ verdict, whole }: Answer, id: string) => ({
      verdict,
      whole: whole.replaceAll(id, "<id>").replaceAll(/call-[0-9a-f-]{36}/g, "<call>"),
    });

    test("what is hers and what is nobody's get the same answer, to the byte", async () => {
      const hers = await taskOf(alice, "multi-turn x");
      await ask(
        secure(),
        "JSONRPC",
        "CreateTaskPushNotificationConfig",
        { taskId: hers.id, id: "hers", url: hookUrl },
        alice,
      );
      const [mine, nobodys] = [about(hers.id), about(unknownTask)];
      for (const [index, [operation, request]] of mine.entries()) {
        const asked = withoutIds(await wire.ask(operation, request, bob), hers.id);
        const control = withoutIds(await wire.ask(...nobodys[index]!, bob), unknownTask);
        expect([operation, asked]).toEqual([operation, control]);
        expect([operation, asked.verdict]).toEqual([operation, wire.refused["404"]]);
      }
      // And nothing of all that has left a trace with her.
      expect(await ask(secure(), "JSONRPC", "GetTask", { id: hers.id }, alice)).toEqual(hers);
      const { configs } = await ask(secure(), "JSONRPC", "ListTaskPushNotificationConfigs", { taskId: hers.id }, alice);
      expect(configs).toEqual([{ taskId: hers.id, id: "hers", url: hookUrl }]);
    });

    test("a finished task of hers tells him no more than one that never was", async () => {
      const hers = await taskOf(alice, "task-lifecycle x");
      for (const [index, [operation, request]] of about(hers.id).entries()) {
        const asked = withoutIds(await wire.ask(operation, request, bob), hers.id);
        const control = withoutIds(await wire.ask(...about(unknownTask)[index]!, bob), unknownTask);
        expect([operation, asked]).toEqual([operation, control]);
      }
    });

    test("her stream hears nothing of what he tries, and goes to its own end", async () => {
      const stream = follow(secure(), "JSONRPC", "SendStreamingMessage", sending("long-running go"), {
        headers: alice,
      });
      const first = await stream.next();
      const { id } = first.value!.task!;
      for (const [operation, request] of about(id)) {
        expect((await wire.ask(operation, request, bob)).verdict).toBe(wire.refused["404"]);
      }
      const rest = await collect(stream);
      expect(rest.map(({ artifactUpdate }) => artifactUpdate?.artifact.artifactId).filter(Boolean)).toEqual(
        [1, 2, 3, 4, 5].map((n) => `step-${n}`),
      );
      expect(rest.at(-1)?.statusUpdate?.status.state).toBe("TASK_STATE_COMPLETED");
    });

    test("a context of the same name is another one", async () => {
      const contextId = `shared-${randomUUID()}`;
      const hers = await taskOf(alice, "multi-turn x", { contextId });
      const sent = await wire.ask(
        "SendMessage",
        { message: say("multi-turn y", { contextId }) as unknown as JsonObject },
        bob,
      );
      expect(sent.verdict).toBe(wire.served);
      const idsOf = async (who: Credentials) => {
        const { tasks, totalSize } = await ask(secure(), "JSONRPC", "ListTasks", { contextId }, who);
        expect(totalSize).toBe(tasks.length);
        return tasks.map(({ id }) => id);
      };
      expect(await idsOf(alice)).toEqual([hers.id]);
      const his = await idsOf(bob);
      expect([his.length, his.includes(hers.id)]).toEqual([1, false]);
    });
  });

  describe.each([
    { name: "JSON-RPC", list: (query: object, who: Credentials) => ask(secure(), "JSONRPC", "ListTasks", query, who) },
    {
      name: "HTTP+JSON",
      list: (query: object, who: Credentials) => ask(secure(), "HTTP+JSON", "ListTasks", query, who),
    },
    {
      name: "gRPC",
      list: (query: object, who: Credentials) =>
        grpc.ask<ListTasksResponse>(
          "ListTasks",
          { tenant: "secure", ...query },
          { meta: { ...version10, ...metaOf(who) } },
        ),
    },
  ])("lists over $name", ({ name, list }) => {
    test("hold and count one's own tasks only, whatever the filter", async () => {
      const contextId = `counted-${name}`;
      for (let n = 0; n < 3; n++) await taskOf(alice, "task-lifecycle x", { contextId });
      await taskOf(bob, "task-lifecycle x", { contextId });
      const seen = async (query: object, who: Credentials) => {
        const { tasks, totalSize, nextPageToken } = await list(query, who);
        return [tasks.length, totalSize, nextPageToken === ""];
      };
      expect(await seen({ contextId }, alice)).toEqual([3, 3, true]);
      expect(await seen({ contextId }, bob)).toEqual([1, 1, true]);
      expect(await seen({ contextId }, carol)).toEqual([0, 0, true]);
      expect(await seen({ contextId, status: "TASK_STATE_COMPLETED", pageSize: 1 }, bob)).toEqual([1, 1, true]);
      const all = await list({ pageSize: 100 }, bob);
      const hers = new Set((await list({ pageSize: 100 }, alice)).tasks.map(({ id }) => id));
      expect(all.tasks.filter(({ id }) => hers.has(id))).toEqual([]);
    });

    test("her page token is of no use to him", async () => {
      const contextId = `paged-${name}`;
      for (const who of [alice, bob]) for (let n = 0; n < 2; n++) await taskOf(who, "task-lifecycle x", { contextId });
      const { nextPageToken: pageToken } = await list({ contextId, pageSize: 1 }, alice);
      expect((await list({ contextId, pageSize: 1, pageToken }, alice)).tasks.length).toBe(1);
      const wire = wires.find((one) => one.name.startsWith(name))!;
      const refused = await wire.ask("ListTasks", { contextId, pageSize: 1, pageToken }, bob);
      const forged = await wire.ask("ListTasks", { contextId, pageSize: 1, pageToken: "bm8.bm8" }, bob);
      expect(refused.verdict).toMatch(/INVALID_PARAMS$/);
      expect(refused.whole.replaceAll(/call-[0-9a-f-]{36}/g, "")).toBe(
        forged.whole.replaceAll(/call-[0-9a-f-]{36}/g, ""),
      );
    });
  });

  test("a task of hers is hers in both dialects, and in neither is it his", async () => {
    const { id } = await taskOf(alice, "task-lifecycle x");
    for (const wire of wires) {
      expect([wire.name, (await wire.ask("GetTask", { id }, alice)).verdict]).toEqual([wire.name, wire.served]);
      expect([wire.name, (await wire.ask("GetTask", { id }, bob)).verdict]).toEqual([wire.name, wire.refused["404"]]);
    }
  });
}
