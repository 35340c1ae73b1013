import { errorTable, isObject, type JsonValue, lintCard } from "@assay/protocol";
import type { BlameCode, BlameReason } from "../document/blame.ts";
import type { ExchangeBreach, MatrixExchange } from "../document/evidence.ts";
import { differingIn, outOfRange, protoNameIn } from "./differing.ts";
import { placeOf } from "./place.ts";
import { otherAnswers, otherUnderstandings } from "./readings.ts";
import { requestAsWritten, requestOnWire } from "./request-on-wire.ts";
import { ambiguitiesOf, isMust, ruleCited } from "./rule-cited.ts";
import { brokenBy, cardIn, errorEventIn, failuresOf, grpcStatusOf, isCardFetch, type SeenCell } from "./seen.ts";

/** Whose fault it is, as far as one way of looking at it tells. */
export interface Known {
  readonly code: BlameCode;
  /** what tells this cause from others of the same kind and party */
  readonly about: string;
  readonly title: string;
  readonly explanation: string;
  readonly reasons: readonly BlameReason[];
  readonly ambiguity?: string;
}

/** One way of looking at a failed cell; undefined where it shows nothing. */
export type Way = (seen: SeenCell) => Known | undefined;

/** A driver that died took its cells with it. */
export const programEnded: Way = ({ cell: { stderr }, failure }) => {
  const side = stderr?.server === undefined ? "client" : "server";
  const said = stderr?.[side];
  if (said === undefined) return undefined;
  return {
    code: `${side}-ended`,
    about: "ended",
    title: `the ${side} program ends while it is at work`,
    explanation: `The program of the ${side} ended while the scenario ran: ${failure.message}`,
    reasons: [
      { says: said.trim() === "" ? "it wrote nothing to stderr" : `the last lines of its stderr: ${lastLines(said)}` },
    ],
  };
};

export const driverRefused: Way = ({ step }) => {
  const error = step?.answer?.error;
  if (error?.kind !== "driver") return undefined;
  return {
    code: "driver-refused",
    about: `driver/${step?.op}`,
    title: `the driver does not take ${step?.op}`,
    explanation: `The driver around the client did not take the request, so nothing is known of the SDK: ${error.message}`,
    reasons: [{ says: `the driver says: ${error.message}` }],
  };
};

/** Nothing left the client for this step: because of the card, or by its own doing. */
export const nothingSent: Way = (seen) => {
  const { own, step, failure, operation } = seen;
  if (step?.op === "card" || own.some((each) => !isCardFetch(each))) return undefined;
  if (failure.code !== "not-sent" && failure.onTheWire !== "unseen") return undefined;
  const fetched = seen.evidence.filter(isCardFetch);
  const card = fetched.findLast((each) => cardIn(each));
  // The seal knows the card where the server has one.
  if (!card && fetched.length) return withoutCard(fetched.at(-1)!, seen.cell.seal.card !== undefined);
  return (
    (card && (brokenCard(seen, card) ?? notOffered(seen, card))) ?? {
      code: "not-sent",
      about: `not-sent/${operation}`,
      title: `${operation} is never sent`,
      explanation: `The program asked for ${operation}; no request for it left the client${card ? ", although it had read the card, which offers it" : ""}. ${surfacedText(seen)}`,
      reasons: [
        {
          says: `no request for ${operation} crossed the wire${card ? "; the last thing that did is the card" : ""}`,
          ...(card && { exchange: card.id }),
        },
      ],
    }
  );
};

/** The card was asked for, and none came. `hasCard`: the server has one, at the place that the specification gives it. */
export function withoutCard(fetch: MatrixExchange, hasCard: boolean): Known {
  const { url } = fetch.entry.request;
  const { status, _error } = fetch.entry.response;
  const got = status === 0 ? (_error ?? "no answer") : `HTTP ${status}`;
  const isUsual = new URL(url).pathname.endsWith("/.well-known/agent-card.json");
  if (hasCard && !isUsual)
    return {
      code: "sent-elsewhere",
      about: "card",
      title: `the card is looked for at ${new URL(url).pathname}`,
      explanation: `The client asked for the card at a place where no version of the protocol that was to be spoken has one (${got}), and went no further.`,
      reasons: [{ says: `GET ${new URL(url).pathname} is answered with ${got}`, exchange: fetch.id }],
    };
  return {
    code: "no-card",
    about: "card",
    title: "the card cannot be read",
    explanation: `The client asked for the card where the specification has it, and got none (${got}). Without it a client knows no address.`,
    reasons: [{ says: `GET ${new URL(url).pathname} is answered with ${got}`, exchange: fetch.id }],
  };
}

