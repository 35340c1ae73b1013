import { A2AError, isTerminal, type JsonObject, type Task } from "@assay/protocol";
import { type Divergence, full, spec } from "../definition/divergence.ts";
import type { Layers } from "../definition/layers.ts";
import { changeParams, intercept, orElse, together } from "../mutation/operations.ts";
import { listing } from "./listing.ts";

/** Agents that differ in the tasks that they keep and the messages that they accept. */

const sends = ["SendMessage", "SendStreamingMessage"] as const;

export const configOperations = [
  "CreateTaskPushNotificationConfig",
  "GetTaskPushNotificationConfig",
  "ListTaskPushNotificationConfigs",
  "DeleteTaskPushNotificationConfig",
] as const;

const gone = (id: string): A2AError => new A2AError("TaskNotFound", `Task ${id} not found any more`);

/** Deletes a task this long after its end. */
export function purging(afterMs: number): NonNullable<Layers["operations"]> {
  const isGone = ({ status }: Task): boolean =>
    isTerminal(status.state) && Date.now() - Date.parse(status.timestamp ?? "") >= afterMs;
  const keeps = intercept(
    ["GetTask", "CancelTask", "SubscribeToTask", ...sends, ...configOperations],
    async ({ request, proceed, ask }) => {
      const id = "message" in request ? request.message.taskId : "taskId" in request ? request.taskId : request.id;
      // In 0.1 a message may name a task that does not exist yet.
      const task = id && (await orElse(ask("GetTask", { id }), "TaskNotFound", () => undefined));
      if (id && task && isGone(task)) throw gone(id);
      return proceed();
    },
  );
  const lists = listing({ lists: (task) => !isGone(task) });
  return together(keeps, lists);
}

export const memoryVariants: readonly Divergence[] = [
  // §3.3.2: an agent may delete a task after its end.
  spec("purges-ended", "Deletes a task as soon as it ends.", { operations: purging(0) }),
  full("purges-ended-later", "Deletes a task one second after it ends.", { operations: purging(1_000) }),

  // §3.4.1: an agent that accepts no contexts from clients rejects the message.
  spec("own-contexts", "Accepts only contexts that it created.", {}, { habits: { ownContextsOnly: true } }),

  // §3.3.2 defines the error, and no agent must accept text. The card should declare that, but here it does not.
  spec("reads-data-alone", "Rejects messages with text because it accepts only data.", {
    operations: intercept(sends, ({ request, proceed }) => {
      if (!request.message.parts.some(({ text }) => text !== undefined)) return proceed();
      throw new A2AError("ContentTypeNotSupported", "This agent accepts application/json only");
    }),
  }),

  // The agent decides which permissions a caller has.
  spec("forbids-messages", "Every message from this caller is forbidden.", {
    operations: intercept(sends, async () => {
      throw new A2AError("PermissionDenied", "This account may read, but not send messages");
    }),
  }),

  // RFC 9110 §15.5.3: a paywall sends 402 with a body in its own format.
  spec("wants-payment", "Over HTTP, every message is answered with 402 Payment Required.", {
    card: (card) => ({
      ...card,
      supportedInterfaces: (card["supportedInterfaces"] as JsonObject[]).filter(
        ({ protocolBinding }) => protocolBinding !== "GRPC",
      ),
    }),
    http: (serve) => async (request, reply) => {
      const isMessage =
        /\/message:(send|stream)$/.test(request.path) ||
        (request.method === "POST" && /"method":"Send(Streaming)?Message"/.test(String(await request.body())));
      if (!isMessage) return serve(request, reply);
      reply.send(402, { "Content-Type": "application/json" }, JSON.stringify({ error: "payment required" }));
    },
  }),

  // AMB-36: the specification does not require agents to check media types.
  spec("any-media", "Parts are read whatever media type they declare.", {
    operations: changeParams(sends, (request) => ({
      ...request,
      message: {
        ...request.message,
        parts: request.message.parts.map(({ mediaType: _named, ...part }) => part),
      },
    })),
  }),
];
