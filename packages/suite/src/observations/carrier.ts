import type { JsonObject, UnaryOperation } from "@assay/protocol";
import type { How, Lab } from "../lab.ts";
import { observation } from "../observation.ts";
import { hasOperation } from "../operations-of.ts";
import type { Talk } from "../talk.ts";
import { contact } from "./contact.ts";
import { isSameError } from "./in-vain.ts";

/** A plain call that costs nothing, to be repeated with other headers: what changes then is their doing. */
export interface Carrier {
  readonly operation: UnaryOperation;
  readonly params: JsonObject;
  /** how it was answered without any change */
  readonly control: Talk;
}

export const carrier = observation<Carrier>({
  name: "a plain call to compare with",
  messages: 0,
  uses: [contact],
  async make(lab) {
    // A call that succeeds shows more than one that is refused anyway.
    const params = { pageSize: 1 };
    const listed = hasOperation(lab.on, "ListTasks") ? await lab.call("ListTasks", params) : undefined;
    if (listed?.reply.is === "result") return { operation: "ListTasks", params, control: listed };
    const id = lab.unknownId();
    return { operation: "GetTask", params: { id }, control: await lab.call("GetTask", { id }) };
  },
});

export const askAgain = (lab: Lab, { operation, params }: Carrier, how: How): Promise<Talk> =>
  lab.call(operation, params, how);

/** Answered as without the change. */
export const isServed = ({ control }: Carrier, talk: Talk): boolean =>
  control.reply.is === "result" ? talk.reply.is === "result" : isSameError(talk, control);
