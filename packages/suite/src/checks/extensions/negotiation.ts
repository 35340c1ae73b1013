import { extensionsHeader, type JsonObject } from "@assay/protocol";
import type { HeaderPairs } from "@assay/wire";
import { probe } from "../../check.ts";
import { expectError, isInternal, isRefusal, matches } from "../../expect-error.ts";
import { broken, crashed, holds, notApplicable, notExamined, odd } from "../../finding.ts";
import { askAgain, carrier, isServed } from "../../observations/carrier.ts";
import { requiredBy, undeclared, unknownExtension } from "../../observations/extended.ts";
import { isSameError, refusedInVain, sendInVain } from "../../observations/in-vain.ts";
import { settled } from "../../observations/settled.ts";
import { unknownTask } from "../../observations/unknown-task.ts";
import { brief, describeReply, errorOf } from "../../reading.ts";
import { asking, echoedIn, otherVersionOf } from "../../shapes/active-extensions.ts";
import type { Talk } from "../../talk.ts";

export const servesWithoutUnknown = probe({
  id: "EXT-006",
  title: "an extension that the agent does not have is ignored",
  remedy: "Ignore URIs in A2A-Extensions that you do not know, and serve the request without them.",
  uses: { unknownTask },
  async probe({ unknownTask: asked }, lab) {
    const plain = refusedInVain(asked);
    if ("instead" in plain) return plain.instead;
    const talk = await sendInVain(lab, {}, {}, { edit: asking(...requiredBy(lab.facts), unknownExtension) });
    if (isSameError(talk, plain.control)) return holds();
    const details = { saw: describeReply(talk), want: `as without it: ${describeReply(plain.control)}`, at: talk };
    return isInternal(talk) || talk.reply.is === "failure"
      ? crashed("an extension that nobody knows makes the agent break down", details)
      : broken("a request is refused because it asks for an extension that the agent does not have", details);
  },
});

export const demandsRequired = probe({
  id: "EXT-008",
  title: "a message without the required extension is refused",
  remedy:
    "Answer ExtensionSupportRequiredError where A2A-Extensions does not name every extension that the card requires.",
  uses: { settled, undeclared },
  probe({ settled: { talk: control }, undeclared: talk }) {
    if (errorOf(control)) return notExamined("no-occasion", "the message is refused with the extension as well");
    return expectError(talk, "ExtensionSupportRequired", {
      what: "a message that does not declare the required extension",
    });
  },
});

export const demandsRightVersion = probe({
  id: "EXT-009",
  title: "another version of a required extension is refused",
  remedy:
    "Compare the URI of a required extension as a whole, version included, and answer ExtensionSupportRequiredError.",
  uses: { settled, undeclared },
  async probe({ settled: { talk: control }, undeclared: without }, lab) {
    if (errorOf(control)) return notExamined("no-occasion", "the message is refused with the right version as well");
    if (!errorOf(without)) return notApplicable("the agent does not demand the extension at all (EXT-008)");
    const required = requiredBy(lab.facts);
    const changed = required.find((uri) => otherVersionOf(uri) !== undefined);
    if (changed === undefined) return notApplicable("no required extension has a version in its URI");
    const uris = required.map((uri) => (uri === changed ? otherVersionOf(uri)! : uri));
    // A message of ours is JSON.
    const message = lab.message("task") as unknown as JsonObject;
    const talk = await lab.call("SendMessage", { message }, { refusable: true, edit: asking(...uris) });
    const what = "a message with another version of the required extension";
    // Which error it is the text does not say (AMB-27).
    if (matches(talk, "ExtensionSupportRequired") || !isRefusal(talk))
      return expectError(talk, "ExtensionSupportRequired", { what });
    return odd(`${what} is refused, but not for the extension`, {
      saw: describeReply(talk),
      want: "ExtensionSupportRequiredError",
      at: talk,
    });
  },
});

const listed = (talk: Talk): string => brief([...(echoedIn(talk) ?? [])].toSorted());

export const readsAnyList = probe({
  id: "EXT-018",
  title: "a list of extensions may have blanks and several lines",
  remedy: "Join repeated A2A-Extensions fields, split at commas and trim each URI.",
  uses: { carrier },
  async probe({ carrier: plain }, lab) {
    const uris = lab.facts.extensions.map(({ uri }) => uri);
    const [first = "", ...others] = uris.length > 1 ? uris : [...uris, unknownExtension];
    const bare = asking();
    const compact = await askAgain(lab, plain, { edit: spelled(bare, [[first, ...others].join(",")]) });
    if (!echoedIn(compact)?.length)
      return notApplicable(`the agent lists no active extension in its answer to ${plain.operation}`);
    const forms: readonly (readonly [what: string, lines: readonly string[]])[] = [
      ["blanks around the commas", [[first, ...others].join(" , ")]],
      ["a line for each", [first, ...others]],
    ];
    for (const [what, lines] of forms) {
      const talk = await askAgain(lab, plain, { edit: spelled(bare, lines) });
      if (isServed(plain, talk) && listed(talk) === listed(compact)) continue;
      return broken(`A2A-Extensions with ${what} is read differently`, {
        saw: errorOf(talk) ? describeReply(talk) : listed(talk),
        want: listed(compact),
        at: [talk, compact],
      });
    }
    return holds();
  },
});

const spelled =
  (bare: (headers: HeaderPairs) => HeaderPairs, lines: readonly string[]) =>
  (headers: HeaderPairs): HeaderPairs => [...bare(headers), ...lines.map((line) => [extensionsHeader, line] as const)];

export const ignoresUnknownParameters = probe({
  id: "EXT-020",
  title: "service parameters that nobody knows do no harm",
  remedy: "Ignore header fields that you do not know, those that begin with A2A- too.",
  uses: { carrier },
  async probe({ carrier: plain }, lab) {
    const talk = await askAgain(lab, plain, {
      headers: [
        ["X-Assay", "1"],
        ["A2A-Foo", "bar"],
      ],
    });
    if (isServed(plain, talk)) return holds();
    const details = { saw: describeReply(talk), want: "the same answer as without them", at: talk };
    return isInternal(talk) || talk.reply.is === "failure"
      ? crashed("a header that nobody knows makes the agent break down", details)
      : broken("a request is refused for a header that nobody knows", details);
  },
});
