import {
  type CardInterface,
  type DialectVersion,
  isObject,
  type JsonObject,
  parseJson,
  readLooseAnswer,
  versionHeader,
  writeCall,
} from "@assay/protocol";
import type { HttpClient } from "../client/http.ts";
import type { HeaderPairs } from "../recording/exchange.ts";

/** What an agent let show of its dialect, and how. */
export interface ProbedDialect {
  readonly dialect: DialectVersion;
  readonly because: string;
}

/**
 * Marks a request that asks which versions an endpoint answers to. It is not part of a conversation, so a proxy between the
 * two does not judge it.
 */
export const probeHeader = "Assay-Probe";

/** What came of asking for versions. */
export interface ProbedDialects {
  readonly found: readonly ProbedDialect[];
  /** the agent took one of our calls without parameters for a message */
  readonly accepted: boolean;
}

/**
 * Every dialect that a JSON-RPC endpoint answers to, whatever its card says. The calls have empty parameters, so nothing is
 * set in motion: an agent that knows the method complains about the parameters, one that does not complains about the
 * method. With which code is told by a method that no version has: what is answered just so is not known. Versions before
 * 1.0 differ in how messages are sent: that is not asked of an endpoint that speaks 1.0 and none of their other methods,
 * and no further once a message without parameters is accepted.
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
  // One that takes what no version has tells us nothing.
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

/** Whether a method is known: it has another effect than one that no version has. */
const differs = (answer: MethodAnswer, none: MethodAnswer): boolean =>
  answer.is !== "unknown" && none.is !== "dropped" && (answer.is !== none.is || answer.code !== none.code);

/**
 * Of all that an endpoint answers to, what a card in the form of older versions means: what its members give most reason for,
 * else the newest that has such cards; 1.0 only where the endpoint speaks nothing else. Told with the reasons of both.
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
  /** no answer: an agent that breaks down over the parameters knows the method */
  | { readonly is: "dropped"; readonly code?: undefined }
  | { readonly is: "accepted"; readonly code?: undefined }
  /** refused, and not for the method */
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
    // The Python server of 0.1 leaves the id out of its errors.
    const answer =
      isObject(json) && json["jsonrpc"] === "2.0" ? readLooseAnswer(json as JsonObject, null).answer : undefined;
    // Some servers of then say "invalid request" for a method that they do not know, and name it.
    const { code, data } = answer?.failure ?? {};
    if (answer === undefined || isUnknownMethod(code, data)) return { is: "unknown" };
    if (code === undefined) return { is: "accepted" };
    // The JS server of 0.1 wraps every error into an internal one.
    const inner = isObject(data) && isObject(data["error"]) ? data["error"]["code"] : code;
    return isUnknownMethod(inner, undefined) ? { is: "unknown" } : { is: "known", code: Number(inner) };
  } catch {
    return { is: "unknown" };
  }
}

/** No such method, or none in this version. */
const isUnknownMethod = (code: unknown, data: unknown): boolean =>
  code === -32601 || code === -32009 || (code === -32600 && JSON.stringify(data ?? "").includes("method"));

/** Whether a card leaves open which version its agent speaks: it is in the form of older ones, and names none. */
export const isUndated = (card: JsonObject, [first]: readonly CardInterface[]): boolean =>
  first !== undefined &&
  first.binding === "JSONRPC" &&
  (first.dialect === "0.1" || first.dialect === "0.2") &&
  card["protocolVersion"] === undefined;
