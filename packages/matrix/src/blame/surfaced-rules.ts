import { errorTable } from "@assay/protocol";
import type { MatrixExchange } from "../document/evidence.ts";
import { errorInStream, twoReadings } from "./answer-rules.ts";
import {
  anyIndex,
  at,
  type BlameFinding,
  type BlameRule,
  broken,
  type CellStepError,
  codeWritten,
  surfacedText,
  titled,
} from "./finding.ts";
import { placeOf } from "./place.ts";
import { failuresOf, type SeenCell } from "./seen.ts";

/** The wire is right, but the program's result is not. */
export const surfacedOtherwise: BlameRule = (seen) => {
  const { failure, judged, operation, step } = seen;
  if (failure.onTheWire !== "holds") return undefined;
  const error = step?.answer?.error;
  const unread = judged && error && error.kind !== "protocol" ? notRead(seen, judged, error.message) : undefined;
  if (unread) return unread;
  const open = judged && (errorInStream(seen, judged) ?? twoReadings(seen, judged));
  if (open) return open;
  const isTold = error !== undefined && failure.message.includes(error.message);
  const written = judged && codeWritten(judged.entry.response.content.text);
  if (judged && failure.code === "other-error" && written !== undefined && error && tells(error, written))
    return {
      code: "told-as-written",
      about: `told/${operation}`,
      title: `${operation}: ${failure.message}`,
      explanation: `The client reported the error that the server returned (${written}). Its status fits the expected error, and this version does not define which error such a response means over this binding, so neither side is blamed: ${failure.message}.`,
      reasons: [{ says: `the response has the code ${written}, and so does the client's error`, exchange: judged.id }],
    };
  return {
    code: "surfaced-otherwise",
    about: `surfaced/${operation}/${failure.code}/${aboutOf(seen)}`,
    title: `${operation}: ${surfacedTitle(seen)}`,
    explanation: `The response on the wire is correct${failure.wire === undefined ? "" : ` (${failure.wire})`}. The client gives its program something else: ${failure.message}.${isTold ? "" : ` ${surfacedText(seen)}`}`,
    reasons: [
      {
        says: `on the wire: ${failure.wire ?? "as expected"}; to the program: ${failure.actual ?? failure.message}`,
        ...(judged && { exchange: judged.id, ...at(placeOf(failure, judged)) }),
      },
    ],
  };
};

/** Rules about the Content-Type of a response, whose content can still be read. */
const labels = new Set(["JSONRPC-002", "V03-REST-002"]);

/** A client need not understand a response that breaks a rule. */
function notRead({ cell, operation }: SeenCell, judged: MatrixExchange, told: string): BlameFinding | undefined {
  const faults = failuresOf(judged, "server");
  const fault = faults.find(({ rule }) => !labels.has(rule)) ?? faults[0];
  if (!fault) return undefined;
  const reasons = [broken(fault, judged, cell.version)];
  return labels.has(fault.rule)
    ? {
        code: "label-wrong",
        about: `label/${cell.server}`,
        title: `${operation}: ${fault.message}, and the client does not read it`,
        explanation: `The response has a wrong Content-Type (${fault.message}), for which a client may reject it. Its content is correct. Only the client's error shows whether the Content-Type was the reason, so neither side is blamed: ${told}`,
        reasons,
      }
    : {
        code: "answer-breaks-rule",
        about: fault.rule,
        title: titled(operation, fault.message),
        explanation: `The response breaks a rule about servers (${fault.message}), and the client could not read it: ${told}`,
        reasons,
      };
}

function surfacedTitle({ failure, step }: SeenCell): string {
  const error = step?.answer?.error;
  if (failure.code === "late")
    return step?.answer?.events?.length
      ? "the client does not report the end of a stream to the program"
      : "the client does not return a complete response to the program";
  if (failure.code === "unexpected-error" && error)
    return `the client turns a correct response into ${error.type ?? "an error"}`;
  if (failure.code === "error-not-surfaced") return "the client does not report an error of the agent as such";
  return `the program gets something other than the response: ${failure.message}`;
}

/** Names the difference: the place, the resulting error, or what is missing. */
const aboutOf = ({ failure: { path, expected, code }, step }: SeenCell): string =>
  path !== undefined
    ? anyIndex(path)
    : code === "unexpected-error"
      ? (step?.answer?.error?.type ?? "")
      : (expected ?? "");

/** Returns true if a client's error contains the server's code, by number or by name. */
function tells({ type = "", code }: NonNullable<CellStepError>, written: number): boolean {
  const plain = (text: string): string => text.replaceAll(/[^a-z]/gi, "").toLowerCase();
  const names = Object.entries(errorTable).flatMap(([name, row]) => (row.code === written ? [plain(name)] : []));
  return code === written || names.some((name) => plain(type).includes(name));
}
