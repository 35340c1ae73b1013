import type { MatrixExchange } from "../document/evidence.ts";
import { brokenCard, notOffered, withoutCard } from "./card-rules.ts";
import { differingIn, outOfRange, protoNameIn } from "./differing.ts";
import { anyIndex, type BlameRule, broken, isInvalid, shown, surfacedText, titled } from "./finding.ts";
import { requestAsWritten, requestOnWire } from "./request-on-wire.ts";
import { cardIn, errorEventIn, failuresOf, isCardFetch } from "./seen.ts";

/** The client sent nothing for this step: because of the card, or by its own decision. */
export const nothingSent: BlameRule = (seen) => {
  const { own, step, failure, operation } = seen;
  if (step?.op === "card" || own.some((each) => !isCardFetch(each))) return undefined;
  if (failure.code !== "not-sent" && failure.onTheWire !== "unseen") return undefined;
  const fetched = seen.evidence.filter(isCardFetch);
  const card = fetched.findLast((each) => cardIn(each));
  // The seal has the card if the server has one.
  if (!card && fetched.length) return withoutCard(fetched.at(-1)!, seen.cell.seal.card !== undefined);
  return (
    (card && (brokenCard(seen, card) ?? notOffered(seen, card))) ?? {
      code: "not-sent",
      about: `not-sent/${operation}`,
      title: `${operation} is never sent`,
      explanation: `The program asked for ${operation}, but the client sent no request for it${card ? ", although it had read the card, which declares it" : ""}. ${surfacedText(seen)}`,
      reasons: [
        {
          says: `no request for ${operation} was recorded${card ? "; the card is the last recorded exchange" : ""}`,
          ...(card && { exchange: card.id }),
        },
      ],
    }
  );
};

export const sentElsewhere: BlameRule = ({ failure, judged, own, operation }) => {
  if (failure.code !== "other-interface") return undefined;
  const sent = judged ?? own.findLast((each) => !isCardFetch(each));
  if (!sent) return undefined;
  const { method, url } = sent.entry.request;
  return {
    code: "sent-elsewhere",
    about: `elsewhere/${operation}`,
    title: `${operation} goes to an interface that the card does not declare`,
    explanation: `The card declares one interface, and the client used another: ${failure.message}.`,
    reasons: [{ says: `${method} ${url} is on no interface of the card`, exchange: sent.id }],
  };
};

/** A request that breaks a rule may get any response. */
export const requestBreaksRule: BlameRule = (seen) => {
  const { cell, failure, judged, operation } = seen;
  if (!judged || failure.onTheWire === "holds") return undefined;
  const [ofClient, ofServer] = [failuresOf(judged, "client"), failuresOf(judged, "server")];
  const [first] = ofClient;
  if (!first) return undefined;
  const reasons = [...ofClient, ...ofServer].map((each) => broken(each, judged, cell.version));
  const [answer] = ofServer;
  // A request that was served was not rejected for the rule: its omission is the nearer cause.
  if (!answer && failure.code === "answer" && requestDiffers(seen)) return undefined;
  return answer
    ? {
        code: "both-break-rules",
        about: `${first.rule}+${answer.rule}`,
        title: `${operation}: ${first.message}; in the response ${answer.message}`,
        explanation: `Both sides break a rule in the same exchange. The request: ${first.message}. The response: ${answer.message}.`,
        reasons,
      }
    : {
        code: "request-breaks-rule",
        about: first.rule,
        title: titled(operation, first.message),
        explanation: `The request breaks a rule about clients: ${first.message}. A server is not blamed for its response to such a request, on which the scenario failed (${failure.message}).`,
        reasons,
      };
};

/** The request differs from what the program asked for, in this step or in an earlier one it depends on. */
export const requestDiffers: BlameRule = ({ cell, failure, evidence }) => {
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
      title: `${sent.operation}: the client ${instead === undefined ? "omits" : "changes"} ${name}`,
      explanation: `The program asked the client for ${name}: ${shown(asked)}, but ${differs}. The server could only answer the request it received${op === cell.steps.at(-1)?.op ? "" : `, and a later step failed because of it (${failure.message})`}.`,
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

/** The client adds an invalid value that the program did not set, and is rejected for it. */
export const requestOutOfRange: BlameRule = ({ step, judged, operation, failure }) => {
  const written = judged && requestOnWire(judged);
  const found = written && outOfRange(step?.params ?? {}, written);
  if (!found || failure.onTheWire !== "fails" || !isInvalid(judged)) return undefined;
  const { name, value } = found;
  return {
    code: "request-differs",
    about: `differs/${operation}/${name}`,
    title: `${operation}: the client adds ${name}: ${value}`,
    explanation: `The program did not set ${name}. The request has ${name}: ${value}, which is outside the range in the specification, and the server rejected it as invalid.`,
    reasons: [
      {
        says: `${name} is ${value} in the request, but the program did not set it`,
        exchange: judged.id,
        at: { request: judged.interface?.binding === "JSONRPC" ? `$.params.${name}` : `$.${name}` },
      },
    ],
  };
};

/**
 * 0.3 over HTTP+JSON: JSON has its own names (§3.2.2: `json_name`), and a request with proto names is
 * rejected.
 */
export const requestNamesOtherwise: BlameRule = ({ judged, failure, evidence }) => {
  if (judged?.interface?.binding !== "HTTP+JSON" || judged.interface.dialect === "1.0") return undefined;
  const path = protoNameIn(requestAsWritten(judged) ?? {});
  if (path === undefined || failure.onTheWire !== "fails" || !isInvalid(judged)) return undefined;
  // A server that accepted such a request before knows the names, and rejects this one for another
  // reason.
  if (evidence.some((each) => isTaken(each) && protoNameIn(requestAsWritten(each) ?? {}) === path)) return undefined;
  return {
    code: "request-differs",
    about: "differs/names",
    title: "a request has member names from the proto instead of their JSON names",
    explanation: `The request has the member \`${path.slice(2)}\`, which is its name in the proto. In JSON, the member has its \`json_name\` (§3.2.2, §7.1). Some servers accept both names. This one treats the member as missing, and nothing requires it to accept the name in the proto (${failure.message}).`,
    reasons: [{ says: `${path.slice(2)} is the name in the proto`, exchange: judged.id, at: { request: path } }],
  };
};

const isTaken = (exchange: MatrixExchange): boolean =>
  exchange.entry.response.status < 300 && errorEventIn(exchange) === undefined;
