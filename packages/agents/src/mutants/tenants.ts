import { A2AError, type JsonObject } from "@assay/protocol";
import type { Handler } from "@assay/wire/server";
import { type Divergence, full, minimal } from "../definition/divergence.ts";
import { changeAnswers, changeRequests } from "../mutation/http.ts";
import { changed } from "../mutation/operations.ts";

/** Routes only messages with a tenant in the path. */
const messagesOnly =
  (serve: Handler): Handler =>
  (request, reply) =>
    // Below the agent's own path, which is one or two segments long.
    /\/(north|south)\//.test(request.path) && !/\/message:/.test(request.path)
      ? reply.send(404, { "Content-Type": "application/json" }, '{"detail":"Not Found"}')
      : serve(request, reply);

/** Gives every interface on the card the tenant north. */
const underNorth = changeAnswers((answer, { path }) => {
  if (!path.endsWith("/agent-card.json") || answer.status !== 200) return answer;
  const card = JSON.parse(String(answer.body)) as JsonObject;
  const named = (card["supportedInterfaces"] as JsonObject[]).filter(({ tenant }) => tenant === "north");
  return { ...answer, body: JSON.stringify({ ...card, supportedInterfaces: named }) };
});

/** Replaces the tenant of requests by an unknown one. */
const toNowhere = changeRequests((request) => ({
  path: request.path.replace("/north/", "/nowhere/"),
  body: async () => Buffer.from(String(await request.body()).replace('"tenant":"north"', '"tenant":"nowhere"')),
}));

export const tenantMutants: readonly Divergence[] = [
  full("TEN-003.unknown-member", "The agent rejects the tenant that its card declares.", {
    admission: (admission) => ({
      ...admission,
      tenant(tenant) {
        if (tenant) throw new A2AError("InvalidParams", "Unknown member: tenant");
        return "";
      },
    }),
  }),

  full("TEN-004.send-only", "Only /message:send has a route with the tenant.", {
    http: messagesOnly,
  }),

  full("TEN-003.only-tenants", "Rejects every tenant, although its card has one in every interface.", {
    http: (serve) => underNorth(toNowhere(serve)),
  }),

  full("TEN-004.only-tenants", "With the only tenant of its card, only messages have a path.", {
    http: (serve) => underNorth(messagesOnly(serve)),
  }),

  full("TEN-005.any", "The agent accepts any tenant.", {
    admission: (admission) => ({
      ...admission,
      tenant: (tenant, agent) => (tenant && !agent.tenants?.includes(tenant) ? "" : admission.tenant(tenant, agent)),
    }),
  }),

  full("TEN-006.one-room", "GetTask in one tenant returns a task of another.", {
    operations: (perform, agent) => (operation, request, invocation) =>
      perform(operation, request, changed(invocation, { tenant: "" }, agent)),
  }),

  minimal("TEN-008.compulsory", "The agent requires a tenant although its card declares none.", {
    admission: (admission) => ({
      ...admission,
      tenant(tenant, agent) {
        if (!tenant) throw new A2AError("InvalidParams", "Missing tenant");
        return admission.tenant(tenant, agent);
      },
    }),
  }),
];
