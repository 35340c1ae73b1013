import type { JsonObject } from "@assay/protocol";
import type { Handler } from "@assay/wire/server";
import { type Divergence, variant } from "../mutant.ts";
import { changeRequests, replaceEvents, replyWith } from "../mutation/http.ts";

/** Servers that the suite once said something unfair about (docs/findings). */

/** The call in a body of JSON-RPC, as far as it is one. */
function callIn(body: string): JsonObject | undefined {
  try {
    return JSON.parse(body) as JsonObject;
  } catch {
    return undefined;
  }
}

/** Methods with the names of 0.3 are those of 0.3, whatever version the request names; what is wrong is told in a text. */
const byName =
  (serve: Handler): Handler =>
  async (request, reply) => {
    const asked = request.method === "POST" ? callIn(String(await request.body().catch(() => ""))) : undefined;
    if (!String(asked?.["method"]).includes("/")) return serve(request, reply);
    const { "a2a-version": _version, ...headers } = request.headers;
    const told = replyWith(reply, {
      send(status, answered, body) {
        const { error, ...envelope } = callIn(String(body)) ?? {};
        const texts = { ...(error as JsonObject), data: "1 validation error\nparams.message\n  Field required" };
        reply.send(status, answered, error ? JSON.stringify({ ...envelope, error: texts }) : body);
      },
    });
    return changeRequests(() => ({ headers }))(serve)(request, told);
  };

/** Who subscribes over HTTP+JSON is there only when everything but the end has been told. */
const comesLate =
  (serve: Handler): Handler =>
  (request, reply) =>
    request.path.endsWith(":subscribe")
      ? replaceEvents((data) => (/^\{"(task|artifactUpdate)"/.test(data) ? [] : [data]))(serve)(request, reply)
      : serve(request, reply);

export const olderFindingVariants: readonly Divergence[] = [
  // ERR-002, JSONRPC-012: Python 1.3.0 with its layer for 0.3.
  variant("method-names-decide", "spec", "Goes by the name of a method to know in which version it is asked.", {
    http: byName,
  }),

  // BIND-005: before 1.0 nobody promised those who resubscribe what had happened before.
  variant("late-listeners-03", "spec03", "Those who resubscribe over HTTP+JSON hear of nothing but the end.", {
    http: comesLate,
  }),
];
