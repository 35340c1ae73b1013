import type { Operation } from "@assay/protocol";
import type { HttpClient } from "../client/http.ts";
import type { Exchange, HeaderPairs } from "../recording/exchange.ts";
import { loginHint, paymentHint } from "./card-trouble.ts";
import { dialectFor } from "./dialects.ts";
import { challengeOf, otherAnswer } from "./endpoint-trouble.ts";
import type { Peer, PeerTrouble } from "./peer.ts";
import type { PeerInterface } from "./place.ts";
import { probeEveryDialect } from "./probe.ts";

/** The reason why an address does not behave like the agent, in the words of `assay test`, and the next step. */
export interface ContactTrouble {
  readonly kind: "login" | "payment" | "other-answer" | "other-version" | "not-a2a";
  readonly message: string;
  readonly hint: string;
}

/** An agent in contact, and the connection to it. */
export interface Contact {
  readonly peer: Peer;
  readonly chosen: PeerInterface;
  readonly http: HttpClient;
  readonly headers: HeaderPairs;
}

/** Returns the method name of an operation on this interface. */
export const methodOf = ({ binding, dialect }: PeerInterface, operation: Operation): string =>
  dialectFor(binding, dialect)?.methodOf(operation) ?? operation;

const endpointHint = "Correct the url and the binding of the interface, or remove the interface from the card.";

/**
 * Returns the reason if a message failed because the agent is missing or needs credentials; undefined for the agent's
 * own answer.
 */
export async function contactTrouble(
  trouble: PeerTrouble,
  exchange: Exchange,
  { peer, chosen, http, headers }: Contact,
): Promise<ContactTrouble | undefined> {
  const answered = `${chosen.url} answered HTTP ${exchange.http.response?.status}${challengeOf(exchange)}`;
  const status = exchange.http.response?.status;
  if (status === 401 || (status === 403 && trouble.is === "malformed"))
    return { kind: "login", message: `This agent asks for a login: ${answered}`, hint: loginHint };
  if (status === 402)
    return { kind: "payment", message: `This agent asks for payment: ${answered}`, hint: paymentHint };
  if (trouble.is === "malformed" && chosen.binding !== "GRPC") {
    const did = otherAnswer(exchange, chosen.binding);
    if (did === undefined) return undefined;
    const hint = did.startsWith("redirects") ? "Put the address that it redirects to on the card." : endpointHint;
    return { kind: "other-answer", message: `${chosen.url} does not speak ${chosen.binding}: it ${did}`, hint };
  }
  const isUnknown = (one: PeerTrouble | { readonly is: "value" }): boolean =>
    one.is === "error" && (one.error.code === -32601 || one.error.code === -32009);
  if (chosen.binding !== "JSONRPC" || !isUnknown(trouble)) return undefined;
  const [spoken] = (await probeEveryDialect(http, chosen.url, headers)).found;
  if (spoken && spoken.dialect !== chosen.dialect) {
    const method = methodOf({ ...chosen, dialect: spoken.dialect }, "SendMessage");
    return {
      kind: "other-version",
      message: `${chosen.url} speaks ${spoken.dialect} (${method}), not ${chosen.dialect} as its card says`,
      hint: `Declare ${spoken.dialect} on the card, or serve the methods of ${chosen.dialect}.`,
    };
  }
  if (!isUnknown(await peer.call("GetTask", { id: "assay-unknown" }))) return undefined;
  // Versions before 1.0 have no list operation.
  if (chosen.dialect === "1.0" && !isUnknown(await peer.call("ListTasks", {}))) return undefined;
  const names = chosen.dialect === "1.0" ? "GetTask, ListTasks" : methodOf(chosen, "GetTask");
  return {
    kind: "not-a2a",
    message: `${chosen.url} does not speak A2A: ${names} and ${methodOf(chosen, "SendMessage")} are unknown there (-32601)`,
    hint: endpointHint,
  };
}
