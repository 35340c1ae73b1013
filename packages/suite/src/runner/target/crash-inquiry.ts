import type { Call } from "../../call.ts";
import type { CallEnding, Inquiry, InquiryFinding } from "./retry.ts";

/** How often it has to happen, and on connections that nothing else used before, to be the request's doing. */
const enough: Partial<Record<CallEnding, number>> = { dropped: 3, silence: 2 };

interface Asking {
  /** makes another call, and says whether it was answered */
  readonly isAnswering: () => Promise<boolean>;
  /** the request is to blame, as this call shows */
  readonly onBlame: (call: Call) => void;
}

/**
 * Whether a connection that drops, or stays silent, is the doing of the request: it happens again and again, and other
 * calls made in between are answered. Whatever else happens to connections is the doing of the surroundings.
 */
export class CrashInquiry implements Inquiry {
  readonly #asking: Asking;
  readonly #counts = new Map<CallEnding, number>();
  #finding: InquiryFinding | undefined;

  constructor(asking: Asking) {
    this.#asking = asking;
  }

  get finding(): InquiryFinding | undefined {
    return this.#finding;
  }

  async hear(call: Call, ending: CallEnding): Promise<void> {
    const limit = enough[ending];
    if (limit === undefined) return;
    if (!(await this.#asking.isAnswering())) {
      this.#counts.clear();
      this.#finding = "not-alone";
      return;
    }
    // A kept connection may have been dead before the request.
    const isTelling = ending !== "dropped" || !call.exchange.transport.reused;
    const count = (this.#counts.get(ending) ?? 0) + (isTelling ? 1 : 0);
    this.#counts.set(ending, count);
    this.#finding = count >= limit ? "to-blame" : undefined;
    if (this.#finding) this.#asking.onBlame(call);
  }
}
