import { isTerminal, type StreamResponse } from "@assay/protocol";
import { instead, retell } from "../bending/operations.ts";
import { mutant } from "../mutant.ts";

async function* only(event: StreamResponse): AsyncGenerator<StreamResponse> {
  yield event;
}

export const subscribeMutants = [
  mutant("SUB-001.no-snapshot", "spec", "Tells a subscriber what happens next, but not how the task stands.", {
    operations: retell(["SubscribeToTask"], async function* (events) {
      for await (const event of events) if (!event.task) yield event;
    }),
  }),

  mutant("SUB-003.replays", "spec", "Shows an ended task to those who subscribe to it, instead of refusing.", {
    operations: instead(["SubscribeToTask"], async ({ request, proceed, ask }) => {
      const task = await ask("GetTask", { id: request.id });
      return isTerminal(task.status.state) ? { events: only({ task }) } : proceed();
    }),
  }),
];
