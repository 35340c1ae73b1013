import { type ErrorAcrossVersions, errorsAcrossVersions } from "@assay/protocol";
import { grpcStatuses } from "@assay/protocol/grpc";
import { catalogues } from "@assay/suite";

/** An error as it is written in each version and on each binding, and the rules about it. */
export interface ExplainedError extends ErrorAcrossVersions {
  readonly rules: readonly string[];
}

/**
 * Finds the errors for a text that a client received. The text is a JSON-RPC code, an HTTP or gRPC status, an error name
 * with or without "Error", or the reason of an ErrorInfo. One number may match several errors.
 */
export function errorsCalled(given: string): readonly ExplainedError[] {
  const text = given.trim().replace(/^(?:HTTP|gRPC|JSON-?RPC)\s+/i, "");
  const found = errorsAcrossVersions.filter((error) =>
    /^-?\d+$/.test(text) ? hasNumber(error, Number(text)) : namesOf(error).some((name) => plain(name) === plain(text)),
  );
  return found.map((error) => ({ ...error, rules: rulesAbout(error) }));
}

/** All that an error can be asked for by, for a guess at what was meant. */
export const errorWords = (): string[] =>
  errorsAcrossVersions.flatMap((error) => [...namesOf(error), ...numbersOf(error).map(String)]);

const hasNumber = (error: ErrorAcrossVersions, number: number): boolean =>
  numbersOf(error).includes(number) ||
  error.versions.some(({ grpc = [] }) => grpc.some((status) => grpcStatuses[status] === number));

const numbersOf = ({ versions, customary }: ErrorAcrossVersions): number[] =>
  [customary, ...versions.flatMap(({ jsonrpc, http = [] }) => [jsonrpc, ...http])].filter((each) => each !== undefined);

const namesOf = ({ name, versions }: ErrorAcrossVersions): string[] => [
  name,
  ...versions.flatMap(({ names, reason = [], grpc = [] }) => [...names, ...grpc].concat(reason)),
];

/** `TaskNotFoundError`, `TASK_NOT_FOUND` and `task not found` are one name. */
const plain = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z]/g, "")
    .replace(/error$/, "");

/** The rules of the newest version whose text names the error. */
function rulesAbout({ name, versions }: ErrorAcrossVersions): string[] {
  const named = new RegExp(`\\b(?:JSON)?${name}(?:Error)?\\b|${versions[0]?.reason ?? "(?!)"}\\b`);
  return (["1.0", "0.3", "0.2", "0.1"] as const)
    .map((dialect) => catalogues[dialect].filter(({ text }) => named.test(text)).map(({ id }) => id))
    .reduce((all, more) => (all.length ? all : more), []);
}
