import { taskIn } from "../answers/reading.ts";
import type { Call } from "../define/call.ts";
import { observation } from "../define/observation.ts";
import { asking, otherVersionOf } from "../shapes/active-extensions.ts";
import { optionalFor, requiredBy } from "./message-with-extensions.ts";
import { follow } from "./sent-message.ts";

/** Letters with marks, composed and combining, other scripts, and characters beyond the first plane. */
const sample = "Grüße, čeština, 中文, e\u0301, 👩‍👧 ✓";

/**
 * A message whose text is not all ASCII: whatever comes back of it shows how the agent writes and keeps text. Where the
 * card declares extensions with a version, it asks for one of them in a version that does not exist: messages are dear.
 */
export const unicodeMessage = observation<{ readonly call: Call; readonly outdated: string | undefined }>({
  name: "a message in many scripts",
  messages: 1,
  prompts: ["task"],
  rank: 7,
  async make(target) {
    const { parts, ...message } = target.message("task");
    const outdated = optionalFor(target.facts).find((uri) => otherVersionOf(uri) !== undefined);
    const call = await target.send("task", {
      message,
      parts: target.say(sample, parts),
      ...(outdated !== undefined && { edit: asking(...requiredBy(target.facts), otherVersionOf(outdated)!) }),
    });
    const task = taskIn(call);
    if (task) await follow(target, task);
    return { call, outdated };
  },
});
