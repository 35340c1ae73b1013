import { observation } from "../observation.ts";
import { concernsNobody, heldUp, skipped } from "../obstacle.ts";
import { describeReply, errorOf, messageIn, taskIn } from "../reading.ts";
import type { Talk } from "../talk.ts";
import { settled } from "./settled.ts";

/** A message answered with a message, though asked not to wait for a task. */
export const replied = observation<Talk>({
  name: "a direct answer",
  messages: 1,
  rank: 5,
  uses: [settled],
  async make(lab) {
    const { message: plain } = await lab.observe(settled);
    const kind = lab.hasPrompt("message") ? "message" : "task";
    if (kind === "task" && !plain) {
      throw skipped("prompt", "no message is known that is answered without a task", "prompts.message in assay.yaml");
    }
    const talk = await lab.send(kind, { configuration: { returnImmediately: true } });
    if (messageIn(talk)) return talk;
    if (taskIn(talk)) throw concernsNobody("the agent answered with a task");
    if (errorOf(talk)) throw skipped("unstable", `the message was not taken: ${describeReply(talk)}`);
    throw heldUp("SEND-014", "a message that is not to be waited for is answered with nothing", talk, {
      saw: describeReply(talk),
      want: "a complete message, as without returnImmediately",
    });
  },
});
