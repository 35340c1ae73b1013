import { type ErrorAcrossVersions, type ErrorInVersion, errorsAcrossVersions } from "@assay/protocol";
import { grpcStatuses } from "@assay/protocol/grpc";
import { catalogues, drafts, type Rule } from "@assay/suite";
import { listed } from "../phrases.ts";
import type { Screen } from "../terminal/screen.ts";
import { wrap } from "../terminal/width.ts";

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

const rulesOf = (dialect: keyof typeof catalogues): readonly Rule[] =>
  dialect === "1.0" ? [...catalogues[dialect], ...Object.values(drafts).flat()] : catalogues[dialect];

/** The rules of the newest version whose text names the error. */
function rulesAbout({ name, versions }: ErrorAcrossVersions): string[] {
  const named = new RegExp(`\\b(?:JSON)?${name}(?:Error)?\\b|${versions[0]?.reason ?? "(?!)"}\\b`);
  return (["1.0", "0.3", "0.2", "0.1"] as const)
    .map((dialect) =>
      rulesOf(dialect)
        .filter(({ text }) => named.test(text))
        .map(({ id }) => id),
    )
    .reduce((all, more) => (all.length ? all : more), []);
}

/** For people: what it means, then one line for each version, the newest first. */
export function errorLines(
  { name, means, versions, instead, customary, rules }: ExplainedError,
  columns: number,
  colors: Screen["colors"],
): string[] {
  const room = Math.max(40, Math.min(columns, 120) - 10);
  const part = (label: string, text: string): string[] =>
    wrap(text, room).map((line, index) => `${colors.dim((index ? "" : label).padEnd(9))} ${line}`);
  const hasCustoms = versions.some(({ dialect, jsonrpc, http }) => dialect !== "1.0" && jsonrpc !== undefined && http);
  // Texts may call it otherwise than this project does.
  const called = versions[0]?.names[0] ?? name;
  return [
    colors.bold(versions.some(({ jsonrpc }) => jsonrpc !== undefined) ? `${called}Error` : called),
    ...part("Means", means),
    ...versions.flatMap((each) => part(`A2A ${versionOf(each)}`, writtenAs(each, called))),
    ...instead.flatMap(({ dialect, name: nearest, jsonrpc }) =>
      part(`A2A ${dialect}`, `has no such error; the closest is ${nearest}Error (${jsonrpc})`),
    ),
    ...(customary === undefined
      ? []
      : part("Note", `the specification has no JSON-RPC code for it; the Go SDK and the test bed use ${customary}`)),
    ...(hasCustoms
      ? part("Note", "before 1.0 the specification names no HTTP or gRPC status; the SDKs use these")
      : []),
    ...(rules.length ? part("Rules", `${rules.slice(0, 12).join(", ")}${rules.length > 12 ? " …" : ""}`) : []),
  ];
}

/** "1.1-draft1" is the draft of 1.1. */
const versionOf = ({ dialect, draft }: ErrorInVersion): string => draft?.split("-")[0] ?? dialect;

function writtenAs({ dialect, names, jsonrpc, http, grpc, reason, draft }: ErrorInVersion, name: string): string {
  const isNewest = dialect === "1.0";
  const other = names.filter((each) => each !== name);
  const several = (values: readonly (string | number)[]): string =>
    isNewest
      ? `${values[0]}${values.length > 1 ? ` (${values[1]} in 1.0.0)` : ""}`
      : listed(values.map(String)).replace(" and ", " or ");
  return [
    ...(other.length ? [`called ${other.map((each) => `${each}Error`).join(", ")}`] : []),
    ...(jsonrpc === undefined ? [] : [`JSON-RPC ${jsonrpc}`]),
    ...(http ? [`HTTP ${several(http)}`] : []),
    ...(grpc ? [`gRPC ${several(grpc)}`] : []),
    ...(reason === undefined ? [] : [`reason ${reason}`]),
    ...(draft === undefined ? [] : [`only in ${draft}`]),
  ].join(" · ");
}
