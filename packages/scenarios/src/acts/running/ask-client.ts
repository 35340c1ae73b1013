import { randomUUID } from "node:crypto";
import { isObject, type JsonObject, type JsonValue } from "@assay/protocol";
import type { Target } from "@assay/suite";
import type { ClientStep } from "../model.ts";
import { answerOf, brief, type StepAnswer } from "./answer.ts";
import { Skipped } from "./verdicts.ts";

/**
 * Passes a payload to the client of the implementation under test and returns what it parsed. The agent gets
 * the behaviour `tck-client-parse`: the payload is sent as data, and the result returns as the artifact's
 * data.
 */
export async function askClient({ operation }: ClientStep, payload: JsonValue, target: Target): Promise<StepAnswer> {
  const message: JsonObject = {
    messageId: randomUUID(),
    role: "ROLE_USER",
    parts: [{ text: "tck-client-parse" }, { data: { operation, wire_payload: payload } }],
  };
  const sent = `SendMessage tck-client-parse ${brief({ operation, wire_payload: payload })}`;
  const { exchange, reply } = await target.call("SendMessage", { message });
  const answer = answerOf(exchange, reply, target.on, { sent, message: JSON.stringify({ message }) });
  const parsed = readingIn(answer.root);
  if (parsed === undefined)
    throw new Skipped(
      "the agent does not support tck-client-parse, the behaviour that exercises its client; use assay client to test clients directly",
    );
  return { ...answer, root: parsed, saw: `its client read: ${brief(parsed)}` };
}

function readingIn(root: JsonValue | undefined): JsonValue | undefined {
  const task = isObject(root) ? root["task"] : undefined;
  const artifacts = isObject(task) && Array.isArray(task["artifacts"]) ? task["artifacts"] : [];
  const [first] = artifacts;
  const parts = isObject(first) && Array.isArray(first["parts"]) ? first["parts"] : [];
  const [part] = parts;
  return isObject(part) ? (part["data"] as JsonValue | undefined) : undefined;
}
