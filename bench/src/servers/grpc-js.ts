import { randomUUID } from "node:crypto";
import { grpcV10 } from "@assay/protocol/grpc";
import {
  Server,
  ServerCredentials,
  type ServerUnaryCall,
  type ServerWritableStream,
  type sendUnaryData,
} from "@grpc/grpc-js";
import { serveParent } from "./child.ts";

/**
 * A request as the usual gRPC library reads it. This server gives the same answers without validation, versions, routes
 * or limits.
 */
interface Sent {
  readonly message: { readonly parts: { readonly text: string }[] };
}

const tasks = new Map<string, unknown>();

function send({ message }: Sent): unknown {
  const said = message.parts[0]!.text;
  const contextId = randomUUID();
  if (!said.startsWith("task-lifecycle")) {
    const parts = [{ text: `[message-only] You said: ${said}` }];
    return { message: { messageId: randomUUID(), contextId, role: "ROLE_AGENT", parts } };
  }
  const id = randomUUID();
  const task = {
    id,
    contextId,
    status: { state: "TASK_STATE_COMPLETED", timestamp: new Date().toISOString() },
    artifacts: [{ artifactId: "result", name: "result", parts: [{ text: `[task-lifecycle] Processed: ${said}` }] }],
    history: [{ ...message, contextId, taskId: id }],
  };
  tasks.set(id, task);
  return { task };
}

function stream(call: ServerWritableStream<Sent, unknown>): void {
  const count = Number(call.request.message.parts[0]!.text.split(" ")[1]);
  const [taskId, contextId] = [randomUUID(), randomUUID()];
  const status = (state: string) => ({ state, timestamp: new Date().toISOString() });
  call.write({ task: { id: taskId, contextId, status: status("TASK_STATE_SUBMITTED") } });
  call.write({ statusUpdate: { taskId, contextId, status: status("TASK_STATE_WORKING") } });
  for (let chunk = 1; chunk <= count; chunk++) {
    const artifact = { artifactId: "chunks", name: "chunks", parts: [{ text: `${chunk} `.padEnd(16, ".") }] };
    call.write({ artifactUpdate: { taskId, contextId, artifact, append: chunk > 1 } });
  }
  call.write({ statusUpdate: { taskId, contextId, status: status("TASK_STATE_COMPLETED") } });
  call.end();
}

const method = (operation: "SendMessage" | "GetTask" | "SendStreamingMessage") => ({
  path: grpcV10.path(operation)!,
  requestStream: false,
  responseStream: operation === "SendStreamingMessage",
  requestSerialize: (value: unknown) => Buffer.from(grpcV10.writeRequest(operation, value as never)),
  requestDeserialize: (bytes: Buffer) => grpcV10.readRequest(operation, bytes),
  responseSerialize: (value: unknown) => Buffer.from(grpcV10.writeAnswer(operation, value as never)),
  responseDeserialize: (bytes: Buffer) => grpcV10.readAnswer(operation, bytes),
});

const server = new Server();
server.addService(
  {
    SendMessage: method("SendMessage"),
    GetTask: method("GetTask"),
    SendStreamingMessage: method("SendStreamingMessage"),
  },
  {
    SendMessage: (call: ServerUnaryCall<Sent, unknown>, done: sendUnaryData<unknown>) => done(null, send(call.request)),
    GetTask: (call: ServerUnaryCall<{ id: string }, unknown>, done: sendUnaryData<unknown>) =>
      done(null, tasks.get(call.request.id)),
    SendStreamingMessage: stream,
  },
);
server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, port) => {
  if (error) throw error;
  serveParent(`http://127.0.0.1:${port}/spec`);
});
