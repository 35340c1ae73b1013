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

/** What came of asking for versions. */
export interface ProbedDialects {
  readonly found: readonly ProbedDialect[];
  /** the agent took one of our calls without parameters for a message */
  readonly accepted: boolean;
}

/**
 * Asks an agent whose card names no version which of the older dialects it speaks. The two calls have empty
 * parameters, so nothing is set in motion: an agent that knows the method complains about the parameters, one
 * that does not complains about the method. One that accepts the first is not asked for the second.
 */
export async function probeDialect(
  client: HttpClient,
  url: string,
  headers: HeaderPairs = [],
  signal?: AbortSignal,
): Promise<ProbedDialects> {
  const message = await askFor(client, url, "message/send", headers, signal);
  if (message === "accepted")
    return { found: [{ dialect: "0.2", because: "it accepts message/send" }], accepted: true };
  const task = await askFor(client, url, "tasks/send", headers, signal);
  const accepted = task === "accepted";
  if ((message === "unknown") === (task === "unknown")) return { found: [], accepted };
  return {
    found: [
      message === "known"
        ? { dialect: "0.2", because: "it knows message/send and not tasks/send" }
        : { dialect: "0.1", because: "it knows tasks/send and not message/send" },
    ],
    accepted,
  };
}

/**
 * Every dialect that a JSON-RPC endpoint answers to, whatever its card says. One that seems to know a method that no
 * version has tells us nothing. Versions before 1.0 differ in how messages are sent: that is not asked of an endpoint that speaks
 * 1.0 and none of their other methods, and no further once a message without parameters is accepted.
 */
export async function probeEveryDialect(
  client: HttpClient,
  url: string,
  headers: HeaderPairs = [],
  signal?: AbortSignal,
): Promise<ProbedDialects> {
  const asked = (method: string, more: HeaderPairs = []): Promise<MethodAnswer> =>
    askFor(client, url, method, [...more, ...headers], signal);
  const knows = async (method: string, more?: HeaderPairs): Promise<boolean> =>
    (await asked(method, more)) !== "unknown";
  const version: HeaderPairs = [[versionHeader, "1.0"]];
  const [anything, anythingNew, now, older, card] = await Promise.all([
    knows("assay/noSuchMethod"),
    knows("AssayNoSuchMethod", version),
    knows("GetTask", version),
    knows("tasks/get"),
    knows("agent/getAuthenticatedExtendedCard"),
  ]);
  const found: ProbedDialect[] = [];
  if (now && !anythingNew) found.push({ dialect: "1.0", because: "the endpoint knows GetTask" });
  if (anything || (now && !older)) return { found, accepted: false };
  const message = await asked("message/send");
  if (message !== "unknown")
    found.push(
      card
        ? { dialect: "0.3", because: "the endpoint knows message/send and agent/getAuthenticatedExtendedCard" }
        : { dialect: "0.2", because: "the endpoint knows message/send" },
    );
  if (message === "accepted") return { found, accepted: true };
  const task = await asked("tasks/send");
  if (task !== "unknown") found.push({ dialect: "0.1", because: "the endpoint knows tasks/send" });
  return { found, accepted: task === "accepted" };
}

type MethodAnswer = "unknown" | "known" | "accepted";

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
      headers: [["Content-Type", "application/json"], ...headers],
      body: Buffer.from(JSON.stringify(writeCall(1, method, {}))),
    },
    signal,
  );
  try {
    const json = parseJson(Buffer.from(http.response?.body ?? []).toString("utf8"));
    // The Python server of 0.1 leaves the id out of its errors.
    const answer =
      isObject(json) && json["jsonrpc"] === "2.0" ? readLooseAnswer(json as JsonObject, null).answer : undefined;
    // Some servers of then say "invalid request" for a method that they do not know, and name it.
    const { code, data } = answer?.failure ?? {};
    const isKnown =
      answer !== undefined &&
      !isUnknownMethod(code, data) &&
      // The JS server of 0.1 wraps every error into an internal one.
      !(isObject(data) && isObject(data["error"]) && isUnknownMethod(data["error"]["code"], undefined));
    return !isKnown ? "unknown" : answer.failure ? "known" : "accepted";
  } catch {
    return "unknown";
  }
}

/** No such method, or none in this version. */
const isUnknownMethod = (code: unknown, data: unknown): boolean =>
  code === -32601 || code === -32009 || (code === -32600 && JSON.stringify(data ?? "").includes("method"));

/** Whether a card leaves open which of the older dialects its agent speaks. */
export const isUndated = (card: JsonObject, [first]: readonly CardInterface[]): boolean =>
  first !== undefined &&
  first.binding === "JSONRPC" &&
  (first.dialect === "0.1" || first.dialect === "0.2") &&
  card["protocolVersion"] === undefined &&
  !isObject(card["authentication"]);
