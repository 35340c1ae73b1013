import { A2AError, isTerminal, type JsonObject, type JsonValue } from "@assay/protocol";
import type { Handler } from "@assay/wire/server";
import { type Divergence, mutant } from "../definition/divergence.ts";
import type { CodecContext, Layers } from "../definition/layers.ts";
import { changeRequests } from "../mutation/http.ts";
import { answerOf, eachObject, inJson, recoded, without } from "../mutation/json.ts";
import { changeStream, intercept } from "../mutation/operations.ts";
import { demandsTag } from "../mutation/part-tags.ts";
import { silence } from "../mutation/streams.ts";

// In 0.2 they misbehave alike: what stands on its wire is the same.

/** Where objects say by `kind` what they are: HTTP+JSON and gRPC have the form of the .proto. */
const kinded = (change: (json: JsonValue, written: CodecContext) => JsonValue): Pick<Layers, "codec"> => ({
  codec: (json, written) => (written.binding === "JSONRPC" && written.is !== "error" ? change(json, written) : json),
});

const isPart = ({ kind }: JsonObject): boolean => kind === "text" || kind === "file" || kind === "data";

const isUpdate = ({ kind }: JsonObject): boolean => kind === "status-update";

const capitals = (state: JsonValue): string => `TASK_STATE_${String(state).toUpperCase().replaceAll("-", "_")}`;

/** Validates what others read past: a message in the parameters has to say that it is one. */
const demandsKind =
  (serve: Handler): Handler =>
  async (request, reply) => {
    const body = request.method === "POST" ? String(await request.body().catch(() => "")) : "";
    const message = /"method":"message\//.test(body) ? messageIn(body) : undefined;
    if (!message || message.kind !== undefined) return serve(request, reply);
    const error = { code: -32602, message: "params.message.kind: Field required" };
    reply.send(
      200,
      { "Content-Type": "application/json" },
      JSON.stringify({ jsonrpc: "2.0", id: message.call["id"] ?? null, error }),
    );
  };

function messageIn(body: string): { readonly call: JsonObject; readonly kind: JsonValue | undefined } | undefined {
  try {
    const call = JSON.parse(body) as JsonObject;
    const message = (call["params"] as JsonObject | undefined)?.["message"] as JsonObject | undefined;
    return message && { call, kind: message["kind"] };
  } catch {
    return undefined;
  }
}

/** Tasks, messages, events and what lies within, as 0.2 and 0.3 write them, each wrong in one way. */
const shapes: readonly Divergence[] = [
  mutant("V03-DATA-001.nameless-events", "spec03", "Its events do not say by kind what they are.", {
    ...kinded((json, { is }) => (is === "event" ? without(json as JsonObject, "kind") : json)),
  }),
  mutant("V03-DATA-002.typed-parts", "spec03", "Parts have type instead of kind, as in 0.1.", {
    ...kinded((json) =>
      eachObject(json, (object) => {
        const { kind, ...rest } = object;
        return isPart(object) ? { type: kind!, ...rest } : object;
      }),
    ),
  }),
  mutant("V03-DATA-003.capitals", "spec03", "States over JSON-RPC are written as in 1.0.", {
    ...kinded((json) =>
      eachObject(json, (object) =>
        typeof object["state"] === "string" ? { ...object, state: capitals(object["state"]) } : object,
      ),
    ),
  }),
  mutant("V03-DATA-003.new-role", "spec03", "Writes its role in a direct answer as 1.0 does.", {
    codec: answerOf("SendMessage", (answer) =>
      answer["kind"] === "message" ? { ...answer, role: "ROLE_AGENT" } : answer,
    ),
  }),
  mutant("V03-DATA-003.assistant", "spec03", "Calls itself assistant, which is not a role of the schema.", {
    ...kinded((json) =>
      eachObject(json, (object) => (object["role"] === "agent" ? { ...object, role: "assistant" } : object)),
    ),
  }),
  mutant("JSONRPC-009.any-role-03", "spec03", "Takes a message whose role does not exist for one of the user.", {
    http: changeRequests((request) => ({
      body: async () =>
        Buffer.from(String(await request.body()).replace(/"role":"(?!user"|agent"|ROLE_)[^"]*"/, '"role":"user"')),
    })),
  }),
  mutant("V03-DATA-004.no-context", "spec03", "Tasks have no contextId.", {
    ...kinded((json) =>
      eachObject(json, (object) => (object["kind"] === "task" ? without(object, "contextId") : object)),
    ),
  }),
  mutant("V03-DATA-004.numbered-artifacts", "spec03", "Gives its artifacts a number for a name.", {
    ...kinded((json) => eachObject(json, (object) => (object["artifactId"] ? { ...object, name: 7 } : object))),
  }),
];

const streams: readonly Divergence[] = [
  mutant("V03-STREAM-005.all-final", "spec03", "Every status update of a stream has final: true.", {
    codec: inJson((json, { is, binding }) => {
      if (is !== "event") return json;
      const event = json as JsonObject;
      if (binding === "JSONRPC") return isUpdate(event) ? { ...event, final: true } : event;
      const update = event["statusUpdate"] as JsonObject | undefined;
      return update ? { statusUpdate: { ...update, final: true } } : event;
    }),
  }),
  mutant("V03-STREAM-006.only-at-the-end", "spec03", "Status updates that are not final have no final member.", {
    ...kinded((json, { is }) =>
      is === "event" && isUpdate(json as JsonObject) && (json as JsonObject)["final"] === false
        ? without(json as JsonObject, "final")
        : json,
    ),
  }),
  mutant(
    "V03-SUB-001.waits-for-ever",
    "spec03",
    "The method tasks/resubscribe to an ended task opens a stream that stays open.",
    {
      operations: intercept(["SubscribeToTask"], async ({ request, proceed, ask, invocation }) => {
        const task = await ask("GetTask", { id: request.id });
        return isTerminal(task.status.state) ? { events: silence(invocation.client.signal) } : proceed();
      }),
    },
  ),
  mutant(
    "V03-SUB-002.snapshot-only",
    "spec03",
    "The method tasks/resubscribe closes the stream after its first event.",
    {
      operations: changeStream(["SubscribeToTask"], async function* (told) {
        for await (const event of told) {
          yield event;
          return;
        }
      }),
    },
  ),
];

export const olderLifecycleMutants: readonly Divergence[] = [
  mutant("SEND-001.wants-type", "spec03", "Reads parts that have type, as in 0.1, and refuses those that have kind.", {
    http: demandsTag("type", "kind"),
  }),
  mutant("V03-SEND-001.demands-kind", "spec03", "A message without kind is refused.", {
    http: demandsKind,
  }),
  mutant("V03-CAP-001.no-cancel", "spec03", "The agent does not know the method tasks/cancel.", {
    operations: intercept(["CancelTask"], () => {
      throw new A2AError("MethodNotFound", "There is no such method here");
    }),
  }),
  mutant("JSONRPC-009.own-code", "spec03", "Has a code of its own for wrong parameters.", {
    codec: recoded(-32602, -32050),
  }),
  {
    id: "ERR-022.unsupported-03",
    base: "spec03",
    does: "Calls push notifications, which it does not claim, an unsupported operation.",
    differs: () => ({ push: false, layers: { codec: recoded(-32003, -32004) } }),
  },
  ...shapes,
  ...streams,
];
