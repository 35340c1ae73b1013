import { repeatLine } from "@assay/suite/report";
import { code, cut, prose as inText, visible, visibleLines } from "@assay/suite/text";
import type { SharedCause } from "../causes/shared-causes.ts";
import type { Blame, BlameCode } from "../document/blame.ts";
import type { Cell } from "../document/cell.ts";
import type { MatrixDocument, MatrixDriver } from "../document/document.ts";
import type { MatrixExchange } from "../document/evidence.ts";
import { wireTitle } from "./wires.ts";

/** An issue that can be filed unchanged with the SDK at fault. */
export interface UpstreamIssue {
  /** the package whose repository it is for */
  readonly package: string;
  readonly title: string;
  /** Markdown */
  readonly body: string;
}

/** Maximum number of quoted characters of a request or response. */
const longest = 3_000;

/** Returns one issue for each side at fault, if any. */
export function upstreamIssues(matrix: Matrix, cause: SharedCause): UpstreamIssue[] {
  const { blame, whose, example } = cause;
  if (!blame || (whose !== "client" && whose !== "server" && whose !== "both")) return [];
  const sides = whose === "both" ? (["client", "server"] as const) : [whose];
  return sides.map((side) => {
    const reasons = whose === "both" ? blame.reasons.filter(({ party }) => party === side) : [];
    const own: Blame = reasons.length ? { ...blame, reasons } : blame;
    return {
      package: driverOf(matrix, example[side])?.package ?? example[side],
      title: titleOf(side, own, cause),
      body: bodyOf(side, own, cause, matrix),
    };
  });
}

function titleOf(side: string, { reasons, title }: Blame, { whose }: SharedCause): string {
  const says = whose === "both" ? (reasons[0]?.says ?? title) : title;
  return cut(`${side === "client" ? "Client" : "Server"}: ${visible(says)}`, 120);
}

type Matrix = Pick<MatrixDocument, "drivers" | "exchanges" | "scenarios">;

function bodyOf(side: "client" | "server", blame: Blame, cause: SharedCause, matrix: Matrix): string {
  const { example } = cause;
  const shown = blame.reasons.map(({ exchange }) => matrix.exchanges[exchange ?? ""]).find((each) => each);
  return [
    versions(side, cause, matrix),
    "### What happens",
    happens[blame.code]?.(example, blame) ?? inText(blame.reasons[0]?.says ?? blame.title),
    ...(shown ? ["### Sent", fenced(requestText(shown)), "### Seen", fenced(answerText(shown))] : []),
    ...surfaced(side, example),
    "### Wanted",
    wanted(example, blame),
    ...asked(blame, matrix.scenarios.find(({ id }) => id === example.scenario)?.specRef),
    "### How to reproduce",
    reproduce(side, example, { shown, isMisread: blame.code === "surfaced-otherwise" }),
    alike(side, cause),
  ]
    .filter((part) => part !== "")
    .join("\n\n")
    .concat("\n");
}

function versions(side: "client" | "server", { example }: SharedCause, matrix: Matrix): string {
  const other = side === "client" ? "server" : "client";
  const text = (name: "client" | "server"): string => {
    const driver = driverOf(matrix, example[name]);
    return driver ? `${code(`${driver.package} ${driver.version}`)} (${inText(driver.language)})` : code(example[name]);
  };
  return `Version: ${text(side)}, its ${side}. Seen with the ${other} of ${text(other)}, over ${wireTitle(example)} of A2A.`;
}

/** Describes the fault for a maintainer who knows nothing about Assay. */
const happens: Partial<Record<BlameCode, (cell: Cell, blame: Blame) => string>> = {
  "surfaced-otherwise": ({ failure }) =>
    `The response on the wire is correct. The client's result for the program that uses it is not: ${inText(failure?.message ?? "")}.`,
  "request-differs": (_, { reasons }) =>
    `The client does not send what the program asked it for: ${inText(reasons[0]?.says ?? "")}.`,
  "not-sent": (_, { title }) =>
    `The client reads the Agent Card, but then sends no request for the operation it was asked to perform: ${inText(title)}.`,
  "answer-differs": ({ failure }) =>
    `The request is valid. The response is well formed, but wrong for the operation in this situation: ${inText(failure?.message ?? "")}.`,
};

