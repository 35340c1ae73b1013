import { type DialectVersion, dialects, type JsonObject, jsonIn, normaliseCard } from "@assay/protocol";
import { dialectFor, type Exchange, isGrpcCall, isUndated, type PeerInterface } from "@assay/wire";
import { asObject, asText } from "../answers/loose-json.ts";
import { offerOf } from "../client/agent-offer.ts";
import type { AgentOffer, ClientRequest } from "../client/client-request.ts";
import { createRequestReader, type RequestReader } from "../client/read-request.ts";

type Readers = ReadonlyMap<DialectVersion, RequestReader>;

/**
 * Reads the requests to the addresses of a card, in its versions and in every other one, because clients may use a
 * version that it does not name.
 */
export class ReadOffer {
  readonly offer: AgentOffer;
  /** the interfaces of the card first, then the same addresses in every other version */
  readonly places: readonly PeerInterface[];
  /** the card names no version: the agent is judged by the version that it turns out to speak */
  readonly isOpen: boolean;
  readonly #readers: Readers;
  readonly #listed: ReadonlySet<PeerInterface>;
  /** for such a card: the version of the first response */
  #spoken: DialectVersion | undefined;

  private constructor(
    offer: AgentOffer,
    { isOpen, places, readers }: Pick<ReadOffer, "isOpen" | "places"> & { readers: Readers },
  ) {
    this.offer = offer;
    this.isOpen = isOpen;
    this.places = places;
    this.#readers = readers;
    this.#listed = new Set(offer.interfaces);
  }

  static async open(card: JsonObject, cardUrl: string): Promise<ReadOffer> {
    const offer = offerOf(card, cardUrl);
    const isOpen = isUndated(card, normaliseCard(card).interfaces);
    const places = placesOf(offer);
    const readers = new Map<DialectVersion, RequestReader>();
    for (const dialect of dialects) {
      // If several versions have a method, the first place decides the version.
      const first = isOpen ? places.filter((on) => on.dialect === dialect) : [];
      const interfaces = [...first, ...places.filter((on) => !first.includes(on))];
      readers.set(dialect, await createRequestReader({ ...offer, interfaces }, offer.interfaces));
    }
    return new ReadOffer(offer, { isOpen, places, readers });
  }

  /** Returns true if the card declares it, or names no version and this is the one in use. */
  isDeclared(on: PeerInterface): boolean {
    return this.isOpen || this.#listed.has(on);
  }

  /** Returns true if clients may expect a response there. Elsewhere only an actual response shows the version. */
  isListed(on: PeerInterface): boolean {
    return !this.isOpen && this.#listed.has(on);
  }

  /** Notes a response in that version. */
  spoke({ dialect }: PeerInterface): void {
    this.#spoken ??= dialect;
  }

  /** Reads a request; undefined while its version is unknown. */
  read(exchange: Exchange): ClientRequest | undefined {
    const newest = this.#readers.get("1.0")!;
    if (!this.isOpen || isGrpcCall(exchange)) return newest(exchange);
    const method = asText(asObject(jsonIn(exchange.http.request.body))?.["method"]);
    if (method === undefined) return newest(exchange);
    const knowing = dialects.filter((dialect) => dialectFor("JSONRPC", dialect)?.operationOf(method));
    // 0.2 and 0.3 look the same on the wire, and a card of 0.3 names its version.
    const alike = knowing.filter((dialect) => dialect !== "0.3");
    const dialect = alike.length > 1 ? this.#spoken : (alike[0] ?? knowing[0]);
    return dialect === undefined && alike.length > 1 ? undefined : this.#readers.get(dialect ?? "1.0")!(exchange);
  }
}

function placesOf({ interfaces }: AgentOffer): readonly PeerInterface[] {
  const others = interfaces.flatMap(({ tenant: _, ...on }) =>
    dialects
      .filter((dialect) => dialect !== on.dialect && dialectFor(on.binding, dialect))
      .map((dialect): PeerInterface => ({ ...on, dialect })),
  );
  const known = new Set(interfaces.map(keyOf));
  return [...interfaces, ...others.filter((on) => !known.has(keyOf(on)) && known.add(keyOf(on)))];
}

const keyOf = ({ url, binding, dialect }: PeerInterface): string => JSON.stringify([url, binding, dialect]);
