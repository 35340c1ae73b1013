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
 * Asks an agent whose card names no version which of the older dialects it speaks. The two calls have empty
 * parameters, so nothing is set in motion: an agent that knows the method complains about the parameters, one
 * that does not complains about the method.
 */
export async function probeDialect(
  client: HttpClient,
  url: string,
  headers: HeaderPairs = [],
): Promise<ProbedDialect | undefined> {
  const [message, task] = await Promise.all(
    ["message/send", "tasks/send"].map((method) => knows(client, url, method, headers)),
  );
  if (message === task) return undefined;
  return message
    ? { dialect: "0.2", because: "it knows message/send and not tasks/send" }
    : { dialect: "0.1", because: "it knows tasks/send and not message/send" };
}

/**
 * Every dialect that a JSON-RPC endpoint answers to, whatever its card says. One that seems to know a method that no version has
 * tells us nothing.
 */
export async function probeEveryDialect(
  client: HttpClient,
  url: string,
  headers: HeaderPairs = [],
): Promise<ProbedDialect[]> {
  const asked = async (method: string, more: HeaderPairs = []): Promise<boolean> =>
    knows(client, url, method, [...more, ...headers]);
  const version: HeaderPairs = [[versionHeader, "1.0"]];
  const [anything, anythingNew, now, message, card, task] = await Promise.all([
    asked("assay/noSuchMethod"),
    asked("AssayNoSuchMethod", version),
    asked("SendMessage", version),
    asked("message/send"),
    asked("agent/getAuthenticatedExtendedCard"),
    asked("tasks/send"),
  ]);
  const found: ProbedDialect[] = [];
  if (now && !anythingNew) found.push({ dialect: "1.0", because: "the endpoint knows SendMessage" });
  if (anything) return found;
  if (message)
    found.push(
      card
        ? { dialect: "0.3", because: "the endpoint knows message/send and agent/getAuthenticatedExtendedCard" }
        : { dialect: "0.2", because: "the endpoint knows message/send" },
    );
  if (task) found.push({ dialect: "0.1", because: "the endpoint knows tasks/send" });
  return found;
}

async function knows(client: HttpClient, url: string, method: string, headers: HeaderPairs): Promise<boolean> {
  const body = Buffer.from(JSON.stringify(writeCall(1, method, {})));
  const { http } = await client.request({
    method: "POST",
    url,
    headers: [["Content-Type", "application/json"], ...headers],
    body,
  });
  try {
    const json = parseJson(Buffer.from(http.response?.body ?? []).toString("utf8"));
    // The Python server of 0.1 leaves the id out of its errors.
    const answer =
      isObject(json) && json["jsonrpc"] === "2.0" ? readLooseAnswer(json as JsonObject, null).answer : undefined;
    // Some servers of then say "invalid request" for a method that they do not know, and name it.
    const { code, data } = answer?.failure ?? {};
    return (
      answer !== undefined &&
      !isUnknownMethod(code, data) &&
      // The JS server of 0.1 wraps every error into an internal one.
      !(isObject(data) && isObject(data["error"]) && isUnknownMethod(data["error"]["code"], undefined))
    );
  } catch {
    return false;
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
