import { randomUUID } from "node:crypto";
import { type AgentDefinition, artifact, changeAnswers, intercept, status } from "@assay/agents/making";
import { type AgentCard, type JsonObject, parseJson, type SendMessageResponse } from "@assay/protocol";
import type { SituationId, TrustSituationId } from "@assay/suite";
import type { Stage } from "../stage.ts";
import { agentOf, answerOf, by, doing, saying, telling } from "./agents.ts";
import { cardLabelled, cardOnlyAt, cardPath } from "./cards.ts";
import { rewritten, signedCard } from "./signed-cards.ts";
import { asTheyAre, forgedFirst, twice } from "./webhooks.ts";

/** A token that is valid only for the agent of a situation. */
const token = "situation-token-5f1c7a90";

/** Admits callers with the token. */
const holders: NonNullable<AgentDefinition["access"]> = {
  schemes: { bearer: { httpAuthSecurityScheme: { scheme: "Bearer" } } },
  challenge: 'Bearer realm="situation"',
  identify: ({ authorization }) =>
    /^bearer +(\S+)$/i.exec(authorization ?? "")?.[1] === token ? { name: "client" } : undefined,
};

const withToken: NonNullable<Stage["arrange"]> = async () => ({ env: { ASSAY_BEARER: token } });

/** Redirects calls to the same server under another name, which is another host for a client. */
const sentOn = changeAnswers((answer, { path, query, headers }) => {
  const [host = "", port = ""] = (headers["host"] ?? "").split(":");
  if (cardPath.test(path) || host !== "127.0.0.1") return answer;
  const place = `http://localhost:${port}${path}${query ? `?${query}` : ""}`;
  return { status: 307, headers: { Location: place, "Content-Type": "text/plain" }, body: "Moved." };
});

/** An agent that a client must not call because of its card. */
const dubious = (signed: Parameters<typeof signedCard>[0]): Stage =>
  by(saying("you should not have come"), () => ({ layers: signedCard(signed) }));

/**
 * Reports that a task waits for the user's consent elsewhere. The user consents at once and the task continues. The
 * client is not notified and must poll.
 */
const awaitingConsent = intercept(["SendMessage"], async ({ request, proceed }) => {
  const { answer } = await proceed({
    ...request,
    configuration: { ...request.configuration, returnImmediately: true },
  });
  const { task } = answer as SendMessageResponse;
  if (!task) return { answer: answer! };
  const parts = [{ text: "Agree to it at https://login.invalid/agree, and I go on." }];
  const message = { messageId: randomUUID(), role: "ROLE_AGENT" as const, taskId: task.id, parts };
  return {
    answer: { task: { ...task, status: { ...task.status, state: "TASK_STATE_AUTH_REQUIRED" as const, message } } },
  };
});

/** The path of the agent for readers of its extended card. */
const membersPath = "extended-elsewhere-members";

const leadingToMembers = intercept(["GetExtendedAgentCard"], async ({ proceed }) => {
  const card = (await proceed()).answer as AgentCard;
  const supportedInterfaces = card.supportedInterfaces.map((on) => ({
    ...on,
    url: on.url.replace(/[^/]+$/, membersPath),
  }));
  return { answer: { ...card, supportedInterfaces } };
});

/** Works long enough for a client to register its webhook. */
const workedOn = (text: string) =>
  doing(async function* ({ clock, signal }) {
    yield status("working");
    await clock.sleep(5_000, signal);
    yield artifact("word", text, { last: true });
    yield status("completed");
  });

const notifying = (id: SituationId, layers: typeof asTheyAre): Stage => ({
  agent: (offered, witness) =>
    agentOf(offered, workedOn(answerOf(id)), { push: true, layers: layers(witness, answerOf(id)) }),
});

/** The agents of the situations about trust. */
export const trustStages: Readonly<Record<TrustSituationId, Stage>> = {
  "fresh-card": telling("fresh-card"),
  "stale-card": telling("stale-card", { layers: cardLabelled({ "Cache-Control": "no-cache" }) }),
  "older-card-name": telling("older-card-name", { layers: cardOnlyAt("agent.json") }),
  "signed-card": telling("signed-card", () => ({ layers: signedCard() })),
  "rewritten-card": telling("rewritten-card", () => ({ layers: signedCard({ change: rewritten }) })),
  "explicit-card": telling("explicit-card", () => ({ layers: signedCard({ explicit: true }) })),
  "forged-card": dubious({ change: (card) => ({ ...card, name: "Another agent" }) }),
  "withdrawn-key": dubious({ withdrawn: true }),
  "untrusted-certificate": { ...by(saying("you should not have come")), untrusted: true },
  login: { ...telling("login", { access: holders }), arrange: withToken },
  "foreign-redirect": {
    ...by(saying("you are elsewhere"), { access: holders, layers: { http: sentOn } }),
    arrange: withToken,
  },
  "foreign-interface": {
    ...telling("login", {
      access: holders,
      layers: {
        card: (card) => parseJson(JSON.stringify(card).replaceAll("://127.0.0.1:", "://localhost:")) as JsonObject,
      },
    }),
    arrange: withToken,
  },
  "extended-card": {
    ...telling("extended-card", { extended: { access: holders, skills: [] } }),
    arrange: withToken,
  },
  "extended-elsewhere": {
    ...by(saying("you came by the public card"), {
      extended: { access: holders, skills: [] },
      layers: { operations: leadingToMembers },
    }),
    others: (offered) => [{ ...agentOf(offered, saying(answerOf("extended-elsewhere"))), path: membersPath }],
    arrange: withToken,
  },
  authorisation: by(workedOn("the artifact says K2V9"), { layers: { operations: awaitingConsent } }),
  webhook: notifying("webhook", asTheyAre),
  "webhook-forged": notifying("webhook-forged", (witness) => forgedFirst("forged", witness)),
  "webhook-foreign": notifying("webhook-foreign", (witness) => forgedFirst("foreign", witness)),
  "webhook-old": notifying("webhook-old", (witness) => forgedFirst("old", witness)),
  "webhook-repeated": notifying("webhook-repeated", twice),
};
