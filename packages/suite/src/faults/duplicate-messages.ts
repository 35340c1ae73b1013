import { isInternal } from "../answers/expect-error.ts";
import { describeReply, taskIn } from "../answers/reading.ts";
import type { Call } from "../define/call.ts";
import { observation } from "../define/observation.ts";
import { skipped } from "../define/obstacle.ts";
import { sendParams } from "../observations/sending.ts";
import { follow } from "../observations/sent-message.ts";
import type { Advice } from "./advice.ts";

/**
 * The same message arrives twice at once, and again when its task has ended, as after a retry of a client or a gateway.
 * One internal error may have another cause, so the message is sent once more after it.
 */
export const duplicateMessages = observation<readonly Advice[]>("a message that arrives several times", {
  messages: 4,
  prompts: ["task"],
  async make(target) {
    const params = sendParams(target);
    const send = (): Promise<Call> => target.call("SendMessage", params);
    const calls = await Promise.all([send(), send()]);
    const tasks = calls.flatMap((call) => taskIn(call) ?? []);
    await Promise.all(tasks.map((task) => follow(target, task)));
    calls.push(await send());
    if (calls.filter(isInternal).length === 1) calls.push(await send());
    const failed = calls.filter(isInternal);
    if (failed.length === calls.length || !calls.some(({ reply }) => reply.is === "result"))
      throw skipped("unstable", `the agent did not accept the message: ${describeReply(calls[0]!)}`);
    return failed.length > 1 ? [{ id: "FAULT-007", saw: describeReply(failed[0]!) } as const] : [];
  },
});
