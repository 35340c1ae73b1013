import type { Perform } from "../http/host.ts";
import { mutant } from "../mutant.ts";

export const tenantMutants = [
  mutant("TEN-005.any", "full", "Serves tenants that it does not have.", {
    gate: (gate) => ({
      ...gate,
      tenant: (tenant, agent) => (tenant && !agent.tenants?.includes(tenant) ? "" : gate.tenant(tenant, agent)),
    }),
  }),

  mutant("TEN-006.one-room", "full", "Keeps the tasks of all tenants together.", {
    operations:
      (perform): Perform =>
      (host, operation, request, invocation) =>
        perform(host, operation, request, { ...invocation, tenant: "" }),
  }),
];