function brokenCard({ cell, step, failure }: SeenCell, fetch: MatrixExchange): Known | undefined {
  // A client that could read it did not stumble over it; the card itself may be what the scenario is about.
  const isAbout = step?.op === "card";
  if (isAbout ? failure.onTheWire === "holds" : step?.answer?.error === undefined) return undefined;
  return cardBreaksRule(fetch, cell.version, isAbout ? "" : ", and this one did: it sent nothing after it");
}

/** What is wrong with a card, beyond doubt; undefined where nothing is. */
export function cardBreaksRule(
  fetch: MatrixExchange,
  version: SeenCell["cell"]["version"],
  consequence: string,
): Known | undefined {
  const faults = lintCard(cardIn(fetch)).filter(({ level, rule }) => level === "error" && rule !== undefined);
  const [first] = faults;
  if (!first) return undefined;
  return {
    code: "card-breaks-rule",
    about: "card",
    title: `the card breaks the specification: ${first.message}`,
    explanation: `The card of the server breaks ${faults.length === 1 ? "a rule" : `${faults.length} rules`} about cards (${first.message}). A client may refuse such a card${consequence}.`,
    reasons: faults.slice(0, 5).map(({ message, path, rule }) => ({
      says: message,
      exchange: fetch.id,
      at: { answer: { path } },
      ...citing(rule!, version),
    })),
  };
}

const capabilities: Readonly<Record<string, readonly [flag: string, name: string]>> = {
  stream: ["streaming", "streaming"],
  subscribe: ["streaming", "streaming"],
  "push.create": ["pushNotifications", "push notifications"],
  "push.get": ["pushNotifications", "push notifications"],
  "push.list": ["pushNotifications", "push notifications"],
  "push.delete": ["pushNotifications", "push notifications"],
};

function notOffered({ step, failure, operation }: SeenCell, fetch: MatrixExchange): Known | undefined {
  const [flag, name] = capabilities[step?.op ?? ""] ?? [];
  const declared = cardIn(fetch)?.["capabilities"];
  if (flag === undefined || (isObject(declared) && declared[flag] === true)) return undefined;
  const at = { exchange: fetch.id, at: { answer: { path: `$.capabilities.${flag}` } } };
  const says = `the card does not say capabilities.${flag}: true`;
  const wantsRefusal = ["no-error", "other-error", "error-not-surfaced"].includes(failure.code);
  return wantsRefusal
    ? {
        code: "refused-by-itself",
        about: `refused/${operation}`,
        title: `${operation} is refused by the client itself`,
        explanation: `The card offers no ${name}, and the client refused ${operation} without asking the server. The scenario wants to see the server refuse it. No text forbids either, so neither side is at fault.`,
        reasons: [{ says, ...at }],
      }
    : {
        code: "not-offered",
        about: `not-offered/${flag}`,
        title: `the card does not offer ${name}`,
        explanation: `The scenario needs ${name}. The card of the server does not offer it, and the client rightly did not ask for it.`,
        reasons: [{ says, ...at }],
      };
}

export const sentElsewhere: Way = ({ failure, judged, own, operation }) => {
  if (failure.code !== "other-interface") return undefined;
  const sent = judged ?? own.findLast((each) => !isCardFetch(each));
  if (!sent) return undefined;
  const { method, url } = sent.entry.request;
  return {
    code: "sent-elsewhere",
    about: `elsewhere/${operation}`,
    title: `${operation} goes to an interface that the card does not offer`,
    explanation: `The card offers one interface, and the client spoke another: ${failure.message}.`,
    reasons: [{ says: `${method} ${url} is on no interface of the card`, exchange: sent.id }],
  };
};

