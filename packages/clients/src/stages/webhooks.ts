import { randomUUID } from "node:crypto";
import type { Layers } from "@assay/agents/making";
import { isObject, type JsonObject, type JsonValue } from "@assay/protocol";
import type { NotificationWitness } from "../stage.ts";

type Post = Parameters<NonNullable<Layers["push"]>>[0];
type Headers = Parameters<Post>[1];

/** Headers with which an agent authenticates to a webhook. */
const proofs = ["authorization", "x-a2a-notification-token"];
const isProof = ([name]: Headers[number]): boolean => proofs.includes(name.toLowerCase());

const statusOf = (result: Awaited<ReturnType<Post>>): { readonly status?: number } =>
  "status" in result ? { status: result.status } : {};

/** Sends notifications unchanged. */
export const asTheyAre = (witness: NotificationWitness, text: string): Layers => ({
  push: (post) => async (url, headers, body, signal, kind) => {
    const result = await post(url, headers, body, signal, kind);
    witness({ as: "genuine", text, guarded: headers.some(isProof), ...statusOf(result) });
    return result;
  },
});

/** Sends every notification twice, as after a lost acknowledgement. */
export const twice = (witness: NotificationWitness, text: string): Layers => ({
  push: (post) => async (url, headers, body, signal, kind) => {
    await post(url, headers, body, signal, kind);
    const result = await post(url, headers, body, signal, kind);
    witness({ as: "repeated", text, guarded: headers.some(isProof), ...statusOf(result) });
    return result;
  },
});

/** Text that the client must not trust. */
const untrue = "a forged word, do not print it";

/** Time of an old notification that an attacker replays. */
const longAgo = "2020-02-29T12:00:00.000Z";

/**
 * Sends an untrustworthy notification before the first real one: without its token, about another task, or with a time
 * long before the task existed.
 */
export function forgedFirst(as: "forged" | "foreign" | "old", witness: NotificationWitness): Layers {
  const told = new Set<string>();
  return {
    push: (post) => async (url, headers, body, signal, kind) => {
      if (!told.has(url)) {
        told.add(url);
        const foreignTask = as === "foreign" ? randomUUID() : undefined;
        const untold = JSON.stringify(
          endOf(JSON.parse(body) as JsonValue, foreignTask, as === "old" ? longAgo : new Date().toISOString()),
        );
        const given = as === "forged" ? headers.filter((header) => !isProof(header)) : headers;
        const result = await post(url, given, untold, signal, kind);
        witness({
          as,
          text: untrue,
          ...(foreignTask !== undefined && { foreignTask }),
          guarded: headers.some(isProof),
          ...statusOf(result),
        });
      }
      return post(url, headers, body, signal, kind);
    },
  };
}

/** Builds a notification of a completed task with our text, for another task if `task` is set. */
function endOf(body: JsonValue, task: string | undefined, timestamp: string): JsonValue {
  const event = (isObject(body) ? body : {}) as JsonObject;
  const { taskId, contextId } = idsIn(event);
  const status = { state: "TASK_STATE_COMPLETED", timestamp };
  const id = task ?? taskId ?? randomUUID();
  const artifacts = [{ artifactId: "word", parts: [{ text: untrue }] }];
  // Before 1.0 a webhook receives the bare task.
  return "id" in event
    ? {
        ...event,
        id,
        status: { ...status, state: "completed" },
        artifacts: [{ artifactId: "word", parts: [{ kind: "text", type: "text", text: untrue }] }],
      }
    : { task: { id, ...(contextId !== undefined && { contextId }), status, artifacts } };
}

function idsIn(event: JsonObject): { taskId?: string; contextId?: string } {
  const told = (Object.values(event).find(isObject) ?? {}) as JsonObject;
  const text = (value: JsonValue | undefined): string | undefined => (typeof value === "string" ? value : undefined);
  const [taskId, contextId] = [text(told["taskId"]) ?? text(told["id"]), text(told["contextId"])];
  return { ...(taskId !== undefined && { taskId }), ...(contextId !== undefined && { contextId }) };
}
