import { Readable } from "node:stream";
import { isObject, type JsonObject, type JsonValue } from "@assay/protocol";
import type { Exchange, PeerInterface } from "@assay/wire";
import { type AgentFacts, factsOf } from "../card/agent-facts.ts";
import type { Call } from "../define/call.ts";
import { LiveStream } from "../define/live-stream.ts";
import { Obstacle, type ObstacleKind } from "../define/obstacle.ts";
import type { Mailbox, WebhookDelivery } from "../webhook/receiver.ts";
import { openReaders, type PackedCall, readCall } from "./call.fixture.ts";
import {
  type Keeping,
  type PackedBytes,
  type PackedExchange,
  packBytes,
  packExchange,
  unpackBytes,
  unpackExchange,
  withoutSkills,
} from "./exchange.fixture.ts";

/** Something that cannot be recorded. */
export class Unpackable extends Error {
  override readonly name = "Unpackable";
}

/** A stream that is over, with its whole call. */
export class EndedStream {
  readonly call: Call;

  constructor(call: Call) {
    this.call = call;
  }
}

/** Records values of any shape. A call or exchange that occurs several times is written once. */
export class Packer {
  readonly calls: PackedCall[] = [];
  readonly exchanges: PackedExchange[] = [];
  readonly #keeping: Keeping;
  readonly #known = new Map<object, JsonValue>();

  constructor(keeping: Keeping) {
    this.#keeping = keeping;
  }

