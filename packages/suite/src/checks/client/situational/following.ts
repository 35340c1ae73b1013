import { asList, asObject, asText, brief } from "../../../answers/loose-json.ts";
import { isEnded } from "../../../answers/reading.ts";
import { accomplished } from "../../../client/accomplished.ts";
import { type ClientCall, callsOf } from "../../../client/client-request.ts";
import { isSend, messageOf } from "../../../client/request-fields.ts";
import { situationCheck } from "../../../client/situation-check.ts";
import { broken, holds } from "../../../define/finding.ts";

const sends = (calls: readonly ClientCall[]): readonly ClientCall[] => calls.filter(isSend);

const exchangesOf = (calls: readonly ClientCall[]) => calls.slice(0, 4).map(({ exchange }) => exchange);

export const noSecondWork = situationCheck("SUB-009", {
  in: ["lost-response", "no-second-stream", "dropped"],
  judge(seen) {
    const sent = sends(callsOf(seen.requests));
    if (!sent.length) return undefined;
    const ids = new Set(sent.map((call) => asText(messageOf(call)?.["messageId"])));
    if (!(ids.size > 1)) return holds(undefined, exchangesOf(callsOf(seen.requests)));
    return broken("after a lost connection the client resends the message with a new messageId", {
      saw: `${ids.size} messages`,
      want: "SubscribeToTask, GetTask, or the same messageId",
      at: exchangesOf(sent),
    });
  },
});

export const noWaitingForLost = situationCheck("STREAM-025", {
  in: ["no-second-stream", "dropped"],
  judge(seen) {
    const calls = callsOf(seen.requests);
    if (!calls.length) return undefined;
    if (seen.ended === "time-over")
      return broken("after a lost connection the client does not end", {
        saw: `${calls.length} calls, then none`,
        want: "GetTask, SubscribeToTask or an error",
        at: exchangesOf(calls),
      });
    return accomplished(seen).is
      ? holds(undefined, exchangesOf(calls))
      : holds("the client gives up with an error", exchangesOf(calls));
  },
});

/** Tells if a reply shows an ended task. */
function showsEnd({ reply }: ClientCall): boolean {
  const json = reply.is === "result" ? asObject(reply.json) : undefined;
  const task = asObject(json?.["task"]) ?? json;
  return isEnded(asText(asObject(task?.["status"])?.["state"]));
}

/** A client that asks again this soon after a response does not pause. */
const hurriedMs = 20;

/** Some polls may follow each other closely, for example at the start of a growing pause. */
const mostHurried = 4;

function pace(polls: readonly ClientCall[]): string | undefined {
  const hurried = polls.filter(({ exchange }, index) => {
    const before = polls[index - 1]?.exchange.timing;
    return before && Date.parse(exchange.timing.startedAt) - Date.parse(before.startedAt) - before.end < hurriedMs;
  });
  return hurried.length > mostHurried
    ? `the client polls without a pause: ${polls.length} calls; wait between two calls of GetTask`
    : undefined;
}

export const learnsTheEnd = situationCheck("SEND-025", {
  in: ["follow"],
  judge(seen) {
    const calls = callsOf(seen.requests);
    const [sent] = sends(calls);
    if (!sent || showsEnd(sent)) return undefined;
    const followed = calls.filter(
      ({ operation }) =>
        operation === "GetTask" || operation === "SubscribeToTask" || operation === "CreateTaskPushNotificationConfig",
    );
    if (followed.length)
      return holds(pace(followed.filter(({ operation }) => operation === "GetTask")), exchangesOf(followed));
    if (accomplished(seen).is && seen.prints) return holds(undefined, sent.exchange);
    return broken("the client treats a working task as the result", {
      saw: "no call after the send",
      want: "GetTask, SubscribeToTask or a webhook",
      at: sent.exchange,
    });
  },
});

export const refersBack = situationCheck("CTX-016", {
  in: ["refine"],
  judge(seen) {
    const [first, second] = sends(callsOf(seen.requests));
    const message = second && messageOf(second);
    if (!first || !second || !message || first.reply.is !== "result") return undefined;
    const task = asObject(asObject(first.reply.json)?.["task"]);
    const [id, context] = [asText(task?.["id"]), asText(task?.["contextId"])];
    const at = [first.exchange, second.exchange];
    if (asText(message["taskId"]) === id)
      return broken("the client sends a message to refine a result to the ended task", {
        saw: `taskId ${brief(id)}`,
        want: "referenceTaskIds",
        at,
      });
    if (!asList(message["referenceTaskIds"]).includes(id ?? null))
      return broken("the client's message to refine a result does not name its task", {
        saw: brief(message["referenceTaskIds"] ?? "no referenceTaskIds"),
        want: `referenceTaskIds: ["${id}"]`,
        at,
      });
    if (asText(message["contextId"]) === context) return holds(undefined, at);
    return broken("the client sends a message to refine a result in another context", {
      saw: brief(message["contextId"] ?? "no contextId"),
      want: context ?? "",
      at,
    });
  },
});

export const namesArtifact = situationCheck("LIFE-010", {
  in: ["refine"],
  judge(seen) {
    const [first, second] = sends(callsOf(seen.requests));
    const message = second && messageOf(second);
    if (!first || !message || first.reply.is !== "result") return undefined;
    const [artifact] = asList(asObject(asObject(first.reply.json)?.["task"])?.["artifacts"]);
    const id = asText(asObject(artifact)?.["artifactId"]);
    if (id !== undefined && JSON.stringify(message).includes(id)) return holds(undefined, second.exchange);
    return broken("the client's message to refine a result does not name the artifact", {
      saw: brief(message),
      want: `the artifactId "${id}" in the message`,
      at: second.exchange,
    });
  },
});
