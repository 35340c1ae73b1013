import { speakableIn } from "../agent-facts.ts";
import type { Lab } from "../lab.ts";
import { observation } from "../observation.ts";
import { concernsNobody } from "../obstacle.ts";
import { type LooseTask, messageIn, taskIn } from "../reading.ts";
import type { Talk } from "../talk.ts";
import { contact } from "./contact.ts";

/** A message for one of the tenants that the card names at this address. */
export interface InTenant {
  /** all of them, that of the message first */
  readonly tenants: readonly string[];
  readonly talk: Talk;
  readonly task: LooseTask | undefined;
  readonly served: boolean;
}

/** The tenants that the card names for the address of this interface. */
export const tenantsAt = ({ facts, on }: Lab): readonly string[] => [
  ...new Set(
    speakableIn(facts.declared)
      .filter(({ url, binding, dialect }) => url === on.url && binding === on.binding && dialect === on.dialect)
      .flatMap(({ tenant }) => tenant || []),
  ),
];

export const inTenant = observation<InTenant>({
  name: "a message for a tenant",
  messages: 1,
  prompts: ["task"],
  rank: 6,
  async make(lab) {
    const tenants = tenantsAt(lab);
    const [first] = tenants;
    if (first === undefined) throw concernsNobody("the card names no tenant at this address");
    if (first === lab.on.tenant && tenants.length === 1) {
      // Everything on this interface is asked with it, so the first call has shown it already.
      return { tenants, talk: await lab.observe(contact), task: undefined, served: true };
    }
    const talk = await lab.under(first).send("task");
    const task = taskIn(talk);
    return { tenants, talk, task, served: task !== undefined || messageIn(talk) !== undefined };
  },
});
