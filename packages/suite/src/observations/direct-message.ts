import { describeReply, errorOf, messageIn, taskIn } from "../answers/reading.ts";
import { skippedFor } from "../answers/trouble.ts";
import type { Call } from "../define/call.ts";
import { observation } from "../define/observation.ts";
import { doesNotApply, heldUp, skipped } from "../define/obstacle.ts";
import { sentMessage } from "./sent-message.ts";

/** A message answered with a message, though asked not to wait for a task. */
export const directMessage = observation<Call>({
  name: "a direct answer",
  messages: 1,
  rank: 5,
  uses: [sentMessage],
  async make(target) {
    const { message: plain } = await target.observe(sentMessage);
    const kind = target.hasPrompt("message") ? "message" : "task";
    if (kind === "task" && !plain) {
      throw skipped("prompt", "no message is known that is answered without a task", "prompts.message in assay.yaml");
    }
    const call = await target.send(kind, { configuration: { returnImmediately: true } });
    if (messageIn(call)) return call;
    if (taskIn(call)) throw doesNotApply("the agent answered with a task");
    if (errorOf(call)) throw skippedFor(call, `the message was not taken: ${describeReply(call)}`);
    throw heldUp("SEND-014", "a message that is not to be waited for is answered with nothing", call, {
      saw: describeReply(call),
      want: "a complete message, as without returnImmediately",
    });
  },
});
