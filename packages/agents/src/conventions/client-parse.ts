import { isObject, type JsonValue, normaliseCard, readRpcAnswer, v10 } from "@assay/protocol";
import { artifact, status, type Turn } from "../definition/skill.ts";
import type { SkillScript } from "./script.ts";

interface Reading {
  /** the value that the client returns */
  readonly parsed: JsonValue;
  /** problems in the payload, with their paths */
  readonly complaints: readonly string[];
}

const answers = { send_message: "SendMessage", get_task: "GetTask" } as const;
const cards = ["get_agent_card", "get_extended_agent_card"];

/**
 * Tests the client of the agent: ACTS sends a server's response and asks how this client reads it. The first
 * part of the reply artifact is the parsed value, the second lists schema violations. The client also returns
 * payloads with violations, so the test still sees the parsed value.
 */
export function clientParse({ message }: Turn): SkillScript {
  const request = message.parts.map(({ data }): unknown => data).find(isObject);
  const operation = request?.["operation"];
  const payload = request?.["wire_payload"];
  if (typeof operation !== "string" || payload === undefined) {
    return [status("failed", "[tck-client-parse] Send a data part with the members operation and wire_payload.")];
  }
  // The data of a part arrived as JSON, so its members are JSON.
  const { parsed, complaints } = readPayload(operation, payload as JsonValue);
  const parts = [{ data: parsed }, ...(complaints.length ? [{ text: complaints.join("\n") }] : [])];
  return [artifact("parsed", parts, { last: true }), status("completed", `[tck-client-parse] Read ${operation}.`)];
}

function readPayload(operation: string, payload: JsonValue): Reading {
  // Cards are fetched by plain HTTP, so a payload without an envelope is the card itself.
  const isBare = cards.includes(operation) && !(isObject(payload) && "jsonrpc" in payload);
  const answer = isBare ? { result: payload } : readRpcAnswer(payload);
  if (!answer) return failure("The payload is not a JSON-RPC response with either a result or an error");
  if ("failure" in answer && answer.failure) return { parsed: { error: { ...answer.failure } }, complaints: [] };
  return readResult(operation, answer.result);
}

function readResult(operation: string, result: JsonValue): Reading {
  if (cards.includes(operation)) {
    const { card, findings } = normaliseCard(result);
    if (!card) return failure("The payload is not an Agent Card of A2A 1.0");
    return {
      parsed: card as unknown as JsonValue,
      complaints: findings.map(({ path, message }) => `${path}: ${message}`),
    };
  }
  if (!isAnswered(operation)) return failure(`This client does not support the operation ${operation.slice(0, 80)}`);
  const { value, violations = [] } = v10.readAnswer(answers[operation], result);
  return {
    parsed: value === undefined ? result : (value as unknown as JsonValue),
    complaints: violations.map(({ path, message }) => `${path}: ${message}`),
  };
}

const isAnswered = (operation: string): operation is keyof typeof answers => Object.hasOwn(answers, operation);

const failure = (message: string): Reading => ({ parsed: { error: { message } }, complaints: [] });
