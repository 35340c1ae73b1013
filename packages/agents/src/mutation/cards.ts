import { type AgentCard, type JsonObject, v03 } from "@assay/protocol";
import type { Handler } from "@assay/wire/server";
import { changeAnswers } from "./http.ts";

/**
 * Serves two formats of the card at one address, as the JS SDK does. A client that names 1.0 gets the usual
 * card. Others get the 0.3 format with the interfaces of 1.0 added.
 */
export const cardByVersion = (
  change: (card: JsonObject) => JsonObject = (card) => card,
): ((serve: Handler) => Handler) =>
  changeAnswers((answer, { path, headers }) => {
    if (!path.endsWith("/.well-known/agent-card.json")) return answer;
    const varied = { ...answer, headers: { ...answer.headers, Vary: "A2A-Version" } };
    if (headers["a2a-version"] === "1.0" || answer.status !== 200) return varied;
    const card = JSON.parse(String(answer.body)) as JsonObject;
    // An ETag belongs to one format.
    const kept = Object.fromEntries(Object.entries(varied.headers).filter(([name]) => name !== "ETag"));
    return { ...varied, headers: kept, body: JSON.stringify(change(inBothForms(card))) };
  });

/** Returns the card in the 0.3 format, with the interfaces of every version added. */
export function inBothForms(card: JsonObject): JsonObject {
  const { supportedInterfaces, ...rest } = card;
  const listed = supportedInterfaces as JsonObject[];
  const older = listed.filter(({ protocolVersion }) => protocolVersion === "0.3");
  const written = v03.writeCard({ ...rest, supportedInterfaces: older } as unknown as AgentCard) as JsonObject;
  return { ...written, protocolVersion: "0.3", supportedInterfaces: listed };
}