  pack(value: unknown): JsonValue {
    if (value === undefined) return { $: "undefined" };
    if (value === null || typeof value === "boolean" || typeof value === "number") return value;
    if (typeof value === "string") return this.#keeping.rename(value);
    if (typeof value === "function") return { $: "function" };
    if (typeof value !== "object") throw new Unpackable(`a ${typeof value} cannot be written down`);
    const known = this.#known.get(value);
    if (known !== undefined) return known;
    if (isCall(value)) return this.#remember(value, { $: "call", at: this.calls.push(this.#call(value)) - 1 });
    if (isExchange(value)) return { $: "exchange", at: this.#exchange(value) };
    if (isFacts(value)) return this.#facts(value);
    if (value instanceof Uint8Array) return { $: "bytes", bytes: packBytes(value, this.#keeping) as JsonValue };
    if (value instanceof Map) return { $: "map", entries: this.#list([...value]) };
    if (value instanceof Set) return { $: "set", members: this.#list([...value]) };
    if (value instanceof Obstacle) return { $: "obstacle", kind: this.pack(value.kind) };
    if (value instanceof EndedStream) return { $: "stream", call: this.pack(value.call) };
    if (value instanceof AbortSignal) return { $: "signal", aborted: value.aborted };
    if (isMailbox(value)) return { $: "mailbox", url: this.pack(value.url), deliveries: this.#list(value.deliveries) };
    if (Array.isArray(value)) return this.#list(value);
    const prototype: unknown = Object.getPrototypeOf(value);
    if (prototype !== Object.prototype && prototype !== null)
      throw new Unpackable(`a ${value.constructor.name} cannot be written down`);
    return this.#members(value);
  }

  #remember(value: object, packed: JsonValue): JsonValue {
    this.#known.set(value, packed);
    return packed;
  }

  #list(values: readonly unknown[]): JsonValue[] {
    return values.map((each) => this.pack(each));
  }

  #members(value: object): JsonObject {
    const present = Object.entries(value).filter(([, member]) => member !== undefined);
    const packed = Object.fromEntries(present.map(([name, member]) => [name, this.pack(member)]));
    // Packed values are JSON.
    return this.#keeping.detail === "brief" ? (withoutSkills(packed) as JsonObject) : packed;
  }

  #call({ exchange, on, operation, params, fair, streamed }: Call): PackedCall {
    if (operation === undefined) throw new Unpackable("a call of no operation cannot be written down");
    return {
      exchange: this.#exchange(exchange),
      on: this.pack(on) as unknown as PeerInterface,
      operation,
      ...(params && { params: this.#members(params) }),
      ...(fair && { fair }),
      ...(streamed && { streamed }),
    };
  }

  #exchange(exchange: Exchange): number {
    const known = this.#known.get(exchange);
    if (typeof known === "number") return known;
    const place = this.exchanges.push(packExchange(exchange, this.#keeping)) - 1;
    this.#known.set(exchange, place);
    return place;
  }

  #facts({ card, cardUrl, tested, dialect }: AgentFacts): JsonObject {
    return { $: "facts", card: this.pack(card), cardUrl: this.pack(cardUrl), tested: this.pack(tested), dialect };
  }
}

const isCall = (value: object): value is Call =>
  "exchange" in value && "on" in value && "said" in value && "reply" in value && "fair" in value;

const isExchange = (value: object): value is Exchange => "transport" in value && "http" in value && "timing" in value;

/** Returns true for an object that is recorded as a whole, even if a judge reads only a part of it. */
export const isRecordedWhole = (value: object): boolean => isCall(value) || isExchange(value) || isFacts(value);

const isFacts = (value: object): value is AgentFacts => "cardUrl" in value && "tested" in value && "declared" in value;

const isMailbox = (value: object): value is Mailbox => "deliveries" in value && "wait" in value;

/** A mailbox with all notifications that arrived until the check was done. */
const mailboxWith = (url: string, deliveries: readonly WebhookDelivery[]): Mailbox => ({
  url,
  deliveries,
  wait: async () => deliveries,
});

/** A stream that replays its events at once. */
function replayedStream(call: Call): LiveStream {
  const events = call.reply.is === "stream" ? call.reply.events : [];
  return new LiveStream(Readable.from(events), Promise.resolve(call), () => {});
}

/** Reads packed values. */
export interface Unpacker {
  unpack(packed: JsonValue): unknown;
}

const readers = await openReaders();

export function unpackerOf(recorded: {
  readonly calls: readonly PackedCall[];
  readonly exchanges: readonly PackedExchange[];
}): Unpacker {
  const exchanges = recorded.exchanges.map((each, index) => unpackExchange(each, `x${index + 1}`));
  const calls = recorded.calls.map((each) => readCall(each, exchanges[each.exchange]!, readers));

  const unpack = (packed: JsonValue): unknown => {
    if (Array.isArray(packed)) return packed.map(unpack);
    if (!isObject(packed)) return packed;
    // JSON contains only JSON.
    const { $: kind, ...members } = packed as { readonly [name: string]: JsonValue };
    switch (kind) {
      case "undefined":
        return undefined;
      case "call":
        return calls[members["at"] as number];
      case "exchange":
        return exchanges[members["at"] as number];
      case "bytes":
        return unpackBytes(members["bytes"] as PackedBytes);
      case "map":
        return new Map(unpack(members["entries"]!) as [unknown, unknown][]);
      case "set":
        return new Set(unpack(members["members"]!) as unknown[]);
      case "obstacle":
        return new Obstacle(unpack(members["kind"]!) as ObstacleKind);
      // A function writes part of a request, which a replay does not send.
      case "function":
        return () => ({});
      case "stream":
        return replayedStream(unpack(members["call"]!) as Call);
      case "signal":
        return members["aborted"] ? AbortSignal.abort() : new AbortController().signal;
      case "mailbox":
        return mailboxWith(members["url"] as string, unpack(members["deliveries"]!) as WebhookDelivery[]);
      case "facts":
        return factsOf(
          members["card"] as JsonObject,
          members["cardUrl"] as string,
          members["tested"] as unknown as PeerInterface[],
          members["dialect"] as AgentFacts["dialect"],
        );
      default:
        return Object.fromEntries(Object.entries(packed).map(([name, member]) => [name, unpack(member as JsonValue)]));
    }
  };
  return { unpack };
}
