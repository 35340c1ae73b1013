import { observation } from "../observation.ts";
import { taskIn } from "../reading.ts";
import { asking, otherVersionOf } from "../shapes/active-extensions.ts";
import type { Talk } from "../talk.ts";
import { optionalFor, requiredBy } from "./extended.ts";
import { follow } from "./settled.ts";

/** Letters with marks, composed and combining, other scripts, and characters beyond the first plane. */
const sample = "Grüße, čeština, 中文, e\u0301, 👩‍👧 ✓";

/**
 * A message whose text is not all ASCII: whatever comes back of it shows how the agent writes and keeps text. Where the
 * card declares extensions with a version, it asks for one of them in a version that does not exist: messages are dear.
 */
export const inManyScripts = observation<{ readonly talk: Talk; readonly outdated: string | undefined }>({
  name: "a message in many scripts",
  messages: 1,
  prompts: ["task"],
  rank: 7,
  async make(lab) {
    const { parts, ...message } = lab.message("task");
    // In the first part, so that an agent which looks at no other meets it too.
    const [first, ...others] = parts;
    const outdated = optionalFor(lab.facts).find((uri) => otherVersionOf(uri) !== undefined);
    const talk = await lab.send("task", {
      message,
      parts: [{ text: `${first?.text} ${sample}` }, ...others],
      ...(outdated !== undefined && { edit: asking(...requiredBy(lab.facts), otherVersionOf(outdated)!) }),
    });
    const task = taskIn(talk);
    if (task) await follow(lab, task);
    return { talk, outdated };
  },
});