/** A request that breaks a rule may be answered with anything. */
export const requestBreaksRule: Way = (seen) => {
  const { cell, failure, judged, operation } = seen;
  if (!judged || failure.onTheWire === "holds") return undefined;
  const [ofClient, ofServer] = [failuresOf(judged, "client"), failuresOf(judged, "server")];
  const [first] = ofClient;
  if (!first) return undefined;
  const reasons = [...ofClient, ...ofServer].map((each) => broken(each, judged, cell.version));
  const [answer] = ofServer;
  // A request that was served was not refused for the rule: what it leaves out is nearer.
  if (!answer && failure.code === "answer" && requestDiffers(seen)) return undefined;
  return answer
    ? {
        code: "both-break-rules",
        about: `${first.rule}+${answer.rule}`,
        title: `${operation}: ${first.message}; in the answer ${answer.message}`,
        explanation: `Both sides break a rule in the same exchange. The request: ${first.message}. The answer: ${answer.message}.`,
        reasons,
      }
    : {
        code: "request-breaks-rule",
        about: first.rule,
        title: titled(operation, first.message),
        explanation: `The request breaks a rule about clients: ${first.message}. What a server makes of such a request is not held against it; here the scenario failed on it (${failure.message}).`,
        reasons,
      };
};

/** What the program asked for is not what was sent, in this step or in one that it rests on. */
export const requestDiffers: Way = ({ cell, failure, evidence }) => {
  if (failure.onTheWire === "holds") return undefined;
  for (const { op, params, exchanges } of cell.steps) {
    const sent = evidence.findLast(({ id, operation }) => operation !== undefined && exchanges.includes(id));
    const written = sent && requestOnWire(sent);
    const found = params && written && differingIn(params, written);
    if (!found) continue;
    const { path, asked, written: instead } = found;
    const name = path.slice(2);
    const differs =
      instead === undefined ? `${name} is not in the request` : `${name} is ${shown(instead)} in the request`;
    return {
      code: "request-differs",
      about: `differs/${sent.operation}/${anyIndex(name)}`,
      title: `${sent.operation}: ${name} is ${instead === undefined ? "left out" : "changed"} by the client`,
      explanation: `The program asked the client for ${name}: ${shown(asked)}; ${differs} that crossed the wire. The server could only answer what it was asked${op === cell.steps.at(-1)?.op ? "" : `, and a later step failed on that (${failure.message})`}.`,
      reasons: [
        {
          says: `asked for: ${name} = ${shown(asked)}; ${differs}`,
          exchange: sent.id,
          at: { request: sent.interface?.binding === "JSONRPC" ? `$.params.${name}` : path },
        },
      ],
    };
  }
  return undefined;
};

/** The client says something that it was not asked for and that no text allows, and is refused for what it says. */
export const requestOutOfRange: Way = ({ step, judged, operation, failure }) => {
  const written = judged && requestOnWire(judged);
  const found = written && outOfRange(step?.params ?? {}, written);
  if (!found || failure.onTheWire !== "fails" || !isInvalid(judged)) return undefined;
  const { name, value } = found;
  return {
    code: "request-differs",
    about: `differs/${operation}/${name}`,
    title: `${operation}: ${name}: ${value} is added by the client`,
    explanation: `The program asked for nothing about ${name}. The request says ${name}: ${value}, which is out of the range that the specification gives, and the server refused it as invalid.`,
    reasons: [
      {
        says: `${name} is ${value} in the request, and was not asked for`,
        exchange: judged.id,
        at: { request: judged.interface?.binding === "JSONRPC" ? `$.params.${name}` : `$.${name}` },
      },
    ],
  };
};

