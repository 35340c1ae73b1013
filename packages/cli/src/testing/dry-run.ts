import { StartedAgent } from "@assay/library/started-agent";
import { cut } from "@assay/protocol/escape";
import { grpcMessagesIn } from "@assay/protocol/grpc";
import { type Rehearsal, type RehearsedRequest, rehearse } from "@assay/suite";
import { bindingName, depths } from "@assay/suite/report";
import { type ExitCode, exitCodes } from "../exit.ts";
import { plural } from "../phrases.ts";
import { escapeText } from "../terminal/escape.ts";
import type { Screen } from "../terminal/screen.ts";
import type { TestInvocation } from "./invocation.ts";

/** Fetches the card, plans the run, and shows the requests without sending them. */
export async function dryRun({ settings, flags, screen }: TestInvocation): Promise<ExitCode> {
  const { start, url, options } = settings;
  const started = start && (await StartedAgent.start(start.command, url, start.folder));
  try {
    const rehearsal = await rehearse({ ...options, run: "dry-run" });
    if (flags.json) screen.json(rehearsal, 2);
    else show(rehearsal, screen);
    return exitCodes.fine;
  } finally {
    await started?.end();
  }
}

function show(rehearsal: Rehearsal, { line, colors }: Screen): void {
  const { agent, agentUrl, depth, messages, texts, made, unsent, later } = rehearsal;
  line(
    `${colors.bold(`${escapeText(agent.name)} ${escapeText(agent.version)}`.trim())}   ${escapeText(agentUrl)}   dry run, depth ${depth}`,
  );
  line(`Only the card was fetched: ${made.map(({ request }) => `GET ${escapeText(request.url)}`).join(", ")}`);
  line("Nothing else was sent. Assay detects undeclared versions by requests, so this list does not include them.");
  for (const { interface: on, because } of agent.leftOut)
    line(`Skipped: ${escapeText(`${on.binding} ${on.dialect} ${on.url} (${because})`)}`);
  line();
  line(
    `Messages, at most: ${depths.map((each) => `${each} ${messages[each]}`).join(", ")}. This run: ${messages[depth]}`,
  );
  if (texts.length) line();
  for (const { kinds, source, parts, tried } of texts) {
    const words = parts.map((part) => part.text ?? JSON.stringify(part)).join(" ");
    line(`  ${JSON.stringify(escapeText(words))}   ${tried ? "tried" : "sent"} for ${kinds.join(", ")} (${source})`);
  }
  for (const [place, requests] of groupedBy(unsent, placeOf)) {
    line();
    const usual = usualHeaders(requests);
    line(colors.bold(`${escapeText(place)}   ${plural(requests.length, "request")} that do not depend on a response`));
    for (const field of usual) line(`  ${escapeText(field)}`);
    for (const [during, several] of groupedBy(requests, ({ during: what }) => what ?? "for single rules")) {
      line(`  ${colors.dim(during)}`);
      for (const { request } of several) {
        line(`    ${request.method} ${escapeText(request.url)}`);
        const fields = headersOf({ request });
        for (const field of fields) if (!usual.includes(field)) line(`      ${escapeText(field)}`);
        for (const field of usual) if (!fields.includes(field)) line(`      without ${escapeText(field)}`);
        if (request.postData) line(`      ${escapeText(cut(bodyOf(request), mostShown))}`);
      }
    }
  }
  if (later.length) {
    line();
    line(`Requests that depend on responses: ${later.join(", ")}`);
  }
  line();
  line("Every run has new ids. --json shows everything, uncut.");
}

/** The maximum number of characters of one body. */
const mostShown = 1_000;

const placeOf = ({ interface: on }: RehearsedRequest): string =>
  on ? `${bindingName(on.binding)} ${on.dialect} ${on.url}` : "outside the interfaces";

const headersOf = ({ request }: Pick<RehearsedRequest, "request">): string[] =>
  request.headers.filter(({ name }) => !name.startsWith(":")).map(({ name, value }) => `${name}: ${value}`);

/** Groups items by name, in the order of first appearance. */
function groupedBy<T>(items: readonly T[], nameOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) groups.set(nameOf(item), [...(groups.get(nameOf(item)) ?? []), item]);
  return groups;
}

/** Returns the header fields of most requests. They are shown once, and again where one is missing. */
function usualHeaders(requests: readonly RehearsedRequest[]): string[] {
  const counts = new Map<string, number>();
  for (const request of requests)
    for (const field of headersOf(request)) counts.set(field, (counts.get(field) ?? 0) + 1);
  return [...counts].filter(([, count]) => count > requests.length / 2).map(([field]) => field);
}

/** Returns the body as text; for gRPC, the equivalent JSON. */
function bodyOf({ url, postData }: RehearsedRequest["request"]): string {
  if (!postData) return "";
  // A gRPC body is binary, but a small one may look like text.
  if (!/^application\/grpc/.test(postData.mimeType)) return postData.text;
  const bytes = Buffer.from(postData.text, postData._encoding ?? "utf8");
  const messages = grpcMessagesIn(bytes, url, "request");
  return messages ? messages.map((message) => JSON.stringify(message)).join(" ") : postData.text;
}
