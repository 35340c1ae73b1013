import { type LooseTask, messageIn, taskIn } from "../answers/reading.ts";
import { speakableIn } from "../card/agent-facts.ts";
import type { Call } from "../define/call.ts";
import { observation } from "../define/observation.ts";
import { doesNotApply } from "../define/obstacle.ts";
import type { Target } from "../define/target.ts";

/** A message for one of the tenants that the card names at this address. */
export interface InTenant {
  /** all tenants, that of the message first */
  readonly tenants: readonly string[];
  readonly call: Call;
  readonly task: LooseTask | undefined;
  readonly served: boolean;
  /** if it was not served: the same message without a tenant, if that was served */
  readonly control: Call | undefined;
}

/** Returns the tenants that the card names for the address of this interface. */
export const tenantsAt = ({ facts, on }: Target): readonly string[] => [
  ...new Set(
    speakableIn(facts.declared, facts.cardUrl)
      .filter(({ url, binding, dialect }) => url === on.url && binding === on.binding && dialect === on.dialect)
      .flatMap(({ tenant }) => tenant || []),
  ),
];

export const inTenant = observation<InTenant>("a message for a tenant", {
  messages: 1,
  prompts: ["task"],
  rank: 6,
  async make(target) {
    const tenants = tenantsAt(target);
    const [first] = tenants;
    if (first === undefined) throw doesNotApply("the card has no tenant at this address");
    const call = await target.under(first).send("task");
    const task = taskIn(call);
    const served = task !== undefined || messageIn(call) !== undefined;
    // Uses the reserve, because without this message the role of the tenant is unclear.
    const plain = served ? undefined : await target.under(undefined).send("task");
    const control = plain && (taskIn(plain) !== undefined || messageIn(plain) !== undefined) ? plain : undefined;
    return { tenants, call, task, served, control };
  },
});
