import { type Exchange, type Masker, type PeerInterface, Recording, toHarEntry } from "@assay/wire";
import type { ExchangeRecorded, RunEvent } from "../../report/events.ts";
import { interfaceName } from "../interface-name.ts";

/** What is known of an exchange besides its bytes. */
export interface ExchangePurpose {
  readonly operation?: string;
  readonly on?: PeerInterface;
  /** the name of the observation it was sent for */
  readonly observation?: string;
  /** counts as a message */
  readonly working?: boolean;
}

/** What is kept of one exchange as evidence: a list of a hundred thousand tasks is judged whole, and not written down whole. */
const mostBytes = 512 * 1024;

/** Writes every exchange into the run's events, masked, as soon as it is over and we know what it was for. */
export class ExchangeLog {
  readonly recording: Recording;
  /** as they were recorded, cut to the caps; what the callers hold is whole */
  readonly #unwritten = new Map<string, Exchange>();
  readonly #masker: Masker;
  readonly #emit: (event: RunEvent) => void;

  /** `issued`: how many exchanges there were before, so that these are numbered on */
  constructor(masker: Masker, emit: (event: RunEvent) => void, issued = 0) {
    this.recording = new Recording({ keep: false, bytesPerExchange: mostBytes, issued });
    this.#masker = masker;
    this.#emit = emit;
    this.recording.onExchange((exchange) => this.#unwritten.set(exchange.id, exchange));
  }

  /** Takes in an exchange that a client of the caller made, under an id of this run. */
  adopt(exchange: Exchange): Exchange {
    const adopted = { ...exchange, id: this.recording.issueId() };
    this.recording.finish(adopted);
    return adopted;
  }

  /** Gives the exchange as it was written down; itself, where that was done before. */
  write(exchange: Exchange, { operation, on, observation, working }: ExchangePurpose = {}): Exchange {
    const kept = this.#unwritten.get(exchange.id);
    if (!kept) return exchange;
    this.#unwritten.delete(exchange.id);
    const event: ExchangeRecorded = {
      event: "exchange",
      id: kept.id,
      ...(operation !== undefined && { operation }),
      ...(on && { interface: interfaceName(on) }),
      ...(observation !== undefined && { during: observation }),
      ...(working && { working: true }),
      entry: toHarEntry(this.#masker.exchange(asBytes(kept))),
    };
    this.#emit(event);
    return kept;
  }

  /** What no request of ours accounts for: redirects on the way, calls that were cut off. */
  writeRest(): void {
    for (const exchange of [...this.#unwritten.values()]) this.write(exchange);
  }
}

/** Without what was read from the bytes, which is not written down: to mask it would cost more than the bytes do. */
function asBytes({ envelope: _, decoded: __, ...bytes }: Exchange): Exchange {
  return bytes;
}
