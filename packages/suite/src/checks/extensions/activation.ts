import { brief } from "../../answers/loose-json.ts";
import { describeReply } from "../../answers/reading.ts";
import type { Call } from "../../define/call.ts";
import { activeCheck } from "../../define/check.ts";
import { broken, type Finding, holds, notApplicable, notExamined } from "../../define/finding.ts";
import { messageWithExtensions, optionalFor, unknownExtension } from "../../observations/adorned-messages.ts";
import { unicodeMessage } from "../../observations/odd-messages.ts";
import { sentMessage } from "../../observations/sent-message.ts";
import { echoedIn, otherVersionOf, shownIn, strangeIn } from "../../shapes/active-extensions.ts";

/** A message without a response shows nothing about extensions. */
const unanswered = (call: Call): Finding | undefined =>
  call.reply.is === "result" || call.reply.is === "stream"
    ? undefined
    : notExamined("not-triggered", `the message got no valid response: ${describeReply(call)}`);

export const inactiveUnlessAsked = activeCheck("EXT-005", {
  uses: { sentMessage },
  judge({ sentMessage: { call } }, target) {
    const optional = optionalFor(target.facts);
    if (optional.length === 0) return notApplicable("the card has no optional extension");
    const shown = shownIn(call);
    const active = optional.find((uri) => shown.has(uri));
    if (active === undefined) return holds();
    return broken("the agent activates an extension that the client did not request", {
      saw: active,
      want: "no sign of it in A2A-Extensions, extensions or metadata",
      at: call,
    });
  },
});

export const noOtherVersion = activeCheck("EXT-007", {
  uses: { sentMessage, unicodeMessage },
  judge({ sentMessage: { call: plain }, unicodeMessage: { call, outdated: uri } }) {
    if (uri === undefined) return notApplicable("no optional extension on the card has a version in its URI");
    const before = unanswered(call);
    if (before) return before;
    // EXT-005 judges an agent that always activates it.
    if (!shownIn(call).has(uri) || shownIn(plain).has(uri)) return holds();
    return broken("the agent activates another version of an extension than requested", {
      saw: `${uri} in the response to a request for ${otherVersionOf(uri)}`,
      want: "no such extension",
      at: call,
    });
  },
});

export const listsActiveOnes = activeCheck("EXT-010", {
  // GRPC-016 judges the same over gRPC, so that one fault is reported once.
  bindings: ["JSONRPC", "HTTP+JSON"],
  uses: { messageWithExtensions },
  judge({ messageWithExtensions: { call, asked } }) {
    const before = unanswered(call);
    if (before) return before;
    const echoed = echoedIn(call) ?? [];
    if (asked.some((uri) => uri !== unknownExtension && echoed.includes(uri))) return holds();
    return broken("the response does not list the requested extensions", {
      saw: echoed.length ? brief(echoed) : "no A2A-Extensions in the response",
      want: `A2A-Extensions: ${asked.filter((uri) => uri !== unknownExtension).join(", ")}`,
      at: call,
    });
  },
});

export const listsNoOthers = activeCheck("EXT-011", {
  uses: { messageWithExtensions },
  judge({ messageWithExtensions: { call, asked } }) {
    const before = unanswered(call);
    if (before) return before;
    const echoed = echoedIn(call) ?? [];
    const details = { saw: brief(echoed), want: "only extensions that were requested and activated", at: call };
    if (echoed.includes(unknownExtension)) return broken("the response lists an unknown extension", details);
    if (echoed.some((uri) => !asked.includes(uri)))
      return broken("the response lists an extension that was not requested", details);
    return holds();
  },
});

export const addsNothingToTheCore = activeCheck("EXT-013", {
  uses: { sentMessage, messageWithExtensions },
  judge({ sentMessage: { call: plain }, messageWithExtensions: { call } }) {
    const before = unanswered(call);
    if (before) return before;
    const known = strangeIn(plain);
    const added = [...strangeIn(call)].filter((name) => !known.has(name));
    if (added.length === 0) return holds();
    return broken("an active extension adds members or values to protocol objects", {
      saw: brief(added.join(", ")),
      want: "extension data in metadata",
      at: call,
    });
  },
});
