import { startTestbed, type Testbed } from "@assay/agents";
import type { AgentCard, SendMessageResponse } from "@assay/protocol";
import { grpcV03, grpcV10 } from "@assay/protocol/grpc";
import { create, toBinary } from "@bufbuild/protobuf";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { agents } from "../../../packages/agents/src/agents/index.ts";
import { ServerReflectionRequestSchema } from "../../../packages/protocol/src/generated/proto/grpc/reflection/v1/reflection_pb.ts";
import { freePort } from "../../fixtures/free-port.fixture.ts";
import { agentMessage, anId, ask, plain, sending } from "../../fixtures/testbed.fixture.ts";
import { frame, hear, rawCall, session } from "./raw-call.fixture.ts";
import { taskFrom, useSpecOverGrpc } from "./spec-over-grpc.fixture.ts";

const { bed, dial, target, spec } = useSpecOverGrpc();

test("a site without an agent of 0.3 says so at its service, instead of breaking down", async () => {
  const errors: unknown[] = [];
  const newer = await startTestbed({
    host: "127.0.0.1",
    port: 0,
    version: "0",
    agents: agents.filter(({ path }) => path === "minimal"),
    root: "minimal",
    onError: (error) => errors.push(error),
  });
  const request = { request: { messageId: "m", role: "ROLE_USER", content: [{ text: "message-only hi" }] } };
  const peer = dial(`127.0.0.1:${newer.port}`, grpcV03);
  expect(await peer.refusal("SendMessage", request)).toEqual({
    status: "UNIMPLEMENTED",
    reason: "VERSION_NOT_SUPPORTED",
  });
  expect(errors).toEqual([]);
  await newer.close(0);
});

describe("tenants on the shared port", () => {
  test.each(["echo", "full", "minimal"])("%s is selected by its name and has its own tasks", async (tenant) => {
    if (tenant === "echo") {
      const { message } = await spec.ask<SendMessageResponse>("SendMessage", { tenant, ...sending("hi") });
      expect(message).toEqual(agentMessage("Echo: hi"));
      return;
    }
    const task = await taskFrom(spec, { tenant, ...sending("task-lifecycle x") });
    expect(await spec.ask("GetTask", { tenant, id: task.id })).toEqual(task);
    expect(await ask(`${bed.url}/${tenant}`, "JSONRPC", "GetTask", { id: task.id })).toEqual(task);
    expect(await spec.refusal("GetTask", { id: task.id })).toEqual({ status: "NOT_FOUND", reason: "TASK_NOT_FOUND" });
  });

  test("the cards name the tenant that leads to their agent; /spec needs none", async () => {
    const grpcOf = async (agent: string) => {
      const card = JSON.parse((await plain(`${bed.url}/${agent}/.well-known/agent-card.json`)).text) as AgentCard;
      return card.supportedInterfaces.filter(({ protocolBinding }) => protocolBinding === "GRPC");
    };
    const at = (tenant?: string) => [
      { url: target(), protocolBinding: "GRPC", protocolVersion: "1.0", ...(tenant && { tenant }) },
    ];
    expect(await grpcOf("spec")).toEqual(at());
    for (const agent of ["echo", "full", "strict", "minimal", "secure"]) expect(await grpcOf(agent)).toEqual(at(agent));
  });

  test("an unknown tenant returns INVALID_ARGUMENT", async () => {
    for (const tenant of ["west", "north", "__proto__", "constructor", "mutants", "mutants/nope", "é"]) {
      expect([tenant, await spec.refusal("ListTasks", { tenant })]).toEqual([
        tenant,
        { status: "INVALID_ARGUMENT", reason: "INVALID_PARAMS", fields: ["tenant"] },
      ]);
    }
  });

  test("an agent of 0.3 does not answer calls of 1.0", async () => {
    for (const tenant of ["spec03", "spec02", "spec01"]) {
      expect([tenant, await spec.refusal("ListTasks", { tenant })]).toEqual([
        tenant,
        { status: "FAILED_PRECONDITION", reason: "VERSION_NOT_SUPPORTED" },
      ]);
    }
  });
});

