import { type DialectVersion, dialects, type JsonObject, jsonIn, normaliseCard } from "@assay/protocol";
import { dialectFor, type Exchange, isGrpcCall, isUndated, type PeerInterface } from "@assay/wire";
import { asObject, asText } from "../answers/loose-json.ts";
import { offerOf } from "../client/agent-offer.ts";
import type { AgentOffer, ClientRequest } from "../client/client-request.ts";
import { createRequestReader, type RequestReader } from "../client/read-request.ts";

type Readers = ReadonlyMap<DialectVersion, RequestReader>;

/**
 * What a card offers, and the reading of what is sent to its addresses: as the card has it, and in every other version,
 * because clients may speak one that it does not name.
 */
export class ReadOffer {
  readonly offer: AgentOffer;
  /** the interfaces of the card first, then the same addresses in every other version */
  readonly places: readonly PeerInterface[];
  /** the card names no version: the agent is held to the one that it turns out to speak */
  readonly isOpen: boolean;
  readonly #readers: Readers;
  readonly #listed: ReadonlySet<PeerInterface>;
  /** of an open card: the version in which something was answered */
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
      // Of a method that several versions have, the first place decides in which it is read.
      const first = isOpen ? places.filter((on) => on.dialect === dialect) : [];
      const interfaces = [...first, ...places.filter((on) => !first.includes(on))];
      readers.set(dialect, await createRequestReader({ ...offer, interfaces }, offer.interfaces));
    }
    return new ReadOffer(offer, { isOpen, places, readers });
  }

  /** The card says so, or leaves it open and this is what is spoken. */
  isDeclared(on: PeerInterface): boolean {
    return this.isOpen || this.#listed.has(on);
  }

  /** Whether clients may expect an answer there at all; elsewhere only one that came shows that it is spoken. */
  isListed(on: PeerInterface): boolean {
    return !this.isOpen && this.#listed.has(on);
  }

  /** Something was answered in that version. */
  spoke({ dialect }: PeerInterface): void {
    this.#spoken ??= dialect;
  }

  /** A request; undefined where it cannot be told yet in which version it is written. */
  read(exchange: Exchange): ClientRequest | undefined {
    const newest = this.#readers.get("1.0")!;
    if (!this.isOpen || isGrpcCall(exchange)) return newest(exchange);
    const method = asText(asObject(jsonIn(exchange.http.request.body))?.["method"]);
    if (method === undefined) return newest(exchange);
    const knowing = dialects.filter((dialect) => dialectFor("JSONRPC", dialect)?.operationOf(method));
    // On the wire 0.2 and 0.3 look alike, and a card of 0.3 says that it is one.
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
