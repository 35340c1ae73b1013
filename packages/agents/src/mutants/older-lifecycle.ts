import { A2AError, isTerminal, type JsonObject, type JsonValue } from "@assay/protocol";
import type { Handler } from "@assay/wire/server";
import { type Divergence, spec03 } from "../definition/divergence.ts";
import type { CodecContext, Layers } from "../definition/layers.ts";
import { changeRequests } from "../mutation/http.ts";
import { answerOf, eachObject, inJson, recoded, without } from "../mutation/json.ts";
import { changeStream, intercept } from "../mutation/operations.ts";
import { demandsTag } from "../mutation/part-tags.ts";
import { postedText, sendRpcError } from "../mutation/requests.ts";
import { silence } from "../mutation/streams.ts";

// They misbehave in the same way in 0.2, which has the same wire format.

/** Changes JSON with `kind`: HTTP+JSON and gRPC have the format of the .proto. */
const kinded = (change: (json: JsonValue, written: CodecContext) => JsonValue): Pick<Layers, "codec"> => ({
  codec: (json, written) => (written.binding === "JSONRPC" && written.is !== "error" ? change(json, written) : json),
});

const isPart = ({ kind }: JsonObject): boolean => kind === "text" || kind === "file" || kind === "data";

const isUpdate = ({ kind }: JsonObject): boolean => kind === "status-update";

const capitals = (state: JsonValue): string => `TASK_STATE_${String(state).toUpperCase().replaceAll("-", "_")}`;

/** Requires `kind` in the message of the parameters, which others ignore. */
const demandsKind =
  (serve: Handler): Handler =>
  async (request, reply) => {
    const body = await postedText(request);
    const message = /"method":"message\//.test(body) ? messageIn(body) : undefined;
    if (!message || message.kind !== undefined) return serve(request, reply);
    const error = { code: -32602, message: "params.message.kind: Field required" };
    sendRpcError(reply, message.call["id"], error);
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

/** Tasks, messages, events and their content in the format of 0.2 and 0.3, each wrong in one way. */
const shapes: readonly Divergence[] = [
  spec03("V03-DATA-001.nameless-events", "Events lack kind.", {
    ...kinded((json, { is }) => (is === "event" ? without(json as JsonObject, "kind") : json)),
  }),
  spec03("V03-DATA-002.typed-parts", "Parts have type instead of kind, as in 0.1.", {
    ...kinded((json) =>
      eachObject(json, (object) => {
        const { kind, ...rest } = object;
        return isPart(object) ? { type: kind!, ...rest } : object;
      }),
    ),
  }),
  spec03("V03-DATA-003.capitals", "States over JSON-RPC have the form of 1.0.", {
    ...kinded((json) =>
      eachObject(json, (object) =>
        typeof object["state"] === "string" ? { ...object, state: capitals(object["state"]) } : object,
      ),
    ),
  }),
  spec03("V03-DATA-003.new-role", "A direct message has its role in the format of 1.0.", {
    codec: answerOf("SendMessage", (answer) =>
      answer["kind"] === "message" ? { ...answer, role: "ROLE_AGENT" } : answer,
    ),
  }),
  spec03("V03-DATA-003.assistant", "Messages have the role assistant, which is not in the schema.", {
    ...kinded((json) =>
      eachObject(json, (object) => (object["role"] === "agent" ? { ...object, role: "assistant" } : object)),
    ),
  }),
  spec03("JSONRPC-009.any-role-03", "Accepts a message with an unknown role as a user message.", {
    http: changeRequests((request) => ({
      body: async () =>
        Buffer.from(String(await request.body()).replace(/"role":"(?!user"|agent"|ROLE_)[^"]*"/, '"role":"user"')),
    })),
  }),
  spec03("V03-DATA-004.no-context", "Tasks have no contextId.", {
    ...kinded((json) =>
      eachObject(json, (object) => (object["kind"] === "task" ? without(object, "contextId") : object)),
    ),
  }),
  spec03("V03-DATA-004.numbered-artifacts", "Artifacts have a number as their name.", {
    ...kinded((json) => eachObject(json, (object) => (object["artifactId"] ? { ...object, name: 7 } : object))),
  }),
];

const streams: readonly Divergence[] = [
  spec03("V03-STREAM-005.all-final", "Every status update of a stream has final: true.", {
    codec: inJson((json, { is, binding }) => {
      if (is !== "event") return json;
      const event = json as JsonObject;
      if (binding === "JSONRPC") return isUpdate(event) ? { ...event, final: true } : event;
      const update = event["statusUpdate"] as JsonObject | undefined;
      return update ? { statusUpdate: { ...update, final: true } } : event;
    }),
  }),
  spec03("V03-STREAM-006.only-at-the-end", "Status updates that are not final have no final member.", {
    ...kinded((json, { is }) =>
      is === "event" && isUpdate(json as JsonObject) && (json as JsonObject)["final"] === false
        ? without(json as JsonObject, "final")
        : json,
    ),
  }),
  spec03(
    "V03-SUB-001.waits-for-ever",
    "The method tasks/resubscribe to an ended task opens a stream that stays open.",
    {
      operations: intercept(["SubscribeToTask"], async ({ request, proceed, ask, invocation }) => {
        const task = await ask("GetTask", { id: request.id });
        return isTerminal(task.status.state) ? { events: silence(invocation.client.signal) } : proceed();
      }),
    },
  ),
  spec03("V03-SUB-002.snapshot-only", "The method tasks/resubscribe closes the stream after its first event.", {
    operations: changeStream(["SubscribeToTask"], async function* (told) {
      for await (const event of told) {
        yield event;
        return;
      }
    }),
  }),
];

export const olderLifecycleMutants: readonly Divergence[] = [
  spec03("SEND-001.wants-type", "Accepts parts with type, as in 0.1, and rejects parts with kind.", {
    http: demandsTag("type", "kind"),
  }),
  spec03("V03-SEND-001.demands-kind", "The agent rejects a message without kind.", {
    http: demandsKind,
  }),
  spec03("V03-CAP-001.no-cancel", "The agent does not know the method tasks/cancel.", {
    operations: intercept(["CancelTask"], () => {
      throw new A2AError("MethodNotFound", "There is no such method here");
    }),
  }),
  spec03("JSONRPC-009.own-code", "Wrong parameters get a custom error code.", {
    codec: recoded(-32602, -32050),
  }),
  spec03(
    "ERR-022.unsupported-03",
    "Push operations, which the card does not declare, return the error for an unsupported operation.",
    { codec: recoded(-32003, -32004) },
    { push: false },
  ),
  ...shapes,
  ...streams,
];