/** 0.3 over HTTP+JSON: the JSON has its own names (§3.2.2: `json_name`), and a request with those of the proto is refused. */
export const requestNamesOtherwise: Way = ({ judged, failure, evidence }) => {
  if (judged?.interface?.binding !== "HTTP+JSON" || judged.interface.dialect === "1.0") return undefined;
  const path = protoNameIn(requestAsWritten(judged) ?? {});
  if (path === undefined || failure.onTheWire !== "fails" || !isInvalid(judged)) return undefined;
  // A server that took such a request before knows the names, and refuses this one for something else.
  if (evidence.some((each) => isTaken(each) && protoNameIn(requestAsWritten(each) ?? {}) === path)) return undefined;
  return {
    code: "request-differs",
    about: "differs/names",
    title: "members of a request have the names of the proto, and not those of its JSON",
    explanation: `The request says ${path.slice(2)}. That is the name in the proto; in JSON the member has the name that its json_name gives, and so it stands in the text (§3.2.2, §7.1). Some servers read both; this one takes the member for missing, and nothing obliges it to know the other name (${failure.message}).`,
    reasons: [{ says: `${path.slice(2)} is the name in the proto`, exchange: judged.id, at: { request: path } }],
  };
};

const isTaken = (exchange: MatrixExchange): boolean =>
  exchange.entry.response.status < 300 && errorEventIn(exchange) === undefined;

/** Refused for what the request says: -32602, INVALID_ARGUMENT, or 400, as a status or in a stream. */
function isInvalid(exchange: MatrixExchange): boolean {
  const { response } = exchange.entry;
  if (exchange.interface?.binding === "GRPC") return grpcStatusOf(exchange) === "3";
  if (exchange.interface?.binding === "JSONRPC") return codeWritten(response.content.text) === -32602;
  return response.status === 400 || codeWritten(errorEventIn(exchange) ?? "") === 400;
}

/** A stream that ended by itself was not left: the task was over before the client came back to it. */
export const cameTooLate: Way = ({ cell, failure, step, operation, evidence, judged }) => {
  if (step?.op !== "subscribe" || failure.code !== "unexpected-error" || failure.onTheWire !== "fails")
    return undefined;
  const earlier = cell.steps.slice(0, cell.steps.indexOf(step)).findLast(({ op }) => op === "stream");
  const stream = evidence.findLast((each) => each.operation !== undefined && earlier?.exchanges.includes(each.id));
  if (!earlier || !stream || !judged || stream.entry.response._error !== undefined) return undefined;
  const given = earlier.answer?.events?.length ?? 0;
  const came = stream.entry.response._arrivals?.length ?? 0;
  const reasons = [
    {
      says: `the stream came to its end after ${came} events; the program had left it after ${given}`,
      exchange: stream.id,
    },
    { says: "the task had ended when it was subscribed to, and the server says so", exchange: judged.id },
  ];
  return given < came
    ? {
        code: "kept-reading",
        about: "kept-reading",
        title: "a stream that the program leaves is read to its end",
        explanation: `The program left the stream after ${given} events. The client did not hang up: all ${came} events crossed the wire, and the server closed the stream at its end. When the client came back, the task was over, and the server rightly refused ${operation}.`,
        reasons,
      }
    : {
        code: "ended-meanwhile",
        about: `ended/${operation}`,
        title: `${operation}: the task has ended by then`,
        explanation: `The stream came to its end before the program could leave it, and the server rightly refused ${operation} for a task that is over. Neither side is at fault.`,
        reasons,
      };
};

const ofServer = new Set(["connect-refused", "unreachable", "closed-at-once", "reset", "closed-early", "malformed"]);
/** So long a request lay there before nothing coming is held against a server. */
const longEnough = 10_000;

/** No whole answer came. */
export const notAnswered: Way = ({ judged, failure, operation, evidence, step }) => {
  const code = judged && brokenBy(judged);
  if (!judged || code === undefined || failure.onTheWire === "holds") return undefined;
  const { entry, id } = judged;
  const why = entry.response._error!.slice(code.length + 2);
  if (ofServer.has(code))
    return {
      code: "connection-broken",
      about: `${code}/${operation}`,
      title: `${operation}: the connection breaks before the answer is whole`,
      explanation: `The request was passed on to the server, and no whole answer came: ${why}.`,
      reasons: [{ says: why, exchange: id }],
    };
  if (code !== "aborted") return undefined;
  const seconds = Math.round(entry.time / 1000);
  const isAlive = evidence.some((each) => each !== judged && each.entry.response.status > 0);
  if (entry.response.status === 0 && entry.time >= longEnough && isAlive)
    return {
      code: "no-answer",
      about: `no-answer/${operation}`,
      title: `${operation} is never answered`,
      explanation: `The request lay at the server for ${seconds} s and not one byte came back, while the server answered others.`,
      reasons: [{ says: `nothing came within ${seconds} s`, exchange: id }],
    };
  // What the server breaks in what it did send is told by its own way.
  if (failuresOf(judged, "server").length) return undefined;
  return {
    code: "gave-up",
    about: `gave-up/${operation}`,
    title: `${operation} is given up after ${seconds} s`,
    explanation: `The answer was not whole after ${seconds} s, when the client's side hung up. ${step?.answer?.error ? `What had come breaks no rule that we know, and why the client hung up, only its own words tell, so neither side is blamed: ${step.answer.error.message}` : "That something takes long is no fault, so neither side is blamed."}`,
    reasons: [{ says: `the client's side hung up after ${seconds} s`, exchange: id }],
  };
};

