import { errorTable, type JsonValue, publishedErrors } from "@assay/protocol";
import type { Exchange } from "@assay/wire";
import { answeredHeader, answerText, judged, judgedResponse } from "../compare.ts";
import type { Ends, Script } from "../ends.ts";
import type { Property } from "../property.ts";
import { idOf, type TestedBinding, type TestedVersion, typeOf, unknownTask } from "../requests.ts";
import { broken, changed, type ExaminedProperty, type PropertyVerdict, preserved, worst } from "../verdict.ts";

type ErrorRow = (typeof errorTable)[keyof typeof errorTable];

/** One row for each status and code, because a gateway cannot tell errors apart that share both. */
const rows: readonly ErrorRow[] = [
  ...new Map(publishedErrors.map((name) => errorTable[name]).map((row) => [`${row.http} ${row.code}`, row])).values(),
];

/** 0.3 lacks the last two errors of 1.0. */
const newCodes: readonly number[] = [errorTable.ExtensionSupportRequired.code, errorTable.VersionNotSupported.code];
const rowsOf = (version: TestedVersion): readonly ErrorRow[] =>
  version === "0.3" ? rows.filter(({ code }) => !newCodes.includes(code)) : rows;

const statusOf = (binding: TestedBinding, { http, transport }: ErrorRow): number =>
  binding === "JSONRPC" && !transport ? 200 : http;

const login = 'Bearer realm="assay"';
const retryAfter = "7";

/** Answers with an error of A2A, as an agent writes it. */
const failing =
  (binding: TestedBinding, row: ErrorRow, version: TestedVersion): Script =>
  async (request, reply) => {
    const id = idOf(await request.body());
    const { code, reason, http } = row;
    const details = [{ "@type": "type.googleapis.com/google.rpc.ErrorInfo", reason, domain: "a2a-protocol.org" }];
    const message = `An error for the gateway test: ${reason}`;
    const body =
      binding === "JSONRPC"
        ? { jsonrpc: "2.0", id: JSON.parse(id) as JsonValue, error: { code, message, data: details } }
        : version === "0.3"
          ? { code, message, data: details }
          : { error: { code: http, status: row.grpc, message, details } };
    reply.send(
      statusOf(binding, row),
      {
        "Content-Type": typeOf(binding, version),
        ...(http === 401 && { "WWW-Authenticate": login }),
        ...([429, 503].includes(http) && { "Retry-After": retryAfter }),
      },
      JSON.stringify(body),
    );
  };

/** Lets the agent answer with every error, and returns the most severe judgement. */
async function everyError(
  ends: Ends,
  binding: TestedBinding,
  version: TestedVersion,
  judge: (row: ErrorRow) => Parameters<typeof judged>[1],
): Promise<ExaminedProperty> {
  const examined: ExaminedProperty[] = [];
  for (const row of rowsOf(version)) {
    const spec = unknownTask(ends.through, binding, [], version);
    examined.push(judged(await ends.send(spec, failing(binding, row, version)), judge(row)));
  }
  const judgement = worst(examined.map((each) => each.judgement));
  const passages = examined.filter((each) => each.judgement === judgement).flatMap((each) => each.passages);
  return { judgement, passages: passages.slice(0, 1) };
}

export const errorProperties: readonly Property[] = [
  {
    id: "GW-ERROR-STATUS",
    area: "errors",
    older: true,
    title: "The gateway keeps the HTTP status of errors",
    breaks: "Clients take one error for another, for example a missing task for a broken gateway.",
    remedy: "Pass the status of the agent's responses on unchanged. Disable error pages for this route.",
    examine: (ends, binding, version) =>
      everyError(ends, binding, version, ({ reason }) => (agent, client): PropertyVerdict => {
        const [want, saw] = [agent.http.response?.status, client.http.response?.status];
        if (want === saw) return preserved;
        return broken(
          `the gateway changes the status of ${reason}`,
          { saw: saw === undefined ? "no response" : `HTTP ${saw}`, want: `HTTP ${want}` },
          { part: "response", status: true },
        );
      }),
  },
  {
    id: "GW-ERROR-BODY",
    area: "errors",
    older: true,
    title: "The gateway keeps the body of errors",
    breaks: "Clients cannot read the code, the reason and the message of an error.",
    remedy: "Pass the bodies of error responses on unchanged. Disable error pages for this route.",
    examine: (ends, binding, version) =>
      everyError(
        ends,
        binding,
        version,
        ({ reason }) =>
          (agent, client) =>
            judgedResponse(`the error ${reason}`, answerText(agent), answerText(client), client),
      ),
  },
  {
    id: "GW-ERROR-HEADERS",
    area: "errors",
    title: "The gateway keeps WWW-Authenticate and Retry-After",
    breaks: "Clients do not learn how to log in, or when to retry.",
    remedy: "Pass the response headers WWW-Authenticate and Retry-After on unchanged.",
    examine: (ends, binding, version) =>
      everyError(ends, binding, version, () => (agent, client): PropertyVerdict => {
        const named = (exchange: Exchange, name: string): string | undefined =>
          answeredHeader(exchange, name.toLowerCase());
        const different = ["WWW-Authenticate", "Retry-After"].filter(
          (name) => named(agent, name) !== named(client, name),
        );
        const header = different.find((name) => named(agent, name) !== undefined) ?? different[0];
        if (header === undefined) return preserved;
        const [want, saw] = [named(agent, header), named(client, header)];
        const at = { part: "response", header } as const;
        if (want === undefined) return changed(`the gateway adds ${header} to errors`, at);
        const line = (value: string | undefined): string =>
          value === undefined ? `no ${header}` : `${header}: ${value}`;
        return broken(
          `the gateway ${saw === undefined ? "drops" : "changes"} ${header}`,
          { saw: line(saw), want: line(want) },
          at,
        );
      }),
  },
];
