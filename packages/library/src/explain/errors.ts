import { type ErrorAcrossVersions, errorsAcrossVersions, newestFirst } from "@assay/protocol";
import { grpcStatuses } from "@assay/protocol/grpc";
import { catalogues, drafts, type Rule } from "@assay/suite";

/** An error in each version and on each binding, and the rules about it. */
export interface ExplainedError extends ErrorAcrossVersions {
  readonly rules: readonly string[];
}

/**
 * Finds the errors for a text that a client received. The text is a JSON-RPC code, an HTTP or gRPC status, an error
 * name with or without "Error", or the reason of an ErrorInfo. One number may match several errors.
 */
export function errorsCalled(given: string): readonly ExplainedError[] {
  const text = given.trim().replace(/^(?:HTTP|gRPC|JSON-?RPC)\s+/i, "");
  const found = errorsAcrossVersions.filter((error) =>
    /^-?\d+$/.test(text) ? hasNumber(error, Number(text)) : namesOf(error).some((name) => plain(name) === plain(text)),
  );
  return found.map((error) => ({ ...error, rules: rulesAbout(error) }));
}

/** Returns all names and numbers of errors, to suggest one for a misspelt word. */
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

/** Reduces `TaskNotFoundError`, `TASK_NOT_FOUND` and `task not found` to the same name. */
const plain = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z]/g, "")
    .replace(/error$/, "");

const rulesOf = (dialect: keyof typeof catalogues): readonly Rule[] =>
  dialect === "1.0" ? [...catalogues[dialect], ...Object.values(drafts).flat()] : catalogues[dialect];

/** Returns the rules whose text names the error, from the newest version that has some. */
function rulesAbout({ name, versions }: ErrorAcrossVersions): string[] {
  const named = new RegExp(`\\b(?:JSON)?${name}(?:Error)?\\b|${versions[0]?.reason ?? "(?!)"}\\b`);
  return newestFirst
    .map((dialect) =>
      rulesOf(dialect)
        .filter(({ text }) => named.test(text))
        .map(({ id }) => id),
    )
    .reduce((all, more) => (all.length ? all : more), []);
}
