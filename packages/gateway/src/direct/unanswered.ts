import { jsonObjectIn } from "@assay/protocol";
import { otherAnswer, type PeerInterface } from "@assay/wire";
import { answerText } from "../compare.ts";
import type { AgentPath } from "./agent-path.ts";
import { malformedRequest } from "./malformed.ts";

/** The reason why an interface does not answer on a path. */
export interface Unanswered {
  /** continues a sentence about the agent or the gateway */
  readonly because: string;
  readonly kind: "silent" | "login" | "elsewhere";
}

/** Statuses of servers that do not know an address. */
const unknownAddress = [404, 405, 501];

/** Asks for an unknown task. Returns undefined if the agent answers, even if the gateway changes its answer. */
export async function unanswered(
  path: AgentPath,
  on: PeerInterface,
  unknownId: string,
  signal: AbortSignal,
): Promise<Unanswered | undefined> {
  const { exchange, is } = await path.peer(on).call("GetTask", { id: unknownId }, signal);
  const { failure, http } = exchange;
  if (!http.response) return { because: `did not answer: ${failure?.message ?? "unknown reason"}`, kind: "silent" };
  const { status } = http.response;
  if (status === 401 || status === 407 || (status === 403 && is === "malformed"))
    return { because: `asks for credentials: HTTP ${status}`, kind: "login" };
  if (is !== "malformed") return undefined;
  if (status >= 300 && status < 400)
    return { because: otherAnswer(exchange, on.binding) ?? `answered HTTP ${status}`, kind: "elsewhere" };
  if (!unknownAddress.includes(status)) return undefined;
  // An agent distinguishes an unknown task from a malformed body. A server without a route does not.
  const other = await path.request(await malformedRequest(path, on));
  const isPage = jsonObjectIn(answerText(other)) === undefined;
  return other.http.response && unknownAddress.includes(other.http.response.status) && isPage
    ? { because: `answered HTTP ${status}`, kind: "elsewhere" }
    : undefined;
}