/** The wire is right, and what the program got is not. */
export const surfacedOtherwise: Way = (seen) => {
  const { failure, judged, operation, step } = seen;
  if (failure.onTheWire !== "holds") return undefined;
  const error = step?.answer?.error;
  const unread = judged && error && error.kind !== "protocol" ? notRead(seen, judged, error.message) : undefined;
  if (unread) return unread;
  const open = judged && (errorInStream(seen, judged) ?? twoReadings(seen, judged));
  if (open) return open;
  const written = judged && codeWritten(judged.entry.response.content.text);
  if (judged && failure.code === "other-error" && written !== undefined && error && tells(error, written))
    return {
      code: "told-as-written",
      about: `told/${operation}`,
      title: `${operation}: ${failure.message}`,
      explanation: `The client gave its program the error that the server wrote (${written}). By its status the answer can be taken for the one that is expected, and no text of this version says which error such an answer names over this binding, so neither side is blamed: ${failure.message}.`,
      reasons: [
        { says: `the answer has the code ${written}, and so has the error of the client`, exchange: judged.id },
      ],
    };
  return {
    code: "surfaced-otherwise",
    about: `surfaced/${operation}/${failure.code}/${aboutOf(seen)}`,
    title: `${operation}: ${surfacedTitle(seen)}`,
    explanation: `The answer that crossed the wire is right${failure.wire === undefined ? "" : ` (${failure.wire})`}. What the client gave to its program is not: ${failure.message}. ${surfacedText(seen)}`,
    reasons: [
      {
        says: `on the wire: ${failure.wire ?? "as expected"}; to the program: ${failure.actual ?? failure.message}`,
        ...(judged && { exchange: judged.id, ...at(placeOf(failure, judged)) }),
      },
    ],
  };
};

/** Rules about the label of an answer: what it labels can be read all the same. */
const labels = new Set(["JSONRPC-002", "V03-REST-002"]);

/** An answer that breaks a rule need not be understood. */
function notRead({ cell, operation }: SeenCell, judged: MatrixExchange, told: string): Known | undefined {
  const faults = failuresOf(judged, "server");
  const fault = faults.find(({ rule }) => !labels.has(rule)) ?? faults[0];
  if (!fault) return undefined;
  const reasons = [broken(fault, judged, cell.version)];
  return labels.has(fault.rule)
    ? {
        code: "label-wrong",
        about: `label/${cell.server}`,
        title: `${operation}: ${fault.message}, and the client does not read it`,
        explanation: `The answer has a wrong label (${fault.message}), for which a client may refuse it. What stands in it is right. Whether the client stumbled over the label or over something else, only its own words can tell, so neither side is blamed: ${told}`,
        reasons,
      }
    : {
        code: "answer-breaks-rule",
        about: fault.rule,
        title: titled(operation, fault.message),
        explanation: `The answer breaks a rule about servers (${fault.message}), and the client could not read it: ${told}`,
        reasons,
      };
}

/**
 * A stream over HTTP+JSON that is refused with an event: an error has its own HTTP status (REST-034). A client need not
 * understand it; one that takes it for an event like others has its part.
 */
