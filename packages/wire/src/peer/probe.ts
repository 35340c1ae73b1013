import {
  type CardInterface,
  type DialectVersion,
  isObject,
  type JsonObject,
  type NormalisedCard,
  normaliseCard,
  parseJson,
  readLooseAnswer,
  versionHeader,
  writeCall,
} from "@assay/protocol";
import { isHttpAddress } from "../address-kind.ts";
import type { HttpClient } from "../client/http.ts";
import type { HeaderPairs } from "../recording/exchange.ts";
import type { FoundCard } from "./discover.ts";

/** A dialect that an agent speaks, with the evidence. */
export interface ProbedDialect {
  readonly dialect: DialectVersion;
  readonly because: string;
}

/**
 * Marks a request that probes the versions of an endpoint. It is not part of a conversation, so a proxy does not judge
 * it.
 */
export const probeHeader = "Assay-Probe";

/** The result of probing versions. */
export interface ProbedDialects {
  readonly found: readonly ProbedDialect[];
  /** the agent accepted a call without parameters as a message */
  readonly accepted: boolean;
}

/**
 * Finds every dialect that a JSON-RPC endpoint speaks, whatever its card says. The calls have empty parameters, so they
 * start nothing: an agent that knows the method rejects the parameters, and one that does not rejects the method. A
 * method that exists in no version shows the error code for unknown methods.
 *
 * Versions before 1.0 differ in how messages are sent. Sending is not probed on an endpoint that speaks 1.0 and knows
 * none of their other methods. Probing also stops once a message without parameters is accepted.
 */
export async function probeEveryDialect(
  client: HttpClient,
  url: string,
  headers: HeaderPairs = [],
  signal?: AbortSignal,
): Promise<ProbedDialects> {
  const asked = (method: string, more: HeaderPairs = []): Promise<MethodAnswer> =>
    askFor(client, url, method, [...more, ...headers], signal);
  const version: HeaderPairs = [[versionHeader, "1.0"]];
  const [none, noneNew, getTask, tasksGet, extendedCard] = await Promise.all([
    asked("assay/noSuchMethod"),
    asked("AssayNoSuchMethod", version),
    asked("GetTask", version),
    asked("tasks/get"),
    asked("agent/getAuthenticatedExtendedCard"),
  ]);
  const found: ProbedDialect[] = [];
  const speaksNew = differs(getTask, noneNew);
  if (speaksNew) found.push({ dialect: "1.0", because: "the endpoint knows GetTask" });
  const knows = (answer: MethodAnswer): boolean => differs(answer, none);
  // An endpoint that accepts an unknown method shows nothing.
  if (none.is === "accepted" || (speaksNew && !knows(tasksGet))) return { found, accepted: false };
  const message = await asked("message/send");
  if (knows(message))
    found.push(
      knows(extendedCard)
        ? { dialect: "0.3", because: "the endpoint knows message/send and agent/getAuthenticatedExtendedCard" }
        : { dialect: "0.2", because: "the endpoint knows message/send" },
    );
  if (message.is === "accepted") return { found, accepted: true };
  const task = await asked("tasks/send");
  if (knows(task)) found.push({ dialect: "0.1", because: "the endpoint knows tasks/send" });
  return { found, accepted: task.is === "accepted" };
}

/** Returns true if a method is known: its response differs from that of an unknown method. */
const differs = (answer: MethodAnswer, none: MethodAnswer): boolean =>
  answer.is !== "unknown" && none.is !== "dropped" && (answer.is !== none.is || answer.code !== none.code);

/**
 * Chooses the version of an older card among those that the endpoint speaks: the one that its members suggest most,
 * otherwise the newest older version. 1.0 is chosen only if the endpoint speaks nothing else. Returns the reasons of
 * both.
 */
export function meantByOlderCard(
  answered: readonly ProbedDialect[],
  members: readonly ProbedDialect[],
): ProbedDialect | undefined {
  const probed =
    answered.find(({ dialect }) => dialect === members[0]?.dialect) ??
    answered.find(({ dialect }) => dialect !== "1.0") ??
    answered[0];
  if (!probed) return undefined;
  const shown = members.find(({ dialect }) => dialect === probed.dialect);
  return { dialect: probed.dialect, because: [shown?.because, probed.because].filter(Boolean).join("; ") };
}

type MethodAnswer =
  | { readonly is: "unknown"; readonly code?: undefined }
  /** no response: an agent that crashes on the parameters knows the method */
  | { readonly is: "dropped"; readonly code?: undefined }
  | { readonly is: "accepted"; readonly code?: undefined }
  /** rejected, but not because of the method */
  | { readonly is: "known"; readonly code: number };

async function askFor(
  client: HttpClient,
  url: string,
  method: string,
  headers: HeaderPairs,
  signal?: AbortSignal,
): Promise<MethodAnswer> {
  const { http } = await client.request(
    {
      method: "POST",
      url,
      headers: [["Content-Type", "application/json"], [probeHeader, "version"], ...headers],
      body: Buffer.from(JSON.stringify(writeCall(1, method, {}))),
    },
    signal,
  );
  if (!http.response) return { is: "dropped" };
  try {
    const json = parseJson(Buffer.from(http.response.body).toString("utf8"));
    // The Python server of 0.1 omits the id in errors.
    const answer =
      isObject(json) && json["jsonrpc"] === "2.0" ? readLooseAnswer(json as JsonObject, null).answer : undefined;
    // Some old servers return "invalid request" for an unknown method, and name it.
    const { code, data } = answer?.failure ?? {};
    if (answer === undefined || isUnknownMethod(code, data)) return { is: "unknown" };
    if (code === undefined) return { is: "accepted" };
    // The JS server of 0.1 wraps every error into an internal error.
    const inner = isObject(data) && isObject(data["error"]) ? data["error"]["code"] : code;
    return isUnknownMethod(inner, undefined) ? { is: "unknown" } : { is: "known", code: Number(inner) };
  } catch {
    return { is: "unknown" };
  }
}

/** No such method, or not in this version. */
const isUnknownMethod = (code: unknown, data: unknown): boolean =>
  code === -32601 || code === -32009 || (code === -32600 && JSON.stringify(data ?? "").includes("method"));

/** Returns true if a card leaves the version open: it has the older form and names no version. */
export const isUndated = (card: JsonObject, [first]: readonly CardInterface[]): boolean =>
  first !== undefined &&
  first.binding === "JSONRPC" &&
  (first.dialect === "0.1" || first.dialect === "0.2") &&
  card["protocolVersion"] === undefined;

/** Reads a card. If it names no version, the agent is probed. */
export async function readFoundCard(
  client: HttpClient,
  { json }: Pick<FoundCard, "json">,
  headers: HeaderPairs = [],
  signal?: AbortSignal,
): Promise<NormalisedCard> {
  const read = normaliseCard(json);
  const [first] = read.interfaces;
  if (!first || !isHttpAddress(first.url) || !isUndated(json, read.interfaces)) return read;
  const { found: answered } = await probeEveryDialect(client, first.url, headers, signal);
  const probed = meantByOlderCard(answered, read.dialects);
  if (!probed) return read;
  const interfaces = read.interfaces.map((each) => ({ ...each, dialect: probed.dialect }));
  return {
    ...normaliseCard(json, probed.dialect),
    interfaces,
    // The members only suggested a version; the endpoint has shown the real one.
    dialects: [probed],
  };
}
