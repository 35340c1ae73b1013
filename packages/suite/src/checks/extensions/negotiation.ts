import { extensionsHeader } from "@assay/protocol";
import type { HeaderPairs } from "@assay/wire";
import { expectError, isInternal, isRefusal, matches } from "../../answers/expect-error.ts";
import { brief } from "../../answers/loose-json.ts";
import { answerOf, describeReply, errorOf } from "../../answers/reading.ts";
import type { Call } from "../../define/call.ts";
import { activeCheck } from "../../define/check.ts";
import { breach, broken, crashed, type Finding, holds, notApplicable, notExamined } from "../../define/finding.ts";
import type { Target } from "../../define/target.ts";
import { messageWithoutExtension, requiredBy, unknownExtension } from "../../observations/adorned-messages.ts";
import { firstContact } from "../../observations/first-contact.ts";
import { isTurnedAway, mayBeVouchedFor } from "../../observations/login.ts";
import { askAgain, controlCall, isServed } from "../../observations/other-version.ts";
import { isSameError, refusalOfUnknownTask, sendToUnknownTask } from "../../observations/send-to-unknown-task.ts";
import { sendInVain } from "../../observations/sending.ts";
import { sentMessage } from "../../observations/sent-message.ts";
import { unknownTask } from "../../observations/unknown-task.ts";
import { asking, echoedIn, otherVersionOf } from "../../shapes/active-extensions.ts";

export const servesWithoutUnknown = activeCheck("EXT-006", {
  uses: { unknownTask },
  async judge({ unknownTask: asked }, target) {
    const control = refusalOfUnknownTask(asked);
    const call = await sendToUnknownTask(
      target,
      {},
      {},
      { edit: asking(...requiredBy(target.facts), unknownExtension) },
    );
    if (isSameError(call, control)) return holds();
    const details = answerOf(call, `the response without it: ${describeReply(control)}`);
    return isInternal(call) || call.reply.is === "failure"
      ? crashed("an unknown extension causes an internal error or no response", details)
      : broken("the agent refuses a request because it names an unknown extension", details);
  },
});

export const demandsRequired = activeCheck("EXT-008", {
  uses: { sentMessage, messageWithoutExtension },
  judge({ sentMessage: { call: control }, messageWithoutExtension: call }) {
    if (errorOf(control)) return notExamined("not-triggered", "the agent refuses the message with the extension too");
    return expectError(call, "ExtensionSupportRequired", {
      what: "SendMessage without the required extension",
    });
  },
});

export const demandsRightVersion = activeCheck("EXT-009", {
  uses: { sentMessage, messageWithoutExtension },
  async judge({ sentMessage: { call: control }, messageWithoutExtension: without }, target) {
    if (errorOf(control))
      return notExamined("not-triggered", "the agent refuses the message with the right version too");
    if (!errorOf(without)) return notApplicable("the agent does not require the extension at all (EXT-008)");
    const required = requiredBy(target.facts);
    const changed = required.find((uri) => otherVersionOf(uri) !== undefined);
    if (changed === undefined) return notApplicable("no required extension has a version in its URI");
    const uris = required.map((uri) => (uri === changed ? otherVersionOf(uri)! : uri));
    const call = await sendInVain(target, {}, { edit: asking(...uris) });
    const what = "SendMessage with another version of the required extension";
    if (matches(call, "ExtensionSupportRequired") || !isRefusal(call))
      return expectError(call, "ExtensionSupportRequired", { what });
    return breach(
      "other-reason",
      `${what} returns an error that is not about the extension`,
      answerOf(call, "ExtensionSupportRequiredError"),
    );
  },
});

const listed = (call: Call): string => brief([...(echoedIn(call) ?? [])].toSorted());

