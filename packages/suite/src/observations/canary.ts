import { isLoopback } from "@assay/protocol";
import { addressKind } from "@assay/wire";
import { observation } from "../observation.ts";
import { skipped } from "../obstacle.ts";
import { messageIn, taskIn } from "../reading.ts";
import type { Talk } from "../talk.ts";
import type { Delivery } from "../webhook/receiver.ts";
import { follow } from "./settled.ts";

/** A file by reference that nobody outside this network should ask for, and whether somebody did. */
export interface Canary {
  readonly talk: Talk;
  readonly visits: readonly Delivery[];
}

/** A name without a dot is resolved by this network alone. */
const isInside = (host: string): boolean => isLoopback(host) || !/[.:]/.test(host) || addressKind(host) === "private";

export const canary = observation<Canary>({
  name: "a file on a private address",
  messages: 1,
  prompts: ["task"],
  rank: 8,
  async make(lab) {
    const box = lab.webhook?.mailbox();
    if (!box || !isInside(new URL(box.url).hostname)) {
      throw skipped("webhook", "the receiver is not on a private address, so a visit would prove nothing");
    }
    const { parts } = lab.message("task");
    const file = { url: box.url, mediaType: "text/plain", filename: "note.txt" };
    const talk = await lab.send("task", { parts: [...parts, file] });
    const task = taskIn(talk);
    if (task) await follow(lab, task);
    if (task || messageIn(talk)) await lab.sleep(lab.quiet);
    return { talk, visits: [...box.deliveries] };
  },
});
