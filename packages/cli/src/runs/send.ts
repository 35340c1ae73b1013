import { randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import { extensionsHeader, type SendMessageRequest, type StreamResponse } from "@assay/protocol";
import { jsonText } from "@assay/reporters/escape";
import { type FailureCode, type PeerError, type PeerInterface, type PeerTrouble, toHar } from "@assay/wire";
import type { SendFlags } from "../commands/send.ts";
import { type Connection, connect, findCard, parseAddress, peerOf } from "../connection.ts";
import { type ExitCode, exitCodes, UsageError } from "../exit.ts";
import { brief, escapeText } from "../terminal/escape.ts";
import type { Screen } from "../terminal/screen.ts";
import { createTimeline } from "../terminal/timeline.ts";
import { version } from "../version.ts";
import { type Contact, contactTrouble, methodOf } from "./contact-trouble.ts";

/** The whole command: find the agent, say it, show the answer, save what was asked to be saved. */
export async function sendMessage(url: string, text: string, flags: SendFlags, screen: Screen): Promise<ExitCode> {
  const connection = await connect(url, flags, screen);
  const interruption = new AbortController();
  const interrupt = () => interruption.abort();
  process.once("SIGINT", interrupt);
  try {
    const code = await send(url, text, flags, connection, screen, interruption.signal);
    if (!interruption.signal.aborted) return code;
    if (!flags.json) screen.line("interrupted; what the agent had begun goes on without us");
    return exitCodes.interrupted;
  } finally {
    process.off("SIGINT", interrupt);
    if (flags.save) save(flags.save, connection);
    await connection.clients.close();
  }
}

async function send(
  url: string,
  text: string,
  flags: SendFlags,
  connection: Connection,
  screen: Screen,
  signal: AbortSignal,
): Promise<ExitCode> {
  const found = await findCard(url, connection);
  const extensions: [string, string][] = flags.extension ? [[extensionsHeader, flags.extension.join(", ")]] : [];
  const { peer, chosen } = await peerOf(connection, found, flags, extensions);
  const request = requestOf(text, flags);
  const expected = parseAddress(url).pathname.replace(/\/+$/, "");
  if (!flags.json && !new URL(found.url).pathname.startsWith(expected)) {
    screen.line(`card found at ${found.url} (nothing below ${expected})`);
  }
  if (!flags.json) {
    const { host, pathname } = new URL(chosen.url);
    const operation = methodOf(chosen, flags.stream ? "SendStreamingMessage" : "SendMessage");
    screen.line(
      `${screen.colors.bold("→")} ${operation}  ${bindingName(chosen)}  ${host}${pathname}   "${brief(text)}"`,
    );
  }
  if (!connection.mayGoTo(chosen.url)) {
    const { host } = new URL(chosen.url);
    screen.complain(
      `${escapeText(host)} is not the address you named, so your credentials do not go there; --trust-host ${escapeText(host)} lets them.`,
    );
  }
  return flags.stream
    ? showStream({ peer, chosen, connection }, request, flags, screen, signal)
    : showAnswer({ peer, chosen, connection }, request, flags, screen, signal);
}

const bindingNames = { JSONRPC: "JSON-RPC", "HTTP+JSON": "HTTP+JSON", GRPC: "gRPC" } as const;

const bindingName = ({ binding, dialect, tenant }: PeerInterface): string =>
  `${dialect === "1.0" ? "" : `${dialect} over `}${bindingNames[binding]}${tenant ? ` (tenant ${escapeText(tenant)})` : ""}`;

function requestOf(text: string, { task, context, returnImmediately, historyLength }: SendFlags): SendMessageRequest {
  const configuration = {
    ...(returnImmediately ? { returnImmediately } : {}),
    ...(historyLength === undefined ? {} : { historyLength }),
  };
  return {
    message: {
      messageId: randomUUID(),
      role: "ROLE_USER",
      parts: [{ text }],
      ...(task ? { taskId: task } : {}),
      ...(context ? { contextId: context } : {}),
    },
    ...(Object.keys(configuration).length ? { configuration } : {}),
  };
}

async function showAnswer(
  contact: Contact,
  request: SendMessageRequest,
  { json }: SendFlags,
  screen: Screen,
  signal: AbortSignal,
): Promise<ExitCode> {
  const answer = await contact.peer.call("SendMessage", request, signal);
  const at = answer.exchange.timing.end;
  const timeline = createTimeline(screen);
  if (signal.aborted) return exitCodes.interrupted;
  if (answer.is !== "value") {
    const found = await contactTrouble(answer, answer.exchange, contact);
    if (json) screen.json(troubleJson(answer));
    else timeline.trouble(at, found ? escapeText(found.message) : troubleText(answer, contact));
    if (!json && found) screen.line(escapeText(found.hint));
    return found?.exit ?? exitOf(answer);
  }
  if (json) screen.json(answer.value);
  else timeline.event(at, contact.connection.mask.value(answer.value as StreamResponse));
  return exitCodes.fine;
}

async function showStream(
  contact: Contact,
  request: SendMessageRequest,
  { json }: SendFlags,
  screen: Screen,
  signal: AbortSignal,
): Promise<ExitCode> {
  const timeline = createTimeline(screen);
  const { peer, connection } = contact;
  const stream = await peer.stream("SendStreamingMessage", request, signal);
  let events = 0;
  let bytes = 0;
  let code: ExitCode = exitCodes.fine;
  for await (const event of stream.events) {
    if (event.is !== "value") {
      stream.close();
      // What has begun to answer is the agent.
      const found = events === 0 ? await contactTrouble(event, await stream.finished, contact) : undefined;
      code = found?.exit ?? exitOf(event);
      if (json) screen.json(troubleJson(event));
      else timeline.trouble(event.at, found ? escapeText(found.message) : troubleText(event, contact));
      if (!json && found) screen.line(escapeText(found.hint));
      break;
    }
    events++;
    bytes += event.bytes;
    if (json) screen.json(event.value);
    // Masked before it is cut to the width of a line.
    else timeline.event(event.at, connection.mask.value(event.value));
  }
  stream.close();
  const { timing, failure } = await stream.finished;
  if (!json && events > 0 && !signal.aborted) {
    const ending = !failure ? "closed by the server" : ours.has(failure.code) ? "ended by us" : "broken off";
    screen.line(
      `stream ${ending} after ${Math.round(timing.end)} ms, ${events} ${events === 1 ? "event" : "events"}, ${(bytes / 1000).toFixed(1)} kB`,
    );
  }
  return code;
}

/** What ends a stream on our side: a limit, or an event that cannot be read. */
const ours: ReadonlySet<FailureCode> = new Set([
  "aborted",
  "timeout-idle",
  "timeout-total",
  "too-large",
  "too-many-events",
]);

/** A failure on the way is nobody's verdict; everything else is the agent's own doing. */
const exitOf = (trouble: PeerTrouble): ExitCode =>
  trouble.is === "failure" || (trouble.is === "error" && asksForLogin(trouble.error))
    ? exitCodes.usage
    : exitCodes.agent;

const asksForLogin = ({ http, grpc }: PeerError): boolean => http === 401 || grpc?.status === "UNAUTHENTICATED";

function troubleText(trouble: PeerTrouble, { chosen, connection: { mask } }: Contact): string {
  switch (trouble.is) {
    case "error": {
      const { code, grpc, http, reason, message } = trouble.error;
      const number = grpc
        ? (grpc.status ?? `gRPC status ${grpc.code}`)
        : code === undefined
          ? `HTTP ${http}`
          : `${code}`;
      const login = asksForLogin(trouble.error)
        ? "   Give a login: --bearer env:TOKEN, --api-key name=env:KEY or --basic user:env:PASSWORD"
        : "";
      return `${number}${reason ? ` ${escapeText(reason)}` : ""}: ${brief(mask.text(message), 200)}${login}`;
    }
    case "malformed":
      return `no A2A: ${escapeText(trouble.because)}`;
    case "invalid":
      return `the answer breaks the schema of ${chosen.dialect}: ${trouble.violations
        .slice(0, 3)
        .map(({ path, message }) => `${escapeText(path)} ${escapeText(message)}`)
        .join("; ")}`;
    case "failure":
      return `${escapeText(trouble.failure.message)}${trouble.failure.hint ? `   ${trouble.failure.hint}` : ""}`;
  }
}

function troubleJson(trouble: PeerTrouble): object {
  switch (trouble.is) {
    case "error":
      return { error: trouble.error };
    case "malformed":
      return { malformed: trouble.because };
    case "invalid":
      return { invalid: trouble.violations.map(({ path, code, message }) => ({ path, code, message })) };
    case "failure":
      return { failure: trouble.failure };
  }
}

function save(file: string, { recording, mask }: Connection): void {
  const exchanges = recording.exchanges.map((exchange) => mask.exchange(exchange));
  try {
    writeFileSync(file, `${jsonText(toHar(exchanges, { name: "assay", version }), 2)}\n`, { mode: 0o600 });
  } catch (error) {
    throw new UsageError(
      `The exchanges could not be written to ${file}: ${(error as Error).message}`,
      "Name another file with --save.",
    );
  }
}