export const readsAnyList = activeCheck("EXT-018", {
  uses: { controlCall },
  async judge({ controlCall: plain }, target) {
    const uris = target.facts.extensions.map(({ uri }) => uri);
    const [first = "", ...others] = uris.length > 1 ? uris : [...uris, unknownExtension];
    const bare = asking();
    const compact = await askAgain(target, plain, { edit: spelled(bare, [[first, ...others].join(",")]) });
    if (!echoedIn(compact)?.length)
      return notApplicable(`the agent lists no active extension in the response of ${plain.operation}`);
    const forms: readonly (readonly [what: string, lines: readonly string[]])[] = [
      ["spaces around the commas", [[first, ...others].join(" , ")]],
      ["one header line for each extension", [first, ...others]],
    ];
    for (const [what, lines] of forms) {
      const call = await askAgain(target, plain, { edit: spelled(bare, lines) });
      if (isServed(plain, call) && listed(call) === listed(compact)) continue;
      return broken(`the agent reads A2A-Extensions differently with ${what}`, {
        saw: errorOf(call) ? describeReply(call) : listed(call),
        want: listed(compact),
        at: [call, compact],
      });
    }
    return holds();
  },
});

const spelled =
  (bare: (headers: HeaderPairs) => HeaderPairs, lines: readonly string[]) =>
  (headers: HeaderPairs): HeaderPairs => [...bare(headers), ...lines.map((line) => [extensionsHeader, line] as const)];

export const ignoresUnknownParameters = activeCheck("EXT-020", {
  uses: { controlCall },
  async judge({ controlCall: plain }, target) {
    const call = await askAgain(target, plain, {
      headers: [
        ["X-Assay", "1"],
        ["A2A-Foo", "bar"],
      ],
    });
    if (isServed(plain, call)) return holds();
    const details = answerOf(call, "the same response as without them");
    return isInternal(call) || call.reply.is === "failure"
      ? crashed("an unknown header causes an internal error or no response", details)
      : broken("the agent refuses a request because of an unknown header", details);
  },
});

/** Before 1.0 defined an error for it, the text asked for "an appropriate error code". */
export const olderDemandsRequired = activeCheck("V03-EXT-001", {
  uses: { sentMessage, messageWithoutExtension },
  judge({ sentMessage: { call: control }, messageWithoutExtension: call }) {
    if (errorOf(control)) return notExamined("not-triggered", "the agent refuses the message with the extension too");
    const what = "SendMessage without the required extension";
    const details = answerOf(call, "an error");
    if (isInternal(call)) return crashed(`${what} returns an internal error`, details);
    if (call.reply.is === "failure")
      return notExamined("unstable", `the message got no response: ${describeReply(call)}`);
    return errorOf(call) ? holds() : broken(`${what} succeeds`, details);
  },
});

/** Calls a method that no specification defines. */
const callMethod = (target: Target, method: string): Promise<Call> =>
  target.http("GetTask", {}, (request) => ({
    ...request,
    body: Buffer.from(JSON.stringify({ jsonrpc: "2.0", id: 7, method, params: {} })),
  }));

export const methodsAskForALogin = activeCheck("EXT-015", {
  // Only JSON-RPC lets a client call further methods without knowing more.
  bindings: ["JSONRPC"],
  requires: ["extensions", "credentials", "expectation:protectedMethods"],
  uses: { firstContact },
  async judge(_seen, target) {
    const anonymous = target.as("anonymous")!;
    const findings = await Promise.all(
      (target.expectations.protectedMethods ?? []).map(async (method): Promise<Finding> => {
        const ours = await callMethod(target, method);
        if (matches(ours, "MethodNotFound") || isTurnedAway(ours)) {
          const because = `the user cannot call ${method} either: ${describeReply(ours)}`;
          return notExamined("not-triggered", because, "expectations.protectedMethods in assay.yaml");
        }
        const theirs = await callMethod(anonymous, method);
        const details = { saw: describeReply(theirs), want: "an authentication error", at: [theirs, ours] };
        if (isTurnedAway(theirs)) return holds();
        if (isInternal(theirs))
          return crashed("an extension method without credentials returns an internal error", details);
        if (theirs.reply.is === "failure")
          return notExamined("unstable", `the call got no response: ${describeReply(theirs)}`);
        if (mayBeVouchedFor(target.facts, theirs.on))
          return notExamined("credentials", "a proxy may present a certificate for every caller");
        return broken("an extension method succeeds without credentials", details);
      }),
    );
    return findings.length ? findings : notExamined("prompt", "no method is configured");
  },
});
