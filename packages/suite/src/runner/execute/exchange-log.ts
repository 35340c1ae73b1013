import { type Exchange, type Masker, type PeerInterface, Recording, toHarEntry } from "@assay/wire";
import type { ExchangeRecorded, RunEvent } from "../../report/events.ts";
import { interfaceName } from "../interface-name.ts";

/** Facts about an exchange besides its bytes. */
export interface ExchangePurpose {
  readonly operation?: string;
  readonly on?: PeerInterface;
  /** the name of the observation it was sent for */
  readonly observation?: string;
  /** counts as a message */
  readonly working?: boolean;
}

/**
 * Maximum number of recorded bytes per exchange. Assay judges longer bodies completely but does not record all of
 * them.
 */
const mostBytes = 512 * 1024;

/** Records every exchange in the run's events, masked, as soon as it ends and its purpose is known. */
export class ExchangeLog {
  readonly recording: Recording;
  /** cut to the limits; callers hold the complete exchange */
  readonly #unwritten = new Map<string, Exchange>();
  readonly #masker: Masker;
  readonly #emit: (event: RunEvent) => void;

  /** `issued`: the number of earlier exchanges, to continue the numbering */
  constructor(masker: Masker, emit: (event: RunEvent) => void, issued = 0) {
    this.recording = new Recording({ keep: false, bytesPerExchange: mostBytes, issued });
    this.#masker = masker;
    this.#emit = emit;
    this.recording.onExchange((exchange) => this.#unwritten.set(exchange.id, exchange));
  }

  /** Adds an exchange that another client made, with an id of this run. */
  adopt(exchange: Exchange): Exchange {
    const adopted = { ...exchange, id: this.recording.issueId() };
    this.recording.finish(adopted);
    return adopted;
  }

  /** Records an exchange and returns its recorded form. */
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

  /** Records exchanges that belong to no call: redirects, and calls that were cut off. */
  writeRest(): void {
    for (const exchange of [...this.#unwritten.values()]) this.write(exchange);
  }
}

/** Removes decoded data, which is not recorded, because masking it would cost more than masking the bytes. */
function asBytes({ envelope: _, decoded: __, ...bytes }: Exchange): Exchange {
  return bytes;
}
