import { extensionsHeader, isObject, isStreaming, olderExtensionsHeader } from "@assay/protocol";
import { brief } from "../../../answers/loose-json.ts";
import { accomplished } from "../../../client/accomplished.ts";
import { type ClientCall, callsOf, type StrayRequest } from "../../../client/client-request.ts";
import { fieldsNamed } from "../../../client/request-fields.ts";
import { type SituationSeen, situationCheck } from "../../../client/situation-check.ts";
import { breach, broken, type Finding, holds, notExamined } from "../../../define/finding.ts";
import { bindingName } from "../../../report/group.ts";
import { tells } from "./copes.ts";

/**
 * Returns calls to addresses that are not on the card, although the client read it. A client that never fetched the
 * card got the address from its operator; other requests may mean anything.
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

export const inCardsOrder = situationCheck("BIND-006", {
  in: ["same-binding", "preference", "preference-swapped"],
  judge(seen) {
    if (seen.situation.id === "same-binding") return firstOfTwo(seen);
    const [stray] = strayCalls(seen);
    if (stray)
      return broken("the client calls an interface whose binding it does not support", {
        saw: brief(stray.exchange.http.request.url),
        want: "an entry whose binding it supports",
        at: stray.exchange,
      });
    const [first] = callsOf(seen.requests);
    if (!first) return undefined;
    const known = seen.agent.interfaces.filter(({ binding, dialect }) =>
      seen.speaks.some((each) => each.binding === binding && each.dialect === dialect),
    );
    const preferred = known[0]?.binding;
    if (preferred === undefined || new Set(known.map(({ binding }) => binding)).size < 2)
      return notExamined("not-triggered", "the client supports only one binding, so it has no choice");
    if (first.on.binding === preferred) return holds(undefined, first.exchange);
    return breach(
      "other-declared-interface",
      `${bindingName(preferred)} is first on the card, but the client uses ${bindingName(first.on.binding)}`,
      {
        saw: first.on.binding,
        want: preferred,
        at: first.exchange,
      },
    );
  },
});

/** Judges the choice between two interfaces that differ only in their address. */
function firstOfTwo({ requests, agent }: SituationSeen): Finding | undefined {
  const [first] = callsOf(requests);
  const preferred = agent.interfaces[0]?.url;
  if (!first || preferred === undefined) return undefined;
  if (first.on.url === preferred) return holds(undefined, first.exchange);
  return breach("other-declared-interface", "of two interfaces with the same binding, the client uses the second", {
    saw: first.on.url,
    want: preferred,
    at: first.exchange,
  });
}

export const atItsAddress = situationCheck("BIND-007", {
  in: ["send", "task", "card-elsewhere"],
  judge(seen) {
    const [stray] = strayCalls(seen);
    const calls = callsOf(seen.requests);
    if (stray && !calls.length)
      return broken("the client calls an address that the card does not list", {
        saw: brief(stray.exchange.http.request.url),
        want: seen.agent.interfaces[0]?.url ?? "the url of an interface",
        at: stray.exchange,
      });
    return calls.length ? holds(undefined, calls[0]!.exchange) : undefined;
  },
});

export const triesAnother = situationCheck("BIND-008", {
  in: ["dead-interface"],
  judge(seen) {
    const dead = seen.agent.interfaces[0];
    if (!dead) return undefined;
    if (!seen.speaks.some(({ binding, dialect }) => dialect === dead.dialect && binding !== dead.binding))
      return notExamined("not-triggered", "the client supports only one binding");
    const [chosen] = callsOf(seen.inControl ?? []);
    // A client that prefers another binding, or the port of the card, never calls the dead interface.
    if (chosen?.on.binding !== dead.binding)
      return notExamined("not-triggered", `the client does not choose ${bindingName(dead.binding)} when it is first`);
    const [call] = callsOf(seen.requests);
    if (call) return holds(undefined, call.exchange);
    return broken("the client gives up if the first interface is unreachable", {
      saw: "no call to an interface of another binding",
      want: "a call to the next interface that the client supports",
      at: seen.requests.map(({ exchange }) => exchange),
    });
  },
});

export const inVersionOfInterface = situationCheck("VER-015", {
  in: ["two-versions"],
  judge(seen) {
    const calls = callsOf(seen.requests);
    const wrong = calls.find(
      ({ on, operation }) =>
        operation === undefined ||
        !seen.speaks.some((each) => each.dialect === on.dialect && each.binding === on.binding),
    );
    if (wrong)
      return broken("the client calls an interface of a version that it does not speak", {
        saw: `${brief(wrong.method, 60)} at an interface of ${wrong.on.dialect}`,
        want: "the interface of 1.0",
        at: wrong.exchange,
      });
    return calls.length ? holds(undefined, calls[0]!.exchange) : undefined;
  },
});

