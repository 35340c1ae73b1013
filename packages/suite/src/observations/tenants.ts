import { speakableIn } from "../agent-facts.ts";
import type { Call } from "../call.ts";
import { observation } from "../observation.ts";
import { concernsNobody } from "../obstacle.ts";
import { type LooseTask, messageIn, taskIn } from "../reading.ts";
import type { Target } from "../target.ts";
import { firstContact } from "./first-contact.ts";

/** A message for one of the tenants that the card names at this address. */
export interface InTenant {
  /** all of them, that of the message first */
  readonly tenants: readonly string[];
  readonly call: Call;
  readonly task: LooseTask | undefined;
  readonly served: boolean;
}

/** The tenants that the card names for the address of this interface. */
export const tenantsAt = ({ facts, on }: Target): readonly string[] => [
  ...new Set(
    speakableIn(facts.declared, facts.cardUrl)
      .filter(({ url, binding, dialect }) => url === on.url && binding === on.binding && dialect === on.dialect)
      .flatMap(({ tenant }) => tenant || []),
  ),
];

export const inTenant = observation<InTenant>({
  name: "a message for a tenant",
  messages: 1,
  prompts: ["task"],
  rank: 6,
  async make(target) {
    const tenants = tenantsAt(target);
    const [first] = tenants;
    if (first === undefined) throw concernsNobody("the card names no tenant at this address");
    if (first === target.on.tenant && tenants.length === 1) {
      // Everything on this interface is asked with it, so the first call has shown it already.
      return { tenants, call: await target.observe(firstContact), task: undefined, served: true };
    }
    const call = await target.under(first).send("task");
    const task = taskIn(call);
    return { tenants, call, task, served: task !== undefined || messageIn(call) !== undefined };
  },
});
