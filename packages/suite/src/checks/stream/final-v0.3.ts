import type { JsonObject } from "@assay/protocol";
import { asObject, isEnded, looseEvent, shown } from "../../answers/reading.ts";
import type { Call } from "../../define/call.ts";
import { type Check, passiveCheck } from "../../define/check.ts";
import { breach, broken, type Finding, holds } from "../../define/finding.ts";
import { taskStream } from "../../observations/task-stream.ts";

/** A frame of a stream: what the agent wrote, and what we read in it. */
interface Told {
  readonly is: "task" | "message" | "status" | "artifact" | "unknown";
  readonly state: string | undefined;
  /** the event itself, without what it is wrapped in over HTTP+JSON and gRPC */
  readonly event: JsonObject;
}

/** Before 1.0 each frame holds one event, so that both views have the same frames. */
function toldIn({ reply, said, on }: Call): readonly Told[] {
  if (reply.is !== "stream" || said.is !== "stream" || reply.events.length !== said.events.length) return [];
  return said.events.flatMap((frame, index): Told[] => {
    const event = looseEvent(reply.events[index]!);
    const json = frame.is === "result" ? asObject(frame.json) : undefined;
    if (!event || !json) return [];
    const wrapped = on.binding === "JSONRPC" ? json : asObject(Object.values(json)[0]);
    return [{ is: event.is, state: event.state, event: wrapped ?? json }];
  });
}

const endsWithFinal = passiveCheck({
  id: "V03-STREAM-004",
  title: "the status update that ends a task is marked as the final one",
  remedy: "Set final: true on the TaskStatusUpdateEvent with completed, failed, canceled or rejected.",
  shownBy: [taskStream],
  otherwise: "no stream told by an update how a task ended",
  judge(call) {
    const end = toldIn(call).find(({ is, state }) => is === "status" && isEnded(state));
    if (!end) return undefined;
    if (end.event["final"] === true) return holds();
    return broken("the status update that ends a task does not say that it is the final one", {
      ...shown(end.event, 240),
      want: "final: true",
      at: call,
    });
  },
});

const nothingAfterFinal = passiveCheck({
  id: "V03-STREAM-005",
  title: "nothing follows the event that is marked as final",
  remedy: "Set final: true on the last event of a stream alone, and close the stream behind it.",
  shownBy: [taskStream],
  otherwise: "no stream had an event marked as final",
  judge(call) {
    const told = toldIn(call);
    const final = told.findIndex(({ event }) => event["final"] === true);
    if (final < 0) return undefined;
    const after = told[final + 1];
    if (!after) return holds();
    const isSnapshot = after.is === "task" && isEnded(after.state) && told.length === final + 2;
    return breach(isSnapshot ? "snapshot-after-final" : "broken", "an event follows the one that is marked as final", {
      ...shown(after.event, 240),
      want: "the end of the stream",
      at: call,
    });
  },
});

const saysWhetherFinal = passiveCheck({
  id: "V03-STREAM-006",
  title: "every status update says whether it is the final one",
  remedy: "Write final as true or false on every TaskStatusUpdateEvent.",
  // Protobuf leaves out what is false.
  bindings: ["JSONRPC"],
  shownBy: [taskStream],
  otherwise: "no stream had a status update",
  judge(call) {
    const updates = toldIn(call).filter(({ is }) => is === "status");
    return updates.length === 0 ? undefined : updates.map(({ event }) => ofMember(event, call));
  },
});

function ofMember(event: JsonObject, at: Call): Finding {
  if (typeof event["final"] === "boolean") return holds();
  const found = event["final"] === undefined ? "no final" : "a final that is no boolean";
  return broken(`a status update has ${found}`, { ...shown(event, 240), want: "final: true or false", at });
}

export const finalChecks: readonly Check[] = [endsWithFinal, nothingAfterFinal, saysWhetherFinal];
