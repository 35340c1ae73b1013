import { isInternal } from "../answers/expect-error.ts";
import { describeReply, taskIn } from "../answers/reading.ts";
import type { Call } from "../define/call.ts";
import { observation } from "../define/observation.ts";
import { skipped } from "../define/obstacle.ts";
import type { Target } from "../define/target.ts";
import { sendParams } from "../observations/sending.ts";
import { follow } from "../observations/sent-message.ts";
import type { Advice } from "./advice.ts";

/**
 * The same message arrives twice at once, and again when its task has ended, as after a retry of a client or a gateway.
 * One internal error may have another cause, so the message is sent once more after it. An overloaded agent returns
 * errors for new messages, too, so they show if the repeated messageId is the cause.
 */
export const duplicateMessages = observation<readonly Advice[]>("a message that arrives several times", {
  messages: 7,
  prompts: ["task"],
  async make(target) {
    const params = sendParams(target);
    const send = (): Promise<Call> => target.call("SendMessage", params);
    const calls = await sendThree(target, send);
    if (calls.filter(isInternal).length === 1) calls.push(await send());
    const failed = calls.filter(isInternal);
    if (failed.length === calls.length || !calls.some(({ reply }) => reply.is === "result"))
      throw skipped("unstable", `the agent did not accept the message: ${describeReply(calls[0]!)}`);
    if (failed.length < 2) return [];
    const others = await sendThree(target, () => target.call("SendMessage", sendParams(target)));
    const failedToo = others.find(isInternal);
    if (failedToo) throw skipped("unstable", `messages with a new messageId fail, too: ${describeReply(failedToo)}`);
    return [{ id: "FAULT-007", saw: describeReply(failed[0]!) } as const];
  },
});

/** Sends two messages at once, and a third one when their tasks have ended. */
async function sendThree(target: Target, send: () => Promise<Call>): Promise<Call[]> {
  const calls = await Promise.all([send(), send()]);
  const tasks = calls.flatMap((call) => taskIn(call) ?? []);
  await Promise.all(tasks.map((task) => follow(target, task)));
  return [...calls, await send()];
}
