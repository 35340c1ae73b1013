import { errorInfoType, isObject, type JsonObject } from "@assay/protocol";
import type { Handler } from "@assay/wire/server";
import { type Divergence, full, spec } from "../definition/divergence.ts";
import { callWith } from "../mutation/grpc.ts";
import { changeAnswers, changeEventData, changeRequests } from "../mutation/http.ts";
import { eachObject, events, inJson, without } from "../mutation/json.ts";
import { RecentSet } from "../mutation/recent.ts";
import { crashesOn } from "../mutation/requests.ts";

/** Hides tasks over HTTP+JSON that were created over another binding. */
function ownStore(): (serve: Handler) => Handler {
  const made = new RecentSet();
  const note = (text: string, path: string): string => {
    if (/:(send|stream)$/.test(path)) for (const [, id] of text.matchAll(/"(?:id|taskId)":"([^"]+)"/g)) made.add(id!);
    return text;
  };
  const answer = changeAnswers((given, { method, path }) => {
    note(String(given.body), path);
    const id = /\/tasks\/([^/:]+)$/.exec(path)?.[1];
    const isForeign = method === "GET" && id !== undefined && !made.has(id) && given.status === 200;
    return isForeign ? { ...given, status: 404, body: JSON.stringify(notFound) } : given;
  });
  return (serve) => changeEventData((data, { path }) => note(data, path))(answer(serve));
}

const notFound = {
  error: {
    code: 404,
    status: "NOT_FOUND",
    message: "There is no such task",
    details: [{ "@type": errorInfoType, reason: "TASK_NOT_FOUND", domain: "a2a-protocol.org" }],
  },
};

/** A binding that cannot stream. */
const mailBinding = "https://example.com/bindings/mail/v1";

/** Agents whose bindings disagree. */
export const interopMutants: readonly Divergence[] = [
  spec("BIND-001.no-list", "ListTasks works over JSON-RPC but not over HTTP+JSON.", {
    http: changeRequests(({ method, path }) =>
      method === "GET" && path.endsWith("/tasks") ? { method: "PATCH" } : {},
    ),
  }),

  full("BIND-001.no-push", "Push operations work over JSON-RPC, but not over HTTP+JSON.", {
    http: changeRequests(({ path }) => (path.includes("/pushNotificationConfigs") ? { method: "PATCH" } : {})),
  }),

  spec("BIND-002.own-store", "A task created over JSON-RPC does not exist over HTTP+JSON.", () => ({
    http: ownStore(),
  })),

  spec("BIND-003.not-found", "CancelTask for a completed task returns TaskNotFoundError over HTTP+JSON only.", {
    http: changeAnswers((answer, { path }) =>
      path.endsWith(":cancel") && String(answer.body).includes("TASK_NOT_CANCELABLE")
        ? {
            ...answer,
            status: 404,
            body: String(answer.body)
              .replace('"code":400', '"code":404')
              .replace("FAILED_PRECONDITION", "NOT_FOUND")
              .replace("TASK_NOT_CANCELABLE", "TASK_NOT_FOUND"),
          }
        : answer,
    ),
  }),

  spec("BIND-005.renames", "Subscribers over HTTP+JSON get other artifact names than subscribers over JSON-RPC.", {
    codec: (json, { is, binding, operation }) =>
      is === "event" && binding === "HTTP+JSON" && operation === "SubscribeToTask"
        ? eachObject(json, (object) => ("artifactId" in object ? { ...object, name: "another name" } : object))
        : json,
  }),

  spec("BIND-005.status-only", "A subscriber over gRPC receives only status updates.", {
    grpc: (call) =>
      call.path.endsWith("/SubscribeToTask")
        ? // The tag of artifact_update, field 4 of StreamResponse.
          callWith(call, { send: (message) => (message[0] === 0x22 ? undefined : call.send(message)) })
        : call,
  }),

  spec("DATA-030.nameless", "Artifacts have a name over other bindings but none over HTTP+JSON.", {
    codec: (json, { binding }) =>
      binding === "HTTP+JSON"
        ? eachObject(json, (object): JsonObject => ("artifactId" in object ? without(object, "name") : object))
        : json,
  }),

  spec("BIND-015.claims-streams", "The card says streaming: true, but its only binding cannot stream.", {
    card: (card) => ({
      ...card,
      supportedInterfaces: [
        { url: "https://agent.example/mail", protocolBinding: mailBinding, protocolVersion: "1.0" },
      ],
    }),
  }),

  spec("BIND-009.websocket", "The card names a custom binding with a word instead of a URI.", {
    card: (card) => ({
      ...card,
      supportedInterfaces: [
        ...(card["supportedInterfaces"] as JsonObject[]),
        { url: "wss://agent.example/a2a", protocolBinding: "WEBSOCKET", protocolVersion: "1.0" },
      ],
    }),
  }),
];

/** 0.3 formats in the responses of 1.0. */
export const legacyMutants = [
  spec("LEG-001.kind", "Parts have kind, as in 0.3.", {
    codec: inJson((json) => eachObject(json, (object) => ("text" in object ? { kind: "text", ...object } : object))),
  }),

  spec("LEG-002.final", "Status updates have final, as in 0.3.", {
    codec: inJson((json, written) =>
      events((event) =>
        isObject(event["statusUpdate"])
          ? { statusUpdate: { ...(event["statusUpdate"] as JsonObject), final: false } }
          : event,
      )(json, written),
    ),
  }),

  spec("LEG-003.nested-file", "File parts have a nested file object, as in 0.3.", {
    codec: inJson((json) =>
      eachObject(json, ({ raw, filename, mediaType, ...part }) =>
        raw === undefined
          ? { ...part, ...(filename !== undefined && { filename }), ...(mediaType !== undefined && { mediaType }) }
          : { ...part, file: { bytes: raw, ...(filename !== undefined && { name: filename }) } },
      ),
    ),
  }),

  spec("LEG-007.stumbles", "A message with kind, as in 0.3, gets an internal error.", {
    http: crashesOn((body) => body.includes('"kind":"message"')),
  }),
];
