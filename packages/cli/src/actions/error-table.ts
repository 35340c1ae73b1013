import { A2AError, type ErrorName, errorsAcrossVersions, errorTable, type JsonObject, v01 } from "@assay/protocol";
import { v10 } from "@assay/protocol/core";
import { listed } from "../phrases.ts";

type DialectVersion = (typeof errorsAcrossVersions)[number]["versions"][number]["dialect"];

/** One error of a version, with the JSON-RPC response that carries it. */
export interface ErrorTableRow {
  readonly dialect: DialectVersion;
  readonly name: string;
  readonly means: string;
  readonly jsonrpc: number;
  readonly http?: readonly number[];
  readonly grpc?: readonly string[];
  readonly response: JsonObject;
}

/** Lists the errors that have a JSON-RPC code, highest code first. */
export function errorRows(dialect: DialectVersion): readonly ErrorTableRow[] {
  return errorsAcrossVersions
    .flatMap(({ name, means, versions }): ErrorTableRow[] => {
      const written = versions.find((each) => each.dialect === dialect);
      if (written?.jsonrpc === undefined || written.draft !== undefined) return [];
      const { jsonrpc, names } = written;
      // Before 0.3, JSON-RPC is the only binding.
      const { http, grpc } = dialect === "1.0" || dialect === "0.3" ? written : {};
      return [
        {
          dialect,
          name: `${names[0] ?? name}Error`,
          means,
          jsonrpc,
          ...(http && { http }),
          ...(grpc && { grpc }),
          // The id of a request that cannot be parsed is unknown.
          response: { jsonrpc: "2.0", id: name === "Parse" ? null : 1, error: errorOf(dialect, name, jsonrpc) },
        },
      ];
    })
    .toSorted((a, b) => b.jsonrpc - a.jsonrpc);
}

/** Returns the error in the form of that version: 1.0 adds details, older versions need a code and a message. */
function errorOf(dialect: DialectVersion, name: string, code: number): JsonObject {
  if (!(name in errorTable)) return { code, message: `${name}Error` };
  const error = new A2AError(name as ErrorName, `${name}Error`);
  // The older schemas share their texts.
  const message = laterTexts[name] ?? v01.writeError(error).message;
  return dialect === "1.0" ? { ...v10.writeError(error) } : { code, message };
}

/** The texts of errors that the schema of 0.1 does not have. */
const laterTexts: Readonly<Record<string, string>> = {
  ContentTypeNotSupported: "Incompatible content types",
  InvalidAgentResponse: "Invalid agent response",
  ExtendedAgentCardNotConfigured: "Authenticated Extended Card is not configured",
};

export function errorTableLines(rows: readonly ErrorTableRow[]): string[] {
  return rows.flatMap(({ dialect, name, jsonrpc, http, grpc, means, response }, index) => [
    ...(dialect === rows[index - 1]?.dialect ? [""] : [...(index ? [""] : []), `A2A ${dialect}`, ""]),
    `${jsonrpc}  ${name}${statuses(http, grpc)}`,
    `  ${means}`,
    `  ${JSON.stringify(response)}`,
  ]);
}

export function errorTableMarkdown(rows: readonly ErrorTableRow[]): string[] {
  return rows.flatMap(({ dialect, name, jsonrpc, http = [], grpc = [], means, response }, index) => [
    ...(dialect === rows[index - 1]?.dialect
      ? []
      : [
          ...(index ? [""] : []),
          `## Error codes of A2A ${dialect}`,
          "",
          "| JSON-RPC | Error | HTTP | gRPC | Meaning | Response |",
          "| ---: | --- | --- | --- | --- | --- |",
        ]),
    `| ${jsonrpc} | ${name} | ${http[0] ?? ""} | ${grpc[0] ?? ""} | ${means} | \`${JSON.stringify(response)}\` |`,
  ]);
}

const statuses = (http: readonly number[] = [], grpc: readonly string[] = []): string => {
  const all = [
    ...http.slice(0, 1).map((status) => `HTTP ${status}`),
    ...grpc.slice(0, 1).map((name) => `gRPC ${name}`),
  ];
  return all.length ? ` (${listed(all)})` : "";
};