function errorInStream({ cell, failure, operation }: SeenCell, judged: MatrixExchange): Known | undefined {
  if (errorEventIn(judged) === undefined) return undefined;
  const refused = `${operation} is refused with HTTP 200 and an error in the stream`;
  const reasons: BlameReason[] = [
    {
      says: refused,
      exchange: judged.id,
      at: { answer: { event: 0 } },
      ...citing("REST-034", cell.version),
      party: "server",
    },
  ];
  if (failure.code !== "no-error")
    return {
      code: "answer-breaks-rule",
      about: "REST-034",
      title: refused,
      explanation: `A request for a stream that fails before its first event is answered with the HTTP status of the error. This one is answered with 200 and a stream whose first event is the error, which is no event that the specification has; the client cannot be held to understand it (${failure.message}).`,
      reasons,
    };
  const swallowed = `the error in the stream of ${operation} is passed over: the program gets no error`;
  return {
    code: "both-break-rules",
    about: "REST-034+no-error",
    title: `${refused}; the client passes over it`,
    explanation: `A request for a stream that fails before its first event is answered with the HTTP status of the error; the server answers with 200 and a stream whose first event is the error. The client reads an event that is none of those that the specification has, and its program gets no error.`,
    reasons: [...reasons, { says: swallowed, exchange: judged.id, at: { answer: { event: 0 } }, party: "client" }],
  };
}

/** The wire is already wrong, and the request gave no reason for that. */
export const answerWrong: Way = (seen) => {
  const { cell, failure, judged, operation, step } = seen;
  if (failure.onTheWire !== "fails" || !judged) return undefined;
  const card = step?.op === "card" ? brokenCard(seen, judged) : undefined;
  if (card) return card;
  const [fault] = failuresOf(judged, "server");
  if (fault)
    return {
      code: "answer-breaks-rule",
      about: fault.rule,
      title: titled(operation, fault.message),
      explanation: `The request breaks no rule and says what the program asked for. The answer breaks a rule about servers: ${fault.message}.`,
      reasons: failuresOf(judged, "server").map((each) => broken(each, judged, cell.version)),
    };
  return twoReadings(seen, judged) ?? answerDiffers(seen, judged);
};

/** The checks of any traffic allow by a lenient reading what the scenario does not, or both sides are right by themselves. */
function twoReadings(seen: SeenCell, judged: MatrixExchange): Known | undefined {
  const { cell, failure, operation } = seen;
  const isRight = failure.onTheWire === "holds";
  const lenient = judged.breaches.find(
    ({ party, severity, rule }) =>
      !isRight &&
      party === "server" &&
      severity === "warning" &&
      isMust(rule, cell.version) &&
      ambiguitiesOf(rule, cell.version).length > 0,
  );
  const known = (isRight ? otherUnderstandings : otherAnswers).find((each) => each.fits(seen, judged));
  const ambiguity = known?.ambiguity ?? (lenient && ambiguitiesOf(lenient.rule, cell.version)[0]);
  const says = known?.says ?? lenient?.message;
  if (ambiguity === undefined || says === undefined) return undefined;
  return {
    code: "two-readings",
    about: ambiguity,
    title: known ? says : `${operation}: ${says}`,
    explanation: `The scenario expects one reading of the specification (${failure.message}), and its text allows another: ${says}. Neither side is at fault; ${ambiguity} of our list of unclear places tells the readings.`,
    reasons: [lenient && !known ? broken(lenient, judged, cell.version) : { says, exchange: judged.id }],
    ambiguity,
  };
}

function answerDiffers({ cell, failure, operation }: SeenCell, judged: MatrixExchange): Known {
  return {
    code: "answer-differs",
    about: [...differingWhere(cell.scenario, operation, failure), failure.code, failure.path ?? ""]
      .map(anyIndex)
      .filter((each) => each !== "")
      .join("/"),
    title: `${operation}: ${failure.message}`,
    explanation: `The request breaks no rule and says what the program asked for. The answer that crossed the wire is well formed, and not the one that this operation has in this situation: ${failure.message}. What can be judged on any exchange breaks no rule. What the skill does is written once for all servers, so the difference is made by the SDK or by the program on top of it.`,
    reasons: [{ says: failure.message, exchange: judged.id, ...at(placeOf(failure, judged)) }],
  };
}

