import type { JsonObject, JsonValue } from "@assay/protocol";
import type { WireReply, WireRequest } from "@assay/wire/server";
import { scopeOf } from "../definition/call.ts";
import type { DeadLetter, DeadLetters } from "../store/dead-letter.ts";
import type { RequestContext } from "./request-context.ts";
import { methodNotAllowed, sendRestError } from "./rest.ts";

/** The path below an agent where callers find undelivered notifications. Not part of A2A. */
export const deadLettersPath = "/dead-letters";

/**
 * For callers that may read push configurations: GET lists the undelivered notifications of the caller's
 * tasks, latest first; DELETE removes them.
 */
export async function serveDeadLetters(
  context: RequestContext,
  letters: DeadLetters,
  request: WireRequest,
  reply: WireReply,
): Promise<void> {
  const { host, headers } = context;
  const { definition, admission } = host;
  try {
    const caller = await admission.authenticate(request, definition);
    const query = new URLSearchParams(request.query);
    const scope = scopeOf(definition, admission.tenant(query.get("tenant") ?? undefined, definition), caller);
    const typed = { "Content-Type": "application/json", "Cache-Control": "private, no-store", ...headers };
    switch (request.method) {
      case "GET": {
        context.operation = "ListTaskPushNotificationConfigs";
        admission.authorize(caller, context.operation, definition);
        const kept = await letters.list(scope, query.get("taskId") ?? undefined);
        return reply.send(200, typed, JSON.stringify({ deadLetters: kept.map(shown) }));
      }
      case "DELETE":
        context.operation = "DeleteTaskPushNotificationConfig";
        admission.authorize(caller, context.operation, definition);
        await letters.clear(scope);
        return reply.send(200, typed, "{}");
      default:
        throw methodNotAllowed(request.method, ["GET", "DELETE"]);
    }
  } catch (thrown) {
    const refused = { agent: definition, authorization: request.headers.authorization, operation: context.operation };
    sendRestError(context.failed(thrown), reply, headers, refused);
  }
}

/** Formats a notification as JSON, with its body if that was kept. */
function shown({ body, ...letter }: DeadLetter): JsonObject {
  const notification = body === undefined ? {} : { notification: JSON.parse(body) as JsonValue };
  return { ...letter, ...notification };
}
