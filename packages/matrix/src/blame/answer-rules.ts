import type { BlameReason } from "../document/blame.ts";
import type { MatrixExchange } from "../document/evidence.ts";
import { brokenCard } from "./card-rules.ts";
import { anyIndex, at, type BlameFinding, type BlameRule, broken, citing, titled } from "./finding.ts";
import { placeOf } from "./place.ts";
import { isCrash, otherAnswers, otherUnderstandings } from "./readings.ts";
import { ambiguitiesOf, isMust } from "./rule-cited.ts";
import { brokenBy, errorEventIn, failuresOf, type SeenCell } from "./seen.ts";

/** The stream ended by itself: the task was over before the client came back to it. */
export const cameTooLate: BlameRule = ({ cell, failure, step, operation, evidence, judged }) => {
  if (step?.op !== "subscribe" || failure.code !== "unexpected-error" || failure.onTheWire !== "fails")
    return undefined;
  const earlier = cell.steps.slice(0, cell.steps.indexOf(step)).findLast(({ op }) => op === "stream");
  const stream = evidence.findLast((each) => each.operation !== undefined && earlier?.exchanges.includes(each.id));
  if (!earlier || !stream || !judged || stream.entry.response._error !== undefined) return undefined;
  const given = earlier.answer?.events?.length ?? 0;
  const came = stream.entry.response._arrivals?.length ?? 0;
  const reasons = [
    {
      says: `the stream ended after ${came} events; the program had left it after ${given}`,
      exchange: stream.id,
    },
    { says: "the task had ended before the subscription, and the server says so", exchange: judged.id },
  ];
  return given < came
    ? {
        code: "kept-reading",
        about: "kept-reading",
        title: "the client reads a stream to its end although the program left it",
        explanation: `The program left the stream after ${given} events. The client did not hang up: all ${came} events arrived, and the server closed the stream at its end. When the client came back, the task had ended, and the server correctly rejected ${operation}.`,
        reasons,
      }
    : {
        code: "ended-meanwhile",
        about: `ended/${operation}`,
        title: `${operation}: the task has ended by then`,
        explanation: `The stream ended before the program could leave it, and the server correctly rejected ${operation} for an ended task. Neither side is at fault.`,
        reasons,
      };
};

const ofServer = new Set(["connect-refused", "unreachable", "closed-at-once", "reset", "closed-early", "malformed"]);

/** Milliseconds that a request must be pending before a missing response counts against the server. */
const longEnough = 10_000;

/** No complete response came. */
export const notAnswered: BlameRule = ({ judged, failure, operation, evidence, step }) => {
  const code = judged && brokenBy(judged);
  if (!judged || code === undefined || failure.onTheWire === "holds") return undefined;
  const { entry, id } = judged;
  const why = entry.response._error!.slice(code.length + 2);
  if (ofServer.has(code))
    return {
      code: "connection-broken",
      about: `${code}/${operation}`,
      title: `${operation}: the connection breaks before the response is complete`,
      explanation: `The server received the request, but no complete response came: ${why}.`,
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
      explanation: `The server had the request for ${seconds} s and sent no byte, while it answered other requests.`,
      reasons: [{ says: `no response within ${seconds} s`, exchange: id }],
    };
  // Violations in what the server did send have their own rule.
  if (failuresOf(judged, "server").length) return undefined;
  return {
    code: "gave-up",
    about: `gave-up/${operation}`,
    title: `the client gives up ${operation} after ${seconds} s`,
    explanation: `The response was incomplete after ${seconds} s, when the client's side hung up. ${step?.answer?.error ? `The bytes so far break no known rule, and only the client's error explains why it hung up, so neither side is blamed: ${step.answer.error.message}` : "A slow response is not a failure, so neither side is blamed."}`,
    reasons: [{ says: `the client's side hung up after ${seconds} s`, exchange: id }],
  };
};

