import type { ExplainedError } from "@assay/library/explain";
import type { ErrorInVersion } from "@assay/protocol";
import { listed } from "../phrases.ts";
import type { Screen } from "../terminal/screen.ts";
import { wrap } from "../terminal/width.ts";

/** Explains an error for people: its meaning, then one line for each version, newest first. */
export function errorLines(
  { name, means, versions, instead, customary, rules }: ExplainedError,
  columns: number,
  colors: Screen["colors"],
): string[] {
  const room = Math.max(40, Math.min(columns, 120) - 10);
  const part = (label: string, text: string): string[] =>
    wrap(text, room).map((line, index) => `${colors.dim((index ? "" : label).padEnd(9))} ${line}`);
  const hasCustoms = versions.some(({ dialect, jsonrpc, http }) => dialect !== "1.0" && jsonrpc !== undefined && http);
  // The specification may name an error differently from this project.
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

/** Returns the name of a version: "1.1-draft1" is the draft of 1.1. */
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