/** A wrong error is one fault wherever it is met, and so is a method that is refused; what a message brings about depends on what it says. */
function differingWhere(
  scenario: string,
  operation: string,
  { code, expected = "" }: SeenCell["failure"],
): readonly string[] {
  if (code === "other-error" || code === "no-error") return [operation, /^\w*/.exec(expected)![0]];
  const isMessage = /^Send(?:Streaming)?Message$/.test(operation);
  return code === "unexpected-error" && !isMessage ? [operation] : [operation, scenario];
}

/** Nothing that was recorded decides it: said so, rather than guessed. */
export const notShown = ({ cell, failure, judged }: SeenCell): Known => ({
  code: "not-shown",
  about: `${cell.server}/${cell.scenario}/${failure.step}`,
  title: failure.message,
  explanation: `What was recorded does not show whose fault this is: ${failure.message}.`,
  reasons: judged ? [{ says: failure.message, exchange: judged.id }] : [],
});

/** Some messages begin with the operation themselves. */
const titled = (operation: string, message: string): string =>
  message.startsWith(operation) ? message : `${operation}: ${message}`;

const broken = (
  { rule, message, party }: ExchangeBreach,
  { id }: MatrixExchange,
  version: SeenCell["cell"]["version"],
): BlameReason => ({ says: message, exchange: id, ...citing(rule, version), party });

function citing(rule: string, version: SeenCell["cell"]["version"]): Pick<BlameReason, "rule"> {
  const cited = ruleCited(rule, version);
  return cited ? { rule: cited } : {};
}

const at = (answer: ReturnType<typeof placeOf>): Pick<BlameReason, "at"> => (answer ? { at: { answer } } : {});

/** What the program got instead, in a sentence. */
function surfacedText({ step }: SeenCell): string {
  const answer = step?.answer;
  const events = answer?.events?.length ?? 0;
  if (!answer || answer.late)
    return `The program got ${events ? `${events} events, and not the end of the stream,` : "nothing"} until its time was over.`;
  const { error } = answer;
  if (error) return `The program got an error${named(error)}: ${error.message}`;
  return answer.events ? `The program got ${events} events.` : "The program got a result.";
}

const named = ({ type, code }: NonNullable<CellStepError>): string => {
  const words = [type, code].filter((each) => each !== undefined).join(" ");
  return words === "" ? "" : ` (${words})`;
};

type CellStepError = NonNullable<NonNullable<SeenCell["step"]>["answer"]>["error"];

function surfacedTitle({ failure, step }: SeenCell): string {
  const error = step?.answer?.error;
  if (failure.code === "late")
    return step?.answer?.events?.length
      ? "the end of a stream is not told to the program"
      : "a whole answer is not given to the program";
  if (failure.code === "unexpected-error" && error) return `a right answer becomes ${error.type ?? "an error"}`;
  if (failure.code === "error-not-surfaced") return "an error of the agent is not surfaced as that";
  return `the program gets something else than the answer: ${failure.message}`;
}

/** What of an answer is surfaced otherwise: the place, the error that it becomes, or what is missed. */
const aboutOf = ({ failure: { path, expected, code }, step }: SeenCell): string =>
  path !== undefined
    ? anyIndex(path)
    : code === "unexpected-error"
      ? (step?.answer?.error?.type ?? "")
      : (expected ?? "");

/** The number of an error where it stands in the body, in whatever form. */
function codeWritten(body: string): number | undefined {
  const code = /"code"\s*:\s*(-?\d+)/.exec(body)?.[1];
  return code === undefined ? undefined : Number(code);
}

/** Whether an error of a client says, by number or by name, the number that a server wrote. */
function tells({ type = "", code }: NonNullable<CellStepError>, written: number): boolean {
  const plain = (text: string): string => text.replaceAll(/[^a-z]/gi, "").toLowerCase();
  const names = Object.entries(errorTable).flatMap(([name, row]) => (row.code === written ? [plain(name)] : []));
  return code === written || names.some((name) => plain(type).includes(name));
}

/** `events[3].status` and `events[5].status` are the same place. */
const anyIndex = (path: string): string => path.replaceAll(/\[\d+\]/g, "[*]");

const shown = (value: JsonValue): string => {
  const text = JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
};

const lastLines = (text: string): string => text.trim().split("\n").slice(-3).join(" / ").slice(-400);
