import type { Call } from "../../call.ts";
import { skipped } from "../../obstacle.ts";
import type { Restarts } from "./restarts.ts";
import type { CallEnding, Inquiry, InquiryFinding } from "./retry.ts";

/** How often it has to happen, and on connections that nothing else used before, to be the request's doing. */
const enough: Partial<Record<CallEnding, number>> = { dropped: 3, silence: 2 };
/** How often the process of the agent has to end at a request: by itself it does so once at most. */
const enoughDeaths = 2;

interface Asking {
  /** makes another call, and says whether it was answered */
  readonly isAnswering: () => Promise<boolean>;
  /** the request is to blame, as this call shows */
  readonly onBlame: (call: Call) => void;
  /** of an agent that we started ourselves */
  readonly restarts: Restarts | undefined;
}

/**
 * Whether a connection that drops, or stays silent, is the doing of the request: it happens again and again, and other
 * calls made in between are answered. Where the process of the agent is known to have ended, it is repeated alone, and
 * ending once more is enough. Whatever else happens to connections is the doing of the surroundings.
 */
export class CrashInquiry implements Inquiry {
  readonly #asking: Asking;
  readonly #counts = new Map<CallEnding, number>();
  #finding: InquiryFinding | undefined;
  #sentTo = 0;
  #deaths = 0;
  #release: (() => void) | undefined;

  constructor(asking: Asking) {
    this.#asking = asking;
  }

  get finding(): InquiryFinding | undefined {
    return this.#finding;
  }

  begin(): void {
    this.#sentTo = this.#asking.restarts?.starts ?? 0;
  }

  end(): void {
    this.#release?.();
    this.#release = undefined;
  }

  async hear(call: Call, ending: CallEnding): Promise<void> {
    const limit = enough[ending];
    if (limit === undefined) return;
    if (ending === "dropped" && (await this.#hasDied(call))) return;
    if (!(await this.#asking.isAnswering())) {
      this.#counts.clear();
      this.#finding = "not-alone";
      return;
    }
    // A kept connection may have been dead before the request.
    const isTelling = ending !== "dropped" || !call.exchange.transport.reused;
    const count = (this.#counts.get(ending) ?? 0) + (isTelling ? 1 : 0);
    this.#counts.set(ending, count);
    this.#conclude(count >= limit, call);
  }

  /** The agent's process ended while the request was under way: it is started again, and the request repeated alone. */
  async #hasDied(call: Call): Promise<boolean> {
    const { restarts } = this.#asking;
    if (!restarts) return false;
    const isBack = await restarts.recover();
    if (!isBack && restarts.starts === this.#sentTo) return false;
    this.#deaths += 1;
    const isToBlame = this.#deaths >= enoughDeaths;
    if (isToBlame && !restarts.blame())
      throw skipped("unstable", "the agent's process ended at this request too; that it does so is counted once");
    this.#conclude(isToBlame, call);
    if (!isToBlame && !this.#release) this.#release = await restarts.turn();
    return true;
  }

  #conclude(isToBlame: boolean, call: Call): void {
    this.#finding = isToBlame ? "to-blame" : undefined;
    if (isToBlame) this.#asking.onBlame(call);
  }
}