describe("a port for every agent", () => {
  let many: Testbed;
  let first: number;
  const faults: unknown[] = [];
  beforeAll(async () => {
    first = await freePort(12);
    many = await startTestbed({
      host: "127.0.0.1",
      port: 0,
      version: "0",
      timeScale: 0.1,
      grpcPort: first,
      onError: (error) => faults.push(error),
    });
  });
  afterAll(async () => {
    await many.close(500);
    expect(faults).toEqual([]);
  });
  const portOf = (agent: string) => first + many.agents.findIndex(({ path }) => path === agent);

  test("the ports follow each other in the order of the agents, and each card names its own, without a tenant", async () => {
    for (const { path, dialects = ["1.0"] } of many.agents) {
      const name = dialects[0] === "0.1" ? "agent.json" : "agent-card.json";
      const card = JSON.parse((await plain(`${many.url}/${path}/.well-known/${name}`)).text) as AgentCard & {
        additionalInterfaces?: { url: string; transport: string }[];
      };
      const named = [
        ...(card.supportedInterfaces ?? []).filter(({ protocolBinding }) => protocolBinding === "GRPC"),
        ...(card.additionalInterfaces ?? []).filter(({ transport }) => transport === "GRPC"),
      ];
      const url = `127.0.0.1:${portOf(path)}`;
      expect([path, named]).toEqual([
        path,
        dialects[0] === "1.0"
          ? [...(path === "spec11" ? ["1.1"] : []), "1.0"].map((protocolVersion) => ({
              url,
              protocolBinding: "GRPC",
              protocolVersion,
            }))
          : dialects[0] === "0.3"
            ? [{ url, transport: "GRPC" }]
            : [],
      ]);
    }
  });

  test("a client that knows no tenants reaches every agent of 1.0 at its port", async () => {
    const echo = dial(`127.0.0.1:${portOf("echo")}`, grpcV10);
    expect(await echo.ask("SendMessage", sending("hi"))).toEqual({ message: agentMessage("Echo: hi") });
    for (const agent of ["spec", "full", "minimal"]) {
      const peer = dial(`127.0.0.1:${portOf(agent)}`, grpcV10);
      const task = await taskFrom(peer, sending("task-lifecycle x"));
      expect(await ask(`${many.url}/${agent}`, "JSONRPC", "GetTask", { id: task.id })).toEqual(task);
    }
  });

  test("there, a tenant is the agent's own: north and south of /full do not see each other's tasks", async () => {
    const peer = dial(`127.0.0.1:${portOf("full")}`, grpcV10);
    const task = await taskFrom(peer, { tenant: "north", ...sending("task-lifecycle x") });
    expect(await peer.ask("GetTask", { tenant: "north", id: task.id })).toEqual(task);
    for (const tenant of ["south", ""]) {
      expect(await peer.refusal("GetTask", { tenant, id: task.id })).toEqual({
        status: "NOT_FOUND",
        reason: "TASK_NOT_FOUND",
      });
    }
    expect(await peer.refusal("ListTasks", { tenant: "echo" })).toEqual({
      status: "INVALID_ARGUMENT",
      reason: "INVALID_PARAMS",
      fields: ["tenant"],
    });
  });

  test("only the ports of agents of 0.3 have the service of 0.3", async () => {
    const request = { request: { messageId: "m", role: "ROLE_USER", content: [{ text: "message-only hi" }] } };
    for (const agent of ["spec03", "spec"]) {
      const peer = dial(`127.0.0.1:${portOf(agent)}`, grpcV03);
      expect(await peer.ask("SendMessage", request)).toEqual({
        message: {
          messageId: anId,
          contextId: anId,
          role: "ROLE_AGENT",
          content: [{ text: "[message-only] You said: message-only hi" }],
        },
      });
    }
    const newer = dial(`127.0.0.1:${portOf("minimal")}`, grpcV03);
    expect((await newer.refusal("SendMessage", request)).reason).toBe("VERSION_NOT_SUPPORTED");
  });

  test("the port also answers HTTP/1.1, and reflection", async () => {
    const answer = await plain(`http://127.0.0.1:${portOf("echo")}/health`);
    expect(answer.status).toBe(200);
    const stream = rawCall(
      session(`http://127.0.0.1:${portOf("echo")}`),
      "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo",
    );
    const question = create(ServerReflectionRequestSchema, { messageRequest: { case: "listServices", value: "" } });
    stream.end(frame(toBinary(ServerReflectionRequestSchema, question)));
    expect((await hear(stream)).trailers["grpc-status"]).toBe("0");
  });
});
