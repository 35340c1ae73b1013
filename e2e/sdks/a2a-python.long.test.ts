import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, describe, expect, test } from "vitest";
import { anId } from "../fixtures/testbed.fixture.ts";
import { pythonOf, useSdkServer } from "./server.fixture.ts";

// The Python servers that speak 0.3, each with the client of a2a-sdk 0.3.26 over every binding. A Python process
// (python/client_0_3.py) goes through it once for each and prints what the SDK gave back.

const clients = pythonOf("a2a-python-0.3");
const current = clients && pythonOf("a2a-python");

interface Told {
  readonly card: { name: string; url: string; protocolVersion: string };
  readonly message: object;
  readonly task: { id: string; status: object; artifacts: object[] };
  readonly again: object;
  readonly stream: { kind: string }[];
  readonly asked: { id: string; contextId: string };
  readonly answered: object;
  readonly started: { id: string; status: { state: string } };
  readonly canceled: object;
  readonly unknown: string;
  readonly finished: string;
}

interface Agent {
  readonly title: string;
  readonly sdk: string;
  readonly python: string | undefined;
  /** what a client is told that cancels a finished task: code, status, gRPC's name of it */
  readonly notCancelable: Readonly<Record<string, string>>;
}

const agents: Agent[] = [
  {
    title: "a server of a2a-sdk 0.3.26",
    sdk: "a2a-python-0.3",
    python: clients,
    notCancelable: { JSONRPC: "-32002", "HTTP+JSON": "409", GRPC: "UNIMPLEMENTED TaskNotCancelableError" },
  },
  {
    title: "the 0.3 layer of a server of a2a-sdk 1.3.0",
    sdk: "a2a-python",
    python: current,
    notCancelable: { JSONRPC: "-32002", "HTTP+JSON": "400", GRPC: "FAILED_PRECONDITION TaskNotCancelableError" },
  },
];

const notFound: Readonly<Record<string, string>> = { JSONRPC: "-32001", "HTTP+JSON": "404", GRPC: "NOT_FOUND" };

describe.each(agents)("$title", ({ sdk, python, notCancelable }) => {
  describe.skipIf(!clients || !python)("with the client of 0.3.26", () => {
    const server = useSdkServer(sdk, { python: python! });

    describe.each(["JSONRPC", "HTTP+JSON", "GRPC"])("over %s", (binding) => {
      let told: Told;
      beforeAll(async () => {
        const script = join(import.meta.dirname, "python/client_0_3.py");
        const { stdout } = await promisify(execFile)(clients!, [script, server.url, binding]);
        told = JSON.parse(stdout) as Told;
      });

      test("finds the card", () => {
        expect([told.card.name, told.card.url.replace(/\/$/, "")]).toEqual(["Full Agent", server.url]);
        expect(told.card.protocolVersion).toMatch(/^0\.3/);
      });

      test("sends, and gets a message", () => {
        const parts = [{ kind: "text", text: "[message-only] You said: message-only hi" }];
        expect(told.message).toMatchObject({ kind: "message", role: "agent", parts });
      });

      test("sends, gets a task, and reads it again", () => {
        expect(told.task).toMatchObject({
          kind: "task",
          id: anId,
          status: { state: "completed" },
          artifacts: [{ artifactId: "result", parts: [{ text: "[task-lifecycle] Processed: task-lifecycle it" }] }],
        });
        expect(told.again).toEqual(told.task);
      });

      test("follows a stream to its end", () => {
        expect(told.stream.map(({ kind }) => kind)).toEqual([
          "task",
          "status-update",
          ...Array(4).fill("artifact-update"),
          "status-update",
        ]);
        expect(told.stream.at(-1)).toMatchObject({ status: { state: "completed" }, final: true });
      });

      test("answers a question, and is done", () => {
        const { id, contextId } = told.asked;
        expect(told.asked).toMatchObject({ status: { state: "input-required" } });
        expect(told.answered).toMatchObject({ id, contextId, status: { state: "completed" } });
      });

      test("cancels a task at work", () => {
        expect(["submitted", "working"]).toContain(told.started.status.state);
        expect(told.canceled).toMatchObject({ id: told.started.id, status: { state: "canceled" } });
      });

      test("is told of a task that is unknown, and of one that is done", () => {
        expect(told.unknown).toContain(notFound[binding]);
        expect(told.finished).toContain(notCancelable[binding]);
      });
    });
  });
});
