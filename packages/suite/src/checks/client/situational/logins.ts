import type { TaskState } from "@assay/protocol";
import { asObject } from "../../../answers/loose-json.ts";
import { type ClientRequest, callsOf } from "../../../client/client-request.ts";
import { fieldsNamed, isSend } from "../../../client/request-fields.ts";
import { type SituationSeen, situationCheck } from "../../../client/situation-check.ts";
import { broken, type Finding, holds, notExamined } from "../../../define/finding.ts";

const hasBearer = (request: ClientRequest): boolean =>
  fieldsNamed(request, "authorization").some((value) => /^bearer +\S/i.test(value));

/** The traffic does not show whether the command passed the token to the client. */
const unlessIgnored = {
  says: ", or the command ignores ASSAY_BEARER",
  remedy:
    "Let the command pass ASSAY_BEARER to the client, or decline this situation (exit code 75). If the client gets it, send it with every request, in the place that the scheme on the card defines.",
};

/**
 * Checks that some request has the given credentials. A client may send its first request without them to find out that
 * it needs them.
 */
function loggedIn({ requests }: SituationSeen): Finding | undefined {
  const calls = callsOf(requests);
  const [first] = calls;
  if (!first) return undefined;
  const at = calls.slice(0, 3).map(({ exchange }) => exchange);
  if (calls.some(hasBearer)) return holds(undefined, at);
  return broken(`the client sends none of its requests with the given credentials${unlessIgnored.says}`, {
    saw: `${calls.length} calls without Authorization: Bearer`,
    want: "Authorization: Bearer, as the card requires",
    remedy: unlessIgnored.remedy,
    at,
  });
}

export const inHeader = situationCheck("AUTH-005", {
  in: ["login"],
  judge: loggedIn,
});

export const byAnyMethod = situationCheck("V03-AUTH-001", {
  in: ["login"],
  judge: loggedIn,
});

export const verifiesCertificates = situationCheck("AUTH-004", {
  in: ["untrusted-certificate"],
  judge({ requests, distrusted }) {
    const [first] = requests;
    if (first)
      return broken("the client accepts a certificate that is not signed by a trusted authority", {
        saw: `${first.exchange.http.request.method} ${new URL(first.exchange.http.request.url).pathname} over TLS`,
        want: "no request: the client closes the connection",
        at: first.exchange,
      });
    return distrusted > 0 ? holds() : notExamined("not-triggered", "the client did not reach the TLS handshake");
  },
});

export const stayingHome = situationCheck("AUTH-023", {
  in: ["foreign-redirect"],
  judge({ requests, agent }) {
    const home = new URL(agent.cardUrl).hostname;
    const [there, here] = [requests.filter(isAway), requests.filter((request) => !isAway(request))];
    // A client that never sends credentials shows nothing about where it sends them.
    if (!here.some(hasBearer)) return undefined;
    const carried = there.filter(hasBearer).map(({ exchange }) => exchange);
    if (carried.length)
      return broken("the client sends credentials to another host after a redirect", {
        saw: "Authorization: Bearer on a request to the other host",
        want: "no credentials",
        at: carried,
      });
    return holds(
      undefined,
      (there.length ? there : here).slice(0, 3).map(({ exchange }) => exchange),
    );

    function isAway({ exchange }: ClientRequest): boolean {
      return new URL(exchange.http.request.url).hostname !== home;
    }
  },
});

export const extendedWithLogin = situationCheck("XCARD-011", {
  in: ["extended-card"],
  judge({ requests }) {
    const calls = callsOf(requests).filter(({ operation }) => operation === "GetExtendedAgentCard");
    if (!calls.length) return notExamined("not-triggered", "the client did not request the extended card");
    const at = calls.map(({ exchange }) => exchange);
    if (calls.some(hasBearer)) return holds(undefined, at);
    return broken(`the client requests the extended card without credentials${unlessIgnored.says}`, {
      saw: "no Authorization: Bearer",
      want: "Authorization: Bearer, as the card requires",
      remedy: unlessIgnored.remedy,
      at,
    });
  },
});

export const extendedReplaces = situationCheck("XCARD-012", {
  in: ["extended-elsewhere"],
  judge({ requests }) {
    const read = requests.findIndex(
      (request) =>
        request.is === "call" && request.operation === "GetExtendedAgentCard" && request.reply.is === "result",
    );
    if (read === -1) return notExamined("not-triggered", "the client did not get the extended card");
    const later = requests.slice(read + 1);
    const sent = callsOf(later).filter(isSend);
    if (sent.length)
      return broken("the client sends a message to the public card's interface, although it read the extended card", {
        saw: sent[0]!.exchange.http.request.url,
        want: "the interface of the extended card",
        at: [requests[read]!.exchange, sent[0]!.exchange],
      });
    const elsewhere = later.filter(({ is, exchange }) => is === "stray" && exchange.http.request.method === "POST");
    return elsewhere.length
      ? holds(
          undefined,
          elsewhere.map(({ exchange }) => exchange),
        )
      : notExamined("not-triggered", "the client sent no message after it read the extended card");
  },
});

/** Operations with which a client watches a task. */
const watching = ["GetTask", "SubscribeToTask", "CreateTaskPushNotificationConfig"];

const waits: TaskState = "TASK_STATE_AUTH_REQUIRED";

export const watched = situationCheck("INTASK-010", {
  in: ["authorisation"],
  judge({ requests, runs }) {
    const calls = callsOf(requests);
    const asked = calls.findIndex(({ reply }) => reply.is === "result" && stateIn(reply.json) === waits);
    // On an open stream, the rest arrives by itself.
    if (asked === -1 || calls.some((call) => isSend(call) && call.reply.is === "stream")) return undefined;
    const later = calls.slice(asked + 1).filter(({ operation }) => operation && watching.includes(operation));
    if (later.length) return holds(undefined, [later[0]!.exchange]);
    if (!runs.length || runs.some(({ exit, errors }) => exit !== 0 || errors.trim() !== ""))
      return notExamined("not-triggered", "the client leaves the task to its user");
    return broken("the client reports a task that waits for authorization as done", {
      saw: "no further call, and exit code 0",
      want: "GetTask, SubscribeToTask or a webhook",
      at: calls[asked]!.exchange,
    });
  },
});

const stateIn = (json: unknown): unknown => {
  const answer = asObject(json);
  return asObject((asObject(answer?.["task"]) ?? answer)?.["status"])?.["state"];
};