export const noSilentFallback = situationCheck("VER-016", {
  in: ["older-only"],
  judge(seen) {
    const calls = callsOf(seen.requests);
    if (!calls.length) return holds();
    // A call of 1.0 at the interface of 0.3 does not fall back. VER-015 judges such a client.
    const call = calls.find(({ operation }) => operation !== undefined);
    if (!call)
      return notExamined("not-triggered", "the client calls the interface of 0.3 with requests of another version");
    const isBilingual = seen.speaks.some(({ dialect }) => dialect === "0.3");
    return broken(
      `asked for 1.0 only (ASSAY_VERSION), the client calls a 0.3 interface${isBilingual ? "; if the command ignores ASSAY_VERSION, this says nothing about the client" : ""}`,
      {
        saw: brief(call.method, 60),
        want: "an error, and no call",
        at: call.exchange,
        remedy:
          "Let the command pass ASSAY_VERSION to the client, or decline this situation (exit code 75). If the client gets it, report that the card does not offer the version.",
      },
    );
  },
});

/** Limits the retries before a client counts as endless. */
const mostTries = 5;

export const takesNo = situationCheck("VER-018", {
  in: ["version-refused"],
  judge(seen) {
    const calls = callsOf(seen.requests);
    if (!calls.length) return undefined;
    const at = calls.slice(0, 3).map(({ exchange }) => exchange);
    if (calls.length > mostTries)
      return broken(`the client sends a request whose version is refused ${calls.length} times`, {
        saw: `${calls.length} calls`,
        want: "one, or one for each interface",
        at,
      });
    if (seen.runs.length && !tells(seen))
      return broken("the client does not report that its version is refused", {
        saw: "exit code 0, and no error in the output",
        want: "an error",
        at,
      });
    return holds(undefined, at);
  },
});

export const staysAway = situationCheck("EXT-016", {
  in: ["required-extension"],
  // The content of calls is judged wherever they are made.
  judge: (seen) => (callsOf(seen.requests).length ? undefined : holds()),
});

export const offByDefault = situationCheck("EXT-019", {
  in: ["send"],
  judge(seen) {
    const calls = callsOf(seen.requests);
    const asking = calls.find((call) =>
      [extensionsHeader, olderExtensionsHeader].some((name) => fieldsNamed(call, name).some(Boolean)),
    );
    if (asking)
      return broken("the client requests an extension that was not enabled", {
        saw: brief(fieldsNamed(asking, extensionsHeader).join(", ")),
        want: "no A2A-Extensions",
        at: asking.exchange,
      });
    return calls.length ? holds(undefined, calls[0]!.exchange) : undefined;
  },
});

export const asksForAll = situationCheck("EXT-004", {
  in: ["extensions"],
  judge(seen) {
    const [call] = callsOf(seen.requests);
    if (call?.on.dialect !== "1.0") return undefined;
    const asked = fieldsNamed(call, extensionsHeader).flatMap((value) => value.split(",").map((uri) => uri.trim()));
    if (!asked.length && !fieldsNamed(call, olderExtensionsHeader).length)
      return notExamined(
        "not-triggered",
        "the client does not request the extensions in ASSAY_EXTENSIONS; a client may decline if it knows none",
      );
    const missing = seen.agent.extensions.find(({ uri }) => !asked.includes(uri));
    if (!(missing && asked.length)) return undefined;
    return broken("the client requests only one of two extensions", {
      saw: brief(asked.join(", ")),
      want: missing.uri,
      at: call.exchange,
    });
  },
});

const streams = ({ operation }: ClientCall): boolean => operation !== undefined && isStreaming(operation);

export const looksBefore = situationCheck("CAP-001", {
  in: ["no-streaming"],
  judge(seen) {
    const calls = callsOf(seen.requests);
    // A call is judged where it is made. A client that never streams has no need to look at the card.
    if (calls.some(streams) || !callsOf(seen.inControl ?? []).some(streams)) return undefined;
    return holds(calls.length ? "the client sends the message without a stream" : undefined);
  },
});

/** Checks that the client reads a list to its end, with the given tokens. */
export const readsOn = situationCheck("LIST-025", {
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

export const encodesQueries = situationCheck("REST-025", {
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
    return broken("the client changes a page token", {
      saw: brief(came ?? second.exchange.http.request.url),
      want: brief(given),
      at: [first.exchange, second.exchange],
    });
  },
});
