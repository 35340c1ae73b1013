import type { Operation } from "@assay/protocol";
import { operationsOf } from "../answers/operations-of.ts";
import type { Call } from "../define/call.ts";
import { observation } from "../define/observation.ts";
import { type SentCalls, sentCalls } from "./sent-calls.ts";
import { ask, begins, paramsFor, unknownTask } from "./unknown-task.ts";

/** Every operation once, whether or not the card claims it, with input that is in order and about a task that does not exist. */
export const everyOperation = observation<SentCalls<{ readonly operation: Operation; readonly call: Call }>>({
  name: "each of the operations",
  messages: 0,
  uses: [unknownTask],
  async make(target) {
    const asked = await target.observe(unknownTask);
    const rest = operationsOf(target.on).filter(
      (each) => !begins(each, target) && !asked.some((one) => one.operation === each),
    );
    const others = rest.map(async (operation) => ({
      operation,
      call: await ask(target, operation, paramsFor(target, operation)),
    }));
    const later = await sentCalls(others);
    const unsent = asked.unsent ?? later.unsent;
    return Object.assign([...asked, ...later], unsent && { unsent });
  },
});
