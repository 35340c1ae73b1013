/** A client of A2A 0.3 over JSON-RPC on plain fetch. It sends one message and prints the text of the answer. */
import { randomUUID } from "node:crypto";

/** Declines a situation of `assay client`. */
const declined = 75;

const { ASSAY_AGENT_URL: base, ASSAY_ACTION: action, ASSAY_MESSAGE: text } = process.env;
if (action !== "send") process.exit(declined);
const card = await (await fetch(`${base}/.well-known/agent-card.json`)).json();
if (typeof card.url !== "string") throw new Error("The card has no url, so this is no agent of 0.3.");
const message = { kind: "message", messageId: randomUUID(), role: "user", parts: [{ kind: "text", text }] };
const answer = await fetch(card.url, {
  method: "POST",
  headers: { "Content-Type": "application/json" },
  body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "message/send", params: { message } }),
});
const { result, error } = await answer.json();
if (error) throw new Error(`${error.code} ${error.message}`);
const { parts } =
  result.kind === "message" ? result : (result.status.message ?? result.artifacts?.[0] ?? { parts: [] });
console.log(parts.map((part) => part.text ?? "").join(""));
