import type { HeaderPairs } from "@assay/wire";
import type { AgentOffer, ClientRequest } from "../../../client/client-request.ts";
import { judgeCall } from "../../../client/judge-call.ts";
import { createRequestReader } from "../../../client/read-request.ts";
import { type Breach, isBreach } from "../../../define/finding.ts";
import { ruleIn } from "../../../rules/catalogue.ts";
import { judgementOf } from "../../../rules/policy.ts";

/** A request of a client, and the JSON response to it. */
export interface Sent {
  readonly method?: string;
  /** default: the first interface of the card */
  readonly to?: string;
  readonly headers: HeaderPairs;
  readonly body?: unknown;
  readonly answer?: unknown;
}

let exchanges = 0;

/** Builds an exchange as a server records it. */
export const exchangeOf = (url: string, { method = "POST", to = url, headers, body, answer }: Sent) => {
  const bytes =
    body === undefined ? new Uint8Array() : Buffer.from(typeof body === "string" ? body : JSON.stringify(body));
  const empty = new Uint8Array();
  return {
    id: `x${++exchanges}`,
    transport: { sent: empty, sentTruncated: false, received: empty, receivedTruncated: false, reused: false },
    http: {
      request: { method, url: to, headers, body: bytes, bodyTruncated: false },
      response: {
        ...{ status: 200, statusText: "OK", headers: [], trailers: [], bodyTruncated: false },
        body: Buffer.from(JSON.stringify({ jsonrpc: "2.0", id: 1, result: answer ?? {} })),
      },
    },
    timing: { startedAt: "2026-11-16T00:00:00.000Z", end: 1 },
  };
};

/** Lists the rules that the last request breaks. */
export const rulesBroken = (agent: AgentOffer, sent: readonly Sent[]): Promise<string[]> =>
  broken(agent, sent, () => true);

/** Lists the rules that the last request fails, without warnings. */
export const rulesFailed = (agent: AgentOffer, sent: readonly Sent[]): Promise<string[]> =>
  broken(agent, sent, (breach, rule) => {
    const judged = {
      rule: ruleIn("1.0", rule)!,
      dialect: "1.0",
      set: "1.0.1-r1",
      strict: true,
      declared: true,
    } as const;
    return judgementOf(breach, judged).verdict === "fail";
  });

async function broken(
  agent: AgentOffer,
  sent: readonly Sent[],
  counts: (breach: Breach, rule: string) => boolean,
): Promise<string[]> {
  const read = await createRequestReader(agent);
  const { url } = agent.interfaces[0]!;
  const requests: ClientRequest[] = sent.map((each) => read(exchangeOf(url, each)));
  const last = requests.at(-1)!;
  if (last.is !== "call") return [last.is];
  return judgeCall(last, { agent, before: requests.slice(0, -1), whole: true })
    .filter(({ findings, check }) => findings.some((finding) => isBreach(finding) && counts(finding, check.id)))
    .map(({ check }) => check.id);
}
