import type { PeerInterface } from "@assay/wire";
import { isSend } from "../../answers/operations-of.ts";
import type { Call } from "../../define/call.ts";
import { isAnswered } from "./liveness.ts";
import { endingOf } from "./retry.ts";

/** Notices interfaces on which no valid message is answered: there, silence after an invalid one shows nothing. */
export class MessageSilence {
  readonly #answered = new Set<PeerInterface>();
  readonly #silent = new Set<PeerInterface>();

  /** Notes how a call ended. */
  note(call: Call): void {
    if (!call.fair || !isSend(call.operation)) return;
    if (isAnswered(call)) this.#answered.add(call.on);
    else if (endingOf(call) === "silence") this.#silent.add(call.on);
  }

  isTotalOn(on: PeerInterface): boolean {
    return this.#silent.has(on) && !this.#answered.has(on);
  }
}
