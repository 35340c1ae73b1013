import { A2AError } from "@assay/protocol";
import type { Handler } from "@assay/wire/server";
import { type Divergence, mutant } from "../mutant.ts";
import type { Perform } from "../server/agent-host.ts";

export const tenantMutants: readonly Divergence[] = [
  mutant("TEN-003.unknown-member", "full", "Knows no tenant, though its card names some.", {
    admission: (admission) => ({
      ...admission,
      tenant(tenant) {
        if (tenant) throw new A2AError("InvalidParams", "Unknown member: tenant");
        return "";
      },
    }),
  }),

  mutant("TEN-004.send-only", "full", "Has a path with the tenant for messages only.", {
    http:
      (serve: Handler): Handler =>
      (request, reply) =>
        // Below the agent's own path, which is one or two segments long.
        /\/(north|south)\//.test(request.path) && !/\/message:/.test(request.path)
          ? reply.send(404, { "Content-Type": "application/json" }, '{"detail":"Not Found"}')
          : serve(request, reply),
  }),

  mutant("TEN-005.any", "full", "Serves tenants that it does not have.", {
    admission: (admission) => ({
      ...admission,
      tenant: (tenant, agent) => (tenant && !agent.tenants?.includes(tenant) ? "" : admission.tenant(tenant, agent)),
    }),
  }),

  mutant("TEN-006.one-room", "full", "Keeps the tasks of all tenants together.", {
    operations:
      (perform): Perform =>
      (host, operation, request, invocation) =>
        perform(host, operation, request, { ...invocation, tenant: "" }),
  }),

  mutant("TEN-008.compulsory", "minimal", "Asks for a tenant, though its card names none.", {
    admission: (admission) => ({
      ...admission,
      tenant(tenant, agent) {
        if (!tenant) throw new A2AError("InvalidParams", "Missing tenant");
        return admission.tenant(tenant, agent);
      },
    }),
  }),
];
