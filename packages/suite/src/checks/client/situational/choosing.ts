import { extensionsHeader, isObject, olderExtensionsHeader } from "@assay/protocol";
import { brief } from "../../../answers/loose-json.ts";
import { accomplished } from "../../../client/accomplished.ts";
import { callsOf, type StrayRequest } from "../../../client/client-request.ts";
import { fieldsNamed } from "../../../client/request-fields.ts";
import { type SituationCheck, type SituationSeen, situationCheck } from "../../../client/situation-check.ts";
import { breach, broken, holds, notExamined } from "../../../define/finding.ts";
import { bindingName } from "../../../report/group.ts";
import { tells } from "./copes.ts";

/**
 * Calls that went to no interface of the card, though the client had read it. Who never asked for the card was told by its
 * operator where to go; what is no call may be meant for anything.
 */
const strayCalls = ({ requests }: SituationSeen) =>
  requests.some(({ is }) => is === "card")
    ? requests.filter((request) => request.is === "stray" && looksLikeCall(request))
    : [];

function looksLikeCall({ exchange: { http } }: StrayRequest): boolean {
  const { method, url, body } = http.request;
  if (method !== "POST") return false;
  return (
    /\/message:(?:send|stream)$/.test(new URL(url).pathname) || /"method"\s*:/.test(Buffer.from(body).toString("utf8"))
  );
}

const inCardsOrder = situationCheck({
  id: "BIND-006",
  in: ["preference", "preference-swapped"],
  judge(seen) {
    const [stray] = strayCalls(seen);
    if (stray)
      return broken("the client calls an interface of a binding that it cannot speak", {
        saw: brief(stray.exchange.http.request.url),
        want: "an entry whose binding it speaks",
        at: stray.exchange,
      });
    const [first] = callsOf(seen.requests);
    if (!first) return undefined;
    const known = seen.agent.interfaces.filter(({ binding, dialect }) =>
      seen.speaks.some((each) => each.binding === binding && each.dialect === dialect),
    );
    const preferred = known[0]?.binding;
    if (preferred === undefined || new Set(known.map(({ binding }) => binding)).size < 2)
      return notExamined("not-triggered", "the client speaks one binding only, so that it has no choice");
    if (first.on.binding === preferred) return holds(undefined, first.exchange);
    return breach(
      "other-declared-interface",
      `${bindingName(preferred)} stands first, and the client uses ${bindingName(first.on.binding)}`,
      {
        saw: first.on.binding,
        want: preferred,
        at: first.exchange,
      },
    );
  },
});

const atItsAddress = situationCheck({
  id: "BIND-007",
  in: ["send", "task", "card-elsewhere"],
  judge(seen) {
    const [stray] = strayCalls(seen);
    const calls = callsOf(seen.requests);
    if (stray && !calls.length)
      return broken("a call goes to an address that the card does not list", {
        saw: brief(stray.exchange.http.request.url),
        want: seen.agent.interfaces[0]?.url ?? "the url of an interface",
        at: stray.exchange,
      });
    return calls.length ? holds(undefined, calls[0]!.exchange) : undefined;
  },
});

const triesAnother = situationCheck({
  id: "BIND-008",
  in: ["dead-interface"],
  judge(seen) {
    const dead = seen.agent.interfaces[0];
    if (!dead) return undefined;
    if (!seen.speaks.some(({ binding, dialect }) => dialect === dead.dialect && binding !== dead.binding))
      return notExamined("not-triggered", "the client speaks one binding only");
    const [chosen] = callsOf(seen.inControl ?? []);
    // A client that prefers another binding never comes to the dead interface.
    if (chosen?.on.binding !== dead.binding)
      return notExamined("not-triggered", `the client does not choose ${bindingName(dead.binding)} where it is first`);
    const [call] = callsOf(seen.requests);
    if (call) return holds(undefined, call.exchange);
    return broken("the client gives up when nothing listens at the first interface", {
      saw: "no call at an interface of another binding",
      want: "a call at the next interface of the card that the client speaks",
      at: seen.requests.map(({ exchange }) => exchange),
    });
  },
});

const inVersionOfInterface = situationCheck({
  id: "VER-015",
  in: ["two-versions"],
  judge(seen) {
    const calls = callsOf(seen.requests);
    const wrong = calls.find(
      ({ on, operation }) =>
        operation === undefined ||
        !seen.speaks.some((each) => each.dialect === on.dialect && each.binding === on.binding),
    );
    if (wrong)
      return broken("a call is made to an interface of another version than the client speaks", {
        saw: `${brief(wrong.method, 60)} at an interface of ${wrong.on.dialect}`,
        want: "the interface of 1.0",
        at: wrong.exchange,
      });
    return calls.length ? holds(undefined, calls[0]!.exchange) : undefined;
  },
});

const noSilentFallback = situationCheck({
  id: "VER-016",
  in: ["older-only"],
  judge(seen) {
    const [call] = callsOf(seen.requests);
    if (!call) return holds();
    return broken("the client was to speak 1.0 alone, and calls an interface of 0.3", {
      saw: brief(call.method, 60),
      want: "an error, and no call",
      at: call.exchange,
    });
  },
});

