import { isStreaming } from "@assay/protocol";
import { asList, asObject, asText, brief } from "../../../answers/loose-json.ts";
import { eventsOf, isEnded } from "../../../answers/reading.ts";
import { accomplished } from "../../../client/accomplished.ts";
import { type ClientCall, callsOf, isAccepted } from "../../../client/client-request.ts";
import { isSend, messageOf } from "../../../client/request-fields.ts";
import { situationCheck } from "../../../client/situation-check.ts";
import { broken, holds, notExamined } from "../../../define/finding.ts";
import { tells } from "./copes.ts";

const sends = (calls: readonly ClientCall[]): readonly ClientCall[] => calls.filter(isSend);

const exchangesOf = (calls: readonly ClientCall[]) => calls.slice(0, 4).map(({ exchange }) => exchange);

/** A client that gets the result without a stream has no stream to lose. */
const hasStream = (calls: readonly ClientCall[]): boolean =>
  calls.some(({ operation }) => operation !== undefined && isStreaming(operation));

const stillAtWork = notExamined(
  "not-triggered",
  "the client was still at work at its time limit",
  "--timeout <seconds>",
);

export const noSecondWork = situationCheck("SUB-009", {
  in: ["lost-response", "late-response", "no-second-stream", "dropped"],
  judge(seen) {
    const isLate = seen.situation.id === "late-response";
    const sent = sends(callsOf(seen.requests));
    const [first] = sent;
    const losesStream = seen.situation.action === "stream";
    if (!first || (losesStream && !hasStream(callsOf(seen.requests)))) return undefined;
    const ids = new Set(sent.map((call) => asText(messageOf(call)?.["messageId"])));
    if (isLate && isAccepted(first))
      return notExamined("not-triggered", "the client waited for the late response; its timeout is over 6 s");
    if (seen.ended === "time-over" && sent.length === 1) return stillAtWork;
    if (!(ids.size > 1)) return holds(undefined, exchangesOf(callsOf(seen.requests)));
    const after = isLate ? "a timeout" : "a lost connection";
    return broken(`after ${after} the client resends the message with a new messageId`, {
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
    if (!hasStream(calls)) return undefined;
    if (seen.ended !== "time-over") {
      if (accomplished(seen).is) return holds(undefined, exchangesOf(calls));
      return tells(seen)
        ? holds("the client gives up with an error", exchangesOf(calls))
        : notExamined(
            "not-triggered",
            "after a lost connection the client ends without the result and without an error",
          );
    }
    const { quietMs = 0 } = seen;
    if (quietMs < longQuietMs || mayCallAgain(calls)) return stillAtWork;
    return broken("after a lost connection the client does not end", {
      saw: `${calls.length} calls, then none for ${Math.floor(quietMs / 1_000)} s`,
      want: "GetTask, SubscribeToTask or an error",
      at: exchangesOf(calls),
    });
  },
});

/** A client that pauses before it connects again is silent for less than this. */
const longQuietMs = 5_000;

/**
 * Returns true if a silent client may only pause before its next call. It waits for events instead if it never asked
 * about the task, or already knows that the task ended.
 */
function mayCallAgain(calls: readonly ClientCall[]): boolean {
  const last = calls.at(-1)!;
  const isFirstSend = isSend(last) && sends(calls).length === 1;
  return !isFirstSend && !showsEnd(last);
}

/** Returns true if a reply shows an ended task. */
function showsEnd({ reply }: ClientCall): boolean {
  if (reply.is === "stream") return eventsOf({ reply }).some(({ state }) => isEnded(state));
  const json = reply.is === "result" ? asObject(reply.json) : undefined;
  const task = asObject(json?.["task"]) ?? json;
  return isEnded(asText(asObject(task?.["status"])?.["state"]));
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
    if (followed.length) return holds(undefined, exchangesOf(followed));
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