function surfaced(side: string, { steps, failure }: Cell): string[] {
  const answer = steps.find(({ id }) => id === failure?.step)?.answer;
  if (side !== "client" || !answer) return [];
  return ["### What the program got", fenced(cut(JSON.stringify(answer, null, 2), longest))];
}

function wanted({ failure }: Cell, { reasons }: Blame): string {
  const [first] = reasons;
  if (failure?.expected !== undefined)
    return `${failure.path === undefined ? "" : `${code(failure.path)}: `}${inText(failure.expected)}`;
  return inText(first?.rule?.text ?? failure?.message ?? "a valid response");
}

const asked = ({ reasons }: Blame, sections: string | undefined): string[] => {
  const rules = reasons.flatMap(({ rule }) => rule ?? []);
  if (rules.length === 0)
    return sections === undefined
      ? []
      : ["### What the specification requires", `See ${inText(sections)} of the specification.`];
  const lines = rules.map(
    ({ level, text, section, url }) => `- ${level}: ${inText(text)} ([§${section} of the specification](${url}))`,
  );
  return ["### What the specification requires", [...new Set(lines)].join("\n")];
};

function reproduce(
  side: "client" | "server",
  example: Cell,
  { shown, isMisread }: { readonly shown: MatrixExchange | undefined; readonly isMisread: boolean },
): string {
  const { steps, failure } = example;
  const line = shown && repeatLine(shown.entry, messageIn(shown));
  if (side === "server" && line !== undefined) return fenced(line);
  const step = steps.find(({ id }) => id === failure?.step);
  if (!step) return "Start the program. Its output is above.";
  const params =
    step.params === undefined ? "" : ` with\n\n${fenced(cut(JSON.stringify(step.params, null, 2), longest))}`;
  return side === "client"
    ? `${isMisread ? "Let a server respond as above, and call" : `Over ${wireTitle(example)}, look at the request of`} the client's operation ${code(step.op)}${params}`
    : `Send ${code(step.op)}${params}`;
}

/** Returns the gRPC message as JSON, if it is recorded so. */
const messageIn = ({ entry: { request } }: MatrixExchange): string | undefined =>
  request.postData?.text.startsWith("{") ? request.postData.text : undefined;

function alike(side: "client" | "server", { cells, clients, servers, wires }: SharedCause): string {
  if (cells.length < 2) return "";
  const peers = side === "client" ? servers : clients;
  return `Seen in ${cells.length} combinations: over ${wires.join(", ")}, with the ${side === "client" ? "servers" : "clients"} of ${peers.map(code).join(", ")}.`;
}

function requestText({ entry: { request } }: MatrixExchange): string {
  const { postData } = request;
  const head = request.headers.map(({ name, value }) => `${name}: ${value}`);
  const body = postData ? ["", postData._encoding ? `(base64) ${postData.text}` : postData.text] : [];
  return cut([`${request.method} ${request.url}`, ...head, ...body].join("\n"), longest);
}

function answerText({ entry: { response } }: MatrixExchange): string {
  const { content, _error, _trailers = [] } = response;
  if (response.status === 0) return _error ?? "no answer";
  const head = response.headers.map(({ name, value }) => `${name}: ${value}`);
  const body = content.encoding ? `(base64) ${content.text}` : content.text;
  const end = _trailers.map(({ name, value }) => `${name}: ${value}`);
  return cut(
    [
      `${response.status} ${response.statusText}`.trim(),
      ...head,
      "",
      body,
      ...end,
      ...(_error ? ["", _error] : []),
    ].join("\n"),
    longest,
  );
}

/** Returns a code block with a fence that its content cannot close. */
function fenced(text: string): string {
  const ticks = (text.match(/`{3,}/g) ?? []).reduce((most, each) => Math.max(most, each.length), 2);
  const fence = "`".repeat(ticks + 1);
  return `${fence}\n${visibleLines(text).trimEnd()}\n${fence}`;
}

const driverOf = ({ drivers }: Pick<MatrixDocument, "drivers">, name: string): MatrixDriver | undefined =>
  drivers.find((driver) => driver.name === name);