/** So often a client may try again before it is taken for one that does not stop. */
const mostTries = 5;

const takesNo = situationCheck({
  id: "VER-018",
  in: ["version-refused"],
  judge(seen) {
    const calls = callsOf(seen.requests);
    if (!calls.length) return undefined;
    const at = calls.slice(0, 3).map(({ exchange }) => exchange);
    if (calls.length > mostTries)
      return broken(`a request whose version is refused is sent ${calls.length} times`, {
        saw: `${calls.length} calls`,
        want: "one, or one for each interface",
        at,
      });
    if (seen.runs.length && !tells(seen))
      return broken("that the version is refused is not told", {
        saw: "exit code 0, and nothing in the output that tells",
        want: "an error",
        at,
      });
    return holds(undefined, at);
  },
});

const staysAway = situationCheck({
  id: "EXT-016",
  in: ["required-extension"],
  // What calls say is judged wherever they are made.
  judge: (seen) => (callsOf(seen.requests).length ? undefined : holds()),
});

const offByDefault = situationCheck({
  id: "EXT-019",
  in: ["send"],
  judge(seen) {
    const calls = callsOf(seen.requests);
    const asking = calls.find((call) =>
      [extensionsHeader, olderExtensionsHeader].some((name) => fieldsNamed(call, name).some(Boolean)),
    );
    if (asking)
      return broken("an extension is asked for that was not switched on", {
        saw: brief(fieldsNamed(asking, extensionsHeader).join(", ")),
        want: "no A2A-Extensions",
        at: asking.exchange,
      });
    return calls.length ? holds(undefined, calls[0]!.exchange) : undefined;
  },
});

const asksForAll = situationCheck({
  id: "EXT-004",
  in: ["extensions"],
  judge(seen) {
    const [call] = callsOf(seen.requests);
    if (call?.on.dialect !== "1.0") return undefined;
    const asked = fieldsNamed(call, extensionsHeader).flatMap((value) => value.split(",").map((uri) => uri.trim()));
    if (!asked.length && !fieldsNamed(call, olderExtensionsHeader).length)
      return notExamined(
        "not-triggered",
        "the client does not ask for the extensions of ASSAY_EXTENSIONS; one that knows none may decline",
      );
    const missing = seen.agent.extensions.find(({ uri }) => !asked.includes(uri));
    if (!(missing && asked.length)) return undefined;
    return broken("of two extensions one is not asked for", {
      saw: brief(asked.join(", ")),
      want: missing.uri,
      at: call.exchange,
    });
  },
});

const looksBefore = situationCheck({
  id: "CAP-001",
  in: ["no-streaming"],
  judge(seen) {
    const calls = callsOf(seen.requests);
    const streamed = calls.some(
      ({ operation }) => operation === "SendStreamingMessage" || operation === "SubscribeToTask",
    );
    return streamed ? undefined : holds(calls.length ? "it sends the message otherwise" : undefined);
  },
});

/** A list that was read to its end, and by the tokens that were given out. */
const readsOn = situationCheck({
  id: "LIST-025",
  in: ["list"],
  judge(seen) {
    const pages = callsOf(seen.requests).filter(
      ({ operation, reply }) => operation === "ListTasks" && reply.is === "result",
    );
    const last = pages.at(-1);
    if (last?.reply.is !== "result" || !accomplished(seen).is) return undefined;
    const { json } = last.reply;
    const token = isObject(json) ? json["nextPageToken"] : undefined;
    if (!token) return holds(undefined, last.exchange);
    return broken("the client stops before the last page", {
      saw: `${pages.length} pages, the last with a nextPageToken`,
      want: "a call for the next page",
      at: last.exchange,
    });
  },
});

const encodesQueries = situationCheck({
  id: "REST-025",
  in: ["list"],
  bindings: ["HTTP+JSON"],
  judge(seen) {
    const calls = callsOf(seen.requests).filter(
      ({ operation, on }) => operation === "ListTasks" && on.binding === "HTTP+JSON",
    );
    const [first, second] = calls;
    if (!first || !second || first.reply.is !== "result" || !isObject(first.reply.json)) return undefined;
    const given = first.reply.json["nextPageToken"];
    const came = second.params?.["pageToken"];
    if (came === undefined && !second.exchange.http.request.url.includes("pageToken")) return undefined;
    if (came === given) return holds(undefined, second.exchange);
    return broken("a page token arrives changed", {
      saw: brief(came ?? second.exchange.http.request.url),
      want: brief(given),
      at: [first.exchange, second.exchange],
    });
  },
});

/** Which of several ways a client goes. */
export const choosingChecks: readonly SituationCheck[] = [
  inCardsOrder,
  atItsAddress,
  triesAnother,
  inVersionOfInterface,
  noSilentFallback,
  takesNo,
  staysAway,
  offByDefault,
  asksForAll,
  looksBefore,
  readsOn,
  encodesQueries,
];
