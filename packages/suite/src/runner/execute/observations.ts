import type { Observation } from "../../observation.ts";
import { firstContact } from "../../observations/first-contact.ts";
import type { RunEvent } from "../../report/events.ts";
import { interfaceName } from "../interface-name.ts";
import { observationKey } from "../plan/grant.ts";
import type { RunContext } from "../run-context.ts";
import type { InterfaceUnderTest } from "../target/interface-under-test.ts";

/** Makes each observation once per interface, principal and tenant; later callers get what the first one saw. */
export class Observations {
  readonly #made = new Map<string, Promise<unknown>>();
  readonly #emit: (event: RunEvent) => void;

  constructor(emit: (event: RunEvent) => void) {
    this.#emit = emit;
  }

  observe<T>(one: Observation<T>, target: InterfaceUnderTest, context: RunContext): Promise<T> {
    const { url, binding, dialect, tenant } = target.on;
    const key = JSON.stringify([one.name, url, binding, dialect, tenant, target.principal]);
    const known = this.#made.get(key);
    // Names are unique, so what was made under this name has this type.
    if (known) return known as Promise<T>;
    const made = this.#make(one, target, context).finally(() => context.budget.release(observationKey(one, target.on)));
    made.catch(() => {});
    this.#made.set(key, made);
    return made;
  }

  async #make<T>(one: Observation<T>, target: InterfaceUnderTest, { workSlots }: RunContext): Promise<T> {
    if (one !== (firstContact as Observation<unknown>) && !one.aside) await target.observe(firstContact);
    for (const need of one.uses ?? []) await target.observe(need);
    const make = (): Promise<T> => {
      this.#emit({ event: "observing", what: one.name, interface: interfaceName(target.on) });
      return one.make(target.forObservation(one));
    };
    return one.messages > 0 ? workSlots.run(make) : make();
  }
}
