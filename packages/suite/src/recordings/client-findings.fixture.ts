import { exchangeOf, type Sent } from "../checks/client/passive/judged.fixture.ts";
import { situationChecks } from "../checks/index.ts";
import { offerOf } from "../client/agent-offer.ts";
import type { ClientRequest } from "../client/client-request.ts";
import { judgeCall } from "../client/judge-call.ts";
import { createRequestReader } from "../client/read-request.ts";
import type { SituationSeen } from "../client/situation-check.ts";
import { type SituationId, situationOf } from "../client/situations.ts";
import type { Replayed } from "./replay.fixture.ts";

/** Recordings hold what agents do. These clients reach the rows of severity.yaml about clients. */

const url = "http://127.0.0.1:4040/agent";
const agent = offerOf(
  {
    name: "Agent",
    description: "An agent",
    version: "1",
    supportedInterfaces: [
      { url, protocolBinding: "JSONRPC", protocolVersion: "1.0" },
      { url, protocolBinding: "HTTP+JSON", protocolVersion: "1.0" },
    ],
    capabilities: {},
    defaultInputModes: ["text/plain"],
    defaultOutputModes: ["text/plain"],
    skills: [],
  },
  `${url}/.well-known/agent-card.json`,
);
const params = { message: { messageId: "m1", role: "ROLE_USER", parts: [{ text: "hi" }] } };
const read = await createRequestReader(agent);

/** Judges one request by the checks of any call. */
function judged(sent: Sent): readonly Replayed[] {
  const call = read(exchangeOf(url, sent));
  if (call.is !== "call") throw new TypeError(`It is read as ${call.is}.`);
  return judgeCall(call, { agent, before: [] }).map(({ check, findings }) => ({
    where: { rule: check.id, dialect: call.on.dialect, binding: call.on.binding },
    found: findings,
  }));
}

/** Judges what a client did in a situation. */
function judgedIn(id: SituationId, requests: readonly ClientRequest[], exit: number): readonly Replayed[] {
  const outcome = { exit, output: "", errors: "", dropped: 0, duration_ms: 1 };
  const seen: SituationSeen = {
    ...{ situation: situationOf(id)!, agent, requests, ended: "done", runs: [outcome], prints: false },
    ...{ notifications: [], distrusted: 0, speaks: agent.interfaces },
  };
  return situationChecks
    .filter((check) => check.in.includes(id))
    .map((check) => ({ where: { rule: check.id, dialect: "1.0" }, found: check.judge(seen) ?? [] }));
}

const json = ["Content-Type", "application/json"] as const;
const rest: Sent = {
  to: `${url}/message:send`,
  headers: [
    ["A2A-Version", "1.0"],
    ["Content-Type", "application/a2a+json"],
  ],
  body: params,
};

export const clientFindings: readonly Replayed[] = [
  // The version has a patch number.
  ...judged({
    headers: [["A2A-Version", "1.0.1"], json],
    body: { jsonrpc: "2.0", id: 1, method: "SendMessage", params },
  }),
  // The id is null.
  ...judged({
    headers: [["A2A-Version", "1.0"], json],
    body: { jsonrpc: "2.0", id: null, method: "SendMessage", params },
  }),
  // Its bodies have the media type of 1.0.0.
  ...judged({ ...rest, headers: [["A2A-Version", "1.0"], json] }),
  // It speaks both bindings, and prefers the second one of the card.
  ...judgedIn("preference", [read(exchangeOf(url, rest))], 0),
  // It fetches the key of a card that is signed with an explicit default, and does not accept the card.
  ...judgedIn("explicit-card", [{ is: "keys", exchange: exchangeOf(url, { method: "GET", headers: [] }) }], 1),
];
