import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import type { JsonObject } from "@assay/protocol";

interface Sent {
  readonly id: string;
  readonly text: string;
}

export type Change = (task: JsonObject) => JsonObject;

const bytes = Buffer.from([251, 255, 190, 1]);
const contextId = "a context/ü";
const time = { older: "2026-01-01T02:00:00+02:00", newer: "2026-01-01T00:00:00.000001Z" };

/** Writes a task in 0.3: times with an offset, standard Base64, empty lists, members of its own. */
const inOlder = ({ id, text }: Sent): JsonObject => ({
  "x-own": true,
  metadata: { served: "as 0.3" },
  history: [{ kind: "message", messageId: `m-${id}`, role: "user", parts: [{ kind: "text", text }], extensions: [] }],
  artifacts: [
    {
      artifactId: "0",
      parts: [
        { kind: "file", file: { name: "f.bin", mimeType: "application/x-odd", bytes: bytes.toString("base64") } },
        { kind: "data", data: { list: [], number: 1 }, metadata: {} },
        { kind: "file", file: { uri: "https://a.example/f?signature=1" } },
      ],
    },
  ],
  status: { timestamp: time.older, state: "completed" },
  contextId,
  id,
  kind: "task",
});

/** Writes the same task in 1.0: microseconds, URL-safe Base64 without padding, empty texts, a media type on each part. */
const inNewer = ({ id, text }: Sent): JsonObject => ({
  id,
  contextId,
  status: { state: "TASK_STATE_COMPLETED", timestamp: time.newer },
  artifacts: [
    {
      artifactId: "0",
      name: "",
      description: "",
      parts: [
        { raw: bytes.toString("base64url"), filename: "f.bin", mediaType: "application/X-odd; version=1" },
        { data: { number: 1.0, list: [] }, mediaType: "application/json", filename: "" },
        { url: "https://a.example/f?signature=2", mediaType: "application/octet-stream" },
      ],
      extensions: [],
    },
  ],
  history: [{ messageId: `m-${id}`, role: "ROLE_USER", parts: [{ text, mediaType: "text/plain" }], taskId: id }],
});

const info = { "@type": "type.googleapis.com/google.rpc.ErrorInfo", domain: "a2a-protocol.org" };

/** Starts an agent of both versions at one address that is legal and unusual. Its tasks end at once. */
export async function startOddAgent(change: { readonly older?: Change; readonly newer?: Change } = {}): Promise<{
  readonly url: string;
  readonly server: Server;
}> {
  const tasks: Sent[] = [];
  const refuse = (isNewer: boolean, code: number, reason: string): JsonObject => ({
    error: { code, message: reason, data: isNewer ? [{ ...info, reason }] : "in words" },
  });
  const answer = (method: string, params: JsonObject, isNewer: boolean): JsonObject => {
    const write = (task: Sent): JsonObject =>
      isNewer ? (change.newer ?? ((it) => it))(inNewer(task)) : (change.older ?? ((it) => it))(inOlder(task));
    const known = tasks.find(({ id }) => id === params["id"]);
    switch (method) {
      case isNewer ? "SendMessage" : "message/send": {
        const message = params["message"] as JsonObject | undefined;
        const parts = Array.isArray(message?.["parts"]) ? (message["parts"] as JsonObject[]) : undefined;
        if (!parts?.length || typeof message?.["messageId"] !== "string")
          return refuse(isNewer, -32602, "INVALID_PARAMS");
        if (tasks.some(({ id }) => id === message["taskId"])) return refuse(isNewer, -32004, "UNSUPPORTED_OPERATION");
        if (message["taskId"] !== undefined) return refuse(isNewer, -32001, "TASK_NOT_FOUND");
        tasks.push({ id: `${tasks.length + 1}`, text: `${parts[0]!["text"] ?? ""}` });
        return { result: isNewer ? { task: write(tasks.at(-1)!) } : write(tasks.at(-1)!) };
      }
      case isNewer ? "GetTask" : "tasks/get":
        return known ? { result: write(known) } : refuse(isNewer, -32001, "TASK_NOT_FOUND");
      case isNewer ? "CancelTask" : "tasks/cancel":
        return known ? refuse(isNewer, -32002, "TASK_NOT_CANCELABLE") : refuse(isNewer, -32001, "TASK_NOT_FOUND");
      case isNewer ? "ListTasks" : "": {
        // One task on each page, without its artifacts and history.
        const [at, all] = [Number(params["pageToken"] || 0), tasks.toReversed()];
        const page = all
          .slice(at, at + 1)
          .map(({ id }) => ({ id, contextId, status: { state: "TASK_STATE_COMPLETED", timestamp: time.newer } }));
        return {
          result: {
            tasks: page,
            nextPageToken: at + 1 < all.length ? `${at + 1}` : "",
            pageSize: 1,
            totalSize: all.length,
          },
        };
      }
      default:
        return refuse(isNewer, -32601, "METHOD_NOT_FOUND");
    }
  };
  const server = createServer((request, response) => {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const write = (body: JsonObject): void => {
      response.setHeader("Content-Type", "application/json; charset=utf-8").end(JSON.stringify(body));
    };
    if (request.method === "GET") return write(cardAt(url));
    json(request)
      .then((read) => {
        const { id = null, method, params } = read as JsonObject;
        const isNewer = request.headers["a2a-version"] === "1.0";
        write({ jsonrpc: "2.0", id, ...answer(String(method), (params ?? {}) as JsonObject, isNewer) });
      })
      .catch(() => write({ jsonrpc: "2.0", id: null, error: { code: -32700, message: "no JSON" } }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
}

const cardAt = (url: string): JsonObject => ({
  supportedInterfaces: [
    { url, protocolBinding: "JSONRPC", protocolVersion: "1.0" },
    { url, protocolBinding: "JSONRPC", protocolVersion: "0.3" },
  ],
  name: "Odd",
  description: "Is legal and unusual.",
  version: "0",
  capabilities: {},
  defaultInputModes: ["text/plain"],
  defaultOutputModes: ["application/x-odd", "application/json"],
  skills: [{ id: "odd", name: "Odd", description: "Answers.", tags: ["odd"] }],
  protocolVersion: "0.3.0",
  url,
  preferredTransport: "JSONRPC",
});
