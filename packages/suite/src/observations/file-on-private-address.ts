import { isLoopback } from "@assay/protocol";
import { addressKind } from "@assay/wire";
import type { Call } from "../call.ts";
import { observation } from "../observation.ts";
import { skipped } from "../obstacle.ts";
import { messageIn, taskIn } from "../reading.ts";
import type { WebhookDelivery } from "../webhook/receiver.ts";
import { follow } from "./sent-message.ts";

/** A file by reference on a private address, and whether it was fetched. */
export interface FileOnPrivateAddress {
  readonly call: Call;
  readonly fetches: readonly WebhookDelivery[];
}

/** A name without a dot is resolved by this network alone. */
const isInside = (host: string): boolean => isLoopback(host) || !/[.:]/.test(host) || addressKind(host) === "private";

export const fileOnPrivateAddress = observation<FileOnPrivateAddress>({
  name: "a file on a private address",
  messages: 1,
  prompts: ["task"],
  rank: 8,
  async make(target) {
    const box = target.webhook?.mailbox();
    if (!box || !isInside(new URL(box.url).hostname)) {
      throw skipped(
        "webhook",
        "the receiver is not on a private address, so a request for the file would prove nothing",
      );
    }
    const { parts } = target.message("task");
    const file = { url: box.url, mediaType: "text/plain", filename: "note.txt" };
    const call = await target.send("task", { parts: [...parts, file] });
    const task = taskIn(call);
    if (task) await follow(target, task);
    if (task || messageIn(call)) await target.sleep(target.quiet);
    return { call, fetches: [...box.deliveries] };
  },
});
