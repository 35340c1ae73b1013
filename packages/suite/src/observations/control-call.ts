import type { JsonObject, UnaryOperation } from "@assay/protocol";
import { hasOperation } from "../answers/operations-of.ts";
import { isEnded } from "../answers/reading.ts";
import { isPage } from "../answers/served.ts";
import type { Call } from "../define/call.ts";
import { observation } from "../define/observation.ts";
import type { How, Target } from "../define/target.ts";
import { firstContact } from "./first-contact.ts";
import { isSameError } from "./send-to-unknown-task.ts";

/** A plain call that costs nothing, to be repeated with other headers: what changes then is their doing. */
export interface ControlCall {
  readonly operation: UnaryOperation;
  readonly params: JsonObject;
  /** how it was answered without any change */
  readonly control: Call;
}

export const controlCall = observation<ControlCall>({
  name: "a plain call to compare with",
  messages: 0,
  uses: [firstContact],
  async make(target) {
    // A call that succeeds shows more than one that is refused anyway.
    const params = { pageSize: 1 };
    const listed = hasOperation(target.on, "ListTasks") ? await target.call("ListTasks", params) : undefined;
    if (listed?.reply.is === "result") return { operation: "ListTasks", params, control: listed };
    // Where lists are refused, a task that is there to be read.
    const known = target.knownTask(({ state }) => isEnded(state));
    const read = known && (await target.call("GetTask", { id: known.id }));
    if (read?.reply.is === "result") return { operation: "GetTask", params: { id: known!.id }, control: read };
    const id = target.unknownId();
    return { operation: "GetTask", params: { id }, control: await target.call("GetTask", { id }) };
  },
});

export const askAgain = (target: Target, { operation, params }: ControlCall, how: How): Promise<Call> =>
  target.call(operation, params, how);

/** Answered as without the change; an agent without the operation answers with the same page of its web server. */
export const isServed = ({ control }: ControlCall, call: Call): boolean =>
  control.reply.is === "result"
    ? call.reply.is === "result"
    : isSameError(call, control) || (isPage(control) && isPage(call));
