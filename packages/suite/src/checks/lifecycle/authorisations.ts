import { isLoopback } from "@assay/protocol";
import { isInternal, matches } from "../../answers/expect-error.ts";
import { asList, asObject, asObjects, brief } from "../../answers/loose-json.ts";
import { answerOf, describeReply, isAnswered } from "../../answers/reading.ts";
import { assertNotCut } from "../../answers/whole-stream.ts";
import { activeCheck } from "../../define/check.ts";
import { breach, broken, holds, notExamined } from "../../define/finding.ts";
import { authorisation, authRequired, declined, refusal } from "../../observations/authorisation.ts";
import { follow } from "../../observations/sent-message.ts";

/** Returns addresses without TLS, except those on the same machine. */
export const openAddressesIn = (words: string): readonly string[] =>
  (words.match(/\bhttp:\/\/[^\s"'<>\\)]+/gi) ?? []).filter(
    (url) => !URL.canParse(url) || !isLoopback(new URL(url).hostname),
  );

const wish =
  /(?<!\b(?:not|never|don't) )\b(?:reply with|answer with|respond with|send|give|tell|type|paste|provide|share)\b[^.!?]{0,40}\b(?:password|passphrase|pin|secret|api[ -]?key|access token|one-time code)\b/i;

/** Returns true if a text explicitly asks for a secret in a message, and names no other place to enter it. */
export const asksForSecret = (words: string): boolean =>
  wish.test(words) && !/https?:\/\/|\b(page|browser|website|portal|app|dialog|elsewhere)\b/i.test(words);

export const tracksIt = activeCheck("INTASK-001", {
  uses: { authorisation },
  judge({ authorisation: { call, message, task, got } }) {
    if (message) {
      if (!asksToAuthorise.test(JSON.stringify(message["parts"] ?? []))) return notAsked;
      return broken("the agent asks for authorization in a message, without a task", {
        saw: brief(message),
        want: "a task in TASK_STATE_AUTH_REQUIRED",
        at: call,
      });
    }
    return task?.state === "TASK_STATE_AUTH_REQUIRED" ? holds(undefined, got) : notAsked;
  },
});

/**
 * Matches a message that asks the user to authorize. With any other message, the prompt did not trigger what the
 * operator expects.
 */
const asksToAuthorise =
  /\b(log|sign) ?in (at|via|here|with|using)\b|\bauthori[sz]e (at|me|this|via)\b|\b(please|must|need to|have to)\b[^.!?]{0,40}\b(authori[sz]e|log ?in|sign ?in|authenticate)\b/i;

const notAsked = notExamined("prompt", "the agent did not ask for authorization", "prompts.authRequired in assay.yaml");

export const explainsIt = activeCheck("INTASK-002", {
  uses: { authRequired },
  judge({ authRequired: { task, got } }) {
    const message = asObject(asObject(task.json["status"])?.["message"]);
    const want = "status.message with role ROLE_AGENT and a part that explains how to authorize";
    // The user may have arranged the authorization elsewhere, which Assay cannot know.
    if (!message)
      return breach("status-without-message", "a task in AUTH_REQUIRED has no status.message", {
        saw: brief(task.json["status"]),
        want,
        at: got,
      });
    if (message["role"] !== "ROLE_AGENT") {
      return broken("the status.message of a task in AUTH_REQUIRED does not have the role of the agent", {
        saw: `role ${brief(message["role"])}`,
        want,
        at: got,
      });
    }
    if (asObjects(message["parts"]).some(hasContent)) return holds();
    return broken("the status.message of a task in AUTH_REQUIRED is empty", { saw: brief(message), want, at: got });
  },
});

const hasContent = ({ text, url, raw, data }: Record<string, unknown>): boolean =>
  [text, url, raw].some((each) => typeof each === "string" && each.trim() !== "") || data !== undefined;

export const keepsStreaming = activeCheck("INTASK-004", {
  uses: { authorisation },
  judge({ authorisation: { call, stayedOpen } }) {
    if (stayedOpen === undefined) return notAsked;
    if (stayedOpen) return holds();
    assertNotCut(call);
    return broken("the agent closes the stream when the task needs authorization", {
      saw: "the stream closes after TASK_STATE_AUTH_REQUIRED",
      want: "a stream that stays open",
      at: call,
    });
  },
});

export const listens = activeCheck("INTASK-006", {
  uses: { declined },
  judge({ declined: call }) {
    if (isAnswered(call)) return holds();
    const details = answerOf(call, "the task");
    if (isInternal(call))
      return breach("internal-error", "SendMessage to a task in AUTH_REQUIRED returns an internal error", details);
    if (matches(call, "TaskNotFound")) return notExamined("unstable", "the task no longer exists");
    return broken("the agent refuses a message to a task in AUTH_REQUIRED", details);
  },
});

export const askedOutOfBand = activeCheck("INTASK-003", {
  uses: { authRequired },
  judge({ authRequired: { task, got } }) {
    const message = asObject(asObject(task.json["status"])?.["message"]);
    const parts = asObjects(message?.["parts"]);
    // Extensions may negotiate credentials in a message.
    if (parts.length === 0 || asList(message?.["extensions"]).length > 0) return holds();
    const words = JSON.stringify(parts);
    const open = openAddressesIn(words)[0];
    if (open !== undefined) {
      return breach("address-without-tls", "the authorization address is not https", {
        saw: brief(open),
        want: "an https address",
        at: got,
      });
    }
    if (!asksForSecret(words)) return holds();
    return breach("secret-asked-for", "a task in AUTH_REQUIRED asks for a secret in a message", {
      saw: brief(words),
      want: "a way to authorize outside the conversation",
      at: got,
    });
  },
});

export const authorisesNothing = activeCheck("INTASK-007", {
  requires: ["scenario:auth-required", "expectation:approvals"],
  uses: { authRequired, declined },
  async judge({ authRequired: { task }, declined: call }, target) {
    if (!isAnswered(call))
      return notExamined("not-triggered", `the agent did not accept the message that declines: ${describeReply(call)}`);
    const { last, got } = await follow(target, task);
    // An agent may complete a declined task with a message about that, but not with a new result.
    const made = (last?.artifacts.length ?? 0) - task.artifacts.length;
    if (last?.state !== "TASK_STATE_COMPLETED" || made <= 0) return holds();
    return broken("a task completes with a result although its authorization was declined", {
      saw: `${last.state} with ${made} new artifacts after ${brief(refusal)}`,
      want: `no result without authorization (${brief(target.expectations.approvals)})`,
      at: [got, call],
    });
  },
});