/** The wire is already wrong, and the request gives no reason for it. */
export const answerWrong: BlameRule = (seen) => {
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
      explanation: `The request breaks no rule and matches what the program asked for. The response breaks a rule about servers: ${fault.message}.`,
      reasons: failuresOf(judged, "server").map((each) => broken(each, judged, cell.version)),
    };
  return twoReadings(seen, judged) ?? answerDiffers(seen, judged);
};

/**
 * An HTTP+JSON stream is rejected with an event, although an error has its own HTTP status (REST-034). A
 * client need not understand it, but one that treats it as an ordinary event shares the fault.
 */
export function errorInStream(
  { cell, failure, operation }: SeenCell,
  judged: MatrixExchange,
): BlameFinding | undefined {
  if (errorEventIn(judged) === undefined) return undefined;
  const refused = `${operation} is rejected with HTTP 200 and an error in the stream`;
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
      explanation: `A streaming request that fails before its first event must be answered with the HTTP status of the error. This one is answered with 200 and a stream whose first event is the error. The specification has no such event, so the client need not understand it (${failure.message}).`,
      reasons,
    };
  const swallowed = `the client ignores the error in the stream of ${operation}: the program gets no error`;
  return {
    code: "both-break-rules",
    about: "REST-034+no-error",
    title: `${refused}; the client ignores it`,
    explanation: `A streaming request that fails before its first event must be answered with the HTTP status of the error. The server answers with 200 and a stream whose first event is the error. The client reads an event that is not in the specification, and its program gets no error.`,
    reasons: [...reasons, { says: swallowed, exchange: judged.id, at: { answer: { event: 0 } }, party: "client" }],
  };
}

/**
 * The traffic checks allow by a lenient reading what the scenario does not, or both sides are right by
 * themselves.
 */
export function twoReadings(seen: SeenCell, judged: MatrixExchange): BlameFinding | undefined {
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
  if (isRight && isCrash(seen)) return undefined;
  const known = (isRight ? otherUnderstandings : otherAnswers).find((each) => each.fits(seen, judged));
  const ambiguity = known?.ambiguity ?? (lenient && ambiguitiesOf(lenient.rule, cell.version)[0]);
  const says = known?.says ?? lenient?.message;
  if (ambiguity === undefined || says === undefined) return undefined;
  return {
    code: "two-readings",
    about: ambiguity,
    title: known ? says : `${operation}: ${says}`,
    explanation: `The scenario expects one reading of the specification (${failure.message}), and its text allows another: ${says}. Neither side is at fault. See ${ambiguity} in the list of unclear places for the readings.`,
    reasons: [lenient && !known ? broken(lenient, judged, cell.version) : { says, exchange: judged.id }],
    ambiguity,
  };
}

function answerDiffers({ cell, failure, operation }: SeenCell, judged: MatrixExchange): BlameFinding {
  return {
    code: "answer-differs",
    about: [...differingWhere(cell.scenario, operation, failure), failure.code, failure.path ?? ""]
      .map(anyIndex)
      .filter((each) => each !== "")
      .join("/"),
    title: `${operation}: ${failure.message}`,
    explanation: `The request breaks no rule and matches what the program asked for. The response is well formed, but wrong for this operation in this situation: ${failure.message}. No rule that applies to every exchange is broken. All servers share the same skill definition, so the difference comes from the SDK or from the program on top of it.`,
    reasons: [{ says: failure.message, exchange: judged.id, ...at(placeOf(failure, judged)) }],
  };
}

/**
 * Names the difference. A wrong error or a rejected method is one fault everywhere; other results depend on
 * the message.
 */
function differingWhere(
  scenario: string,
  operation: string,
  { code, expected = "" }: SeenCell["failure"],
): readonly string[] {
  if (code === "other-error" || code === "no-error") return [operation, /^\w*/.exec(expected)![0]];
  const isMessage = /^Send(?:Streaming)?Message$/.test(operation);
  return code === "unexpected-error" && !isMessage ? [operation] : [operation, scenario];
}
