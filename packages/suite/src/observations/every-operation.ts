import type { Operation } from "@assay/protocol";
import { observation } from "../observation.ts";
import { operationsOf } from "../operations-of.ts";
import type { Talk } from "../talk.ts";
import { ask, paramsFor, unknownTask } from "./unknown-task.ts";

/** Every operation once, whether or not the card claims it, with input that is in order and makes no work. */
export const everyOperation = observation<readonly { readonly operation: Operation; readonly talk: Talk }[]>({
  name: "each of the operations",
  messages: 0,
  uses: [unknownTask],
  async make(lab) {
    const asked = await lab.observe(unknownTask);
    const rest = operationsOf(lab.on).filter((each) => !asked.some((one) => one.operation === each));
    const others = rest.map(async (operation) => ({
      operation,
      talk: await ask(lab, operation, paramsFor(lab, operation)),
    }));
    return [...asked, ...(await Promise.all(others))];
  },
});
